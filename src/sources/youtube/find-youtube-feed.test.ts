import assert from 'node:assert/strict'
import { it } from 'node:test'
import { findYoutubeFeed } from './find-youtube-feed.ts'

const OWN = 'UCabcdefghij0123456789_-'
const OTHER = 'UCzzzzzzzzzzzzzzzzzzzzzz'
const FEED = `https://www.youtube.com/feeds/videos.xml?channel_id=${OWN}`

it("a page's own feed link wins over everything else it carries", () => {
  const html = `<html><head><script>var x = {"channelId":"${OTHER}"}</script>
    <link rel="canonical" href="https://www.youtube.com/channel/${OTHER}">
    <link rel="alternate" type="application/rss+xml" title="RSS" href="${FEED}"></head></html>`
  assert.equal(findYoutubeFeed(html), FEED)
  assert.equal(findYoutubeFeed(new TextEncoder().encode(html)), FEED)
})

it('a relative feed link is resolved against the page', () => {
  const html = '<link rel="alternate" type="application/rss+xml" href="/feeds/videos.xml?channel_id=x">'
  assert.equal(
    findYoutubeFeed(html, { url: 'http://127.0.0.1:8080/@x' }),
    'http://127.0.0.1:8080/feeds/videos.xml?channel_id=x',
  )
})

it('the canonical address of a channel or playlist tells the feed', () => {
  assert.equal(findYoutubeFeed(`<link rel="canonical" href="https://www.youtube.com/channel/${OWN}">`), FEED)
  assert.equal(
    findYoutubeFeed('<link rel="canonical" href="https://www.youtube.com/playlist?list=PLabcdefghij012">'),
    'https://www.youtube.com/feeds/videos.xml?playlist_id=PLabcdefghij012',
  )
})

it("a video's page tells its channel by mark or by data, not by the videos beside it", () => {
  assert.equal(
    findYoutubeFeed(
      `<link rel="canonical" href="https://www.youtube.com/watch?v=dQw4w9WgXcQ"><meta itemprop="channelId" content="${OWN}">`,
    ),
    FEED,
  )
  assert.equal(
    findYoutubeFeed(
      `<script>a={"channelId":"${OTHER}"};b={"videoDetails":{"videoId":"x","channelId":"${OWN}"}}</script>`,
    ),
    FEED,
  )
  assert.equal(findYoutubeFeed(`<script>a={"channelId":"${OTHER}"};b={"externalId":"${OWN}"}</script>`), FEED)
})

it('a page that tells nothing yields null', () => {
  for (const html of ['', '<html><title>Before you continue</title></html>', '{"channelId":"UCshort"}']) {
    assert.equal(findYoutubeFeed(html), null)
  }
})

it('credentials that a page wrote into its feed link are not part of the feed’s address', () => {
  const html = '<link rel="alternate" type="application/rss+xml" href="https://x:sekret@tube.example/feed.xml">'
  assert.equal(findYoutubeFeed(html), 'https://tube.example/feed.xml')
})

it('a feed link longer than a source’s address may be is passed over', () => {
  const link = `<link rel="alternate" type="application/rss+xml" href="https://tube.example/feed?${'x'.repeat(2000)}">`
  assert.equal(findYoutubeFeed(`${link}<meta itemprop="channelId" content="${OWN}">`), FEED)
})
