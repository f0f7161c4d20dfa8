import assert from 'node:assert/strict'
import { it } from 'node:test'
import { youtubeFeedUrl } from './youtube-address.ts'

const CHANNEL = 'UCabcdefghij0123456789_-'
const LIST = 'PLabcdefghij0123456789'
const feedOf = (address: string) => {
  const found = youtubeFeedUrl(address)
  return found?.kind === 'feed' ? found.feedUrl : found
}
const pageOf = (address: string) => {
  const found = youtubeFeedUrl(address)
  return found?.kind === 'page' ? found.pageUrl : found
}

it('a channel or playlist address holds its feed', () => {
  const channel = `https://www.youtube.com/feeds/videos.xml?channel_id=${CHANNEL}`
  for (const host of ['https://www.youtube.com', 'http://youtube.com', 'https://m.youtube.com', 'youtube.com']) {
    assert.equal(feedOf(`${host}/channel/${CHANNEL}`), channel)
    assert.equal(feedOf(`${host}/channel/${CHANNEL}/videos?view=0`), channel)
  }
  const playlist = `https://www.youtube.com/feeds/videos.xml?playlist_id=${LIST}`
  assert.equal(feedOf(`https://www.youtube.com/playlist?list=${LIST}`), playlist)
  assert.equal(feedOf(`https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=${LIST}&index=2`), playlist)
})

it('a list is the same list however it is watched: on its page, by a short address or in a player', () => {
  const playlist = `https://www.youtube.com/feeds/videos.xml?playlist_id=${LIST}`
  for (const address of [
    `https://youtu.be/dQw4w9WgXcQ?list=${LIST}`,
    `https://www.youtube.com/embed/videoseries?list=${LIST}`,
    `https://www.youtube.com/embed/dQw4w9WgXcQ?list=${LIST}`,
    `https://www.youtube-nocookie.com/embed/videoseries?si=x&list=${LIST}`,
  ])
    assert.equal(feedOf(address), playlist, address)
  const uploads = LIST.replace('PL', 'UU')
  assert.equal(
    feedOf(`https://www.youtube.com/embed/videoseries?list=${uploads}`),
    `https://www.youtube.com/feeds/videos.xml?playlist_id=${uploads}`,
  )
})

it('what a player on another site shows leads to its video or channel', () => {
  for (const host of ['www.youtube.com', 'www.youtube-nocookie.com', 'youtube-nocookie.com']) {
    assert.equal(pageOf(`https://${host}/embed/dQw4w9WgXcQ?rel=0`), 'https://www.youtube.com/watch?v=dQw4w9WgXcQ')
    assert.equal(
      feedOf(`https://${host}/embed/live_stream?channel=${CHANNEL}`),
      `https://www.youtube.com/feeds/videos.xml?channel_id=${CHANNEL}`,
    )
  }
})

it('a feed address stays itself', () => {
  for (const query of [`channel_id=${CHANNEL}`, `playlist_id=${LIST}`, 'user=someone']) {
    const address = `https://www.youtube.com/feeds/videos.xml?${query}`
    assert.equal(feedOf(address), address)
  }
})

it('handle, user, custom name and video lead to a page that tells', () => {
  assert.equal(pageOf('https://youtube.com/@some.one/videos'), 'https://www.youtube.com/@some.one')
  assert.equal(pageOf('https://m.youtube.com/@%E3%81%82'), 'https://www.youtube.com/@%E3%81%82')
  assert.equal(pageOf('https://www.youtube.com/user/someone'), 'https://www.youtube.com/user/someone')
  assert.equal(pageOf('https://www.youtube.com/c/SomeOne/about'), 'https://www.youtube.com/c/SomeOne')
  assert.equal(pageOf('https://www.youtube.com/SomeOne'), 'https://www.youtube.com/SomeOne')
  const video = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
  for (const address of [
    `${video}&t=3s`,
    'https://youtu.be/dQw4w9WgXcQ?si=x',
    'https://youtube.com/shorts/dQw4w9WgXcQ',
    'https://www.youtube.com/live/dQw4w9WgXcQ',
  ]) {
    assert.equal(pageOf(address), video)
  }
})

it('what no feed belongs to is null', () => {
  const addresses = [
    'https://example.org/@x',
    'https://youtube.com.evil.example/channel/x',
    'https://www.youtube.com/',
    'https://www.youtube.com/feed/trending',
  ]
  const broken = [
    'https://www.youtube.com/channel/UCshort',
    'https://www.youtube.com/watch',
    'https://www.youtube.com/embed/videoseries',
    'https://www.youtube.com/embed/live_stream',
    'https://www.youtube-nocookie.com/@x',
    'https://www.youtube-nocookie.com/',
    'https://www.youtube.com/playlist?list=WL',
    'https://www.youtube.com/results?search_query=x',
    '',
    'ftp://youtube.com/@x',
  ]
  for (const address of [...addresses, ...broken]) assert.equal(youtubeFeedUrl(address), null, address)
})
