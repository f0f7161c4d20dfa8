/**
 * Finds what a YouTube address leads to: the Atom feed if the address contains an id, else the page that links it. Returns
 * null for addresses of other sites and for those without a feed. Sends no requests.
 */

export type YoutubeAddress = { kind: 'feed'; feedUrl: string } | { kind: 'page'; pageUrl: string }

const HOSTS = new Set(['youtube.com', 'www.youtube.com', 'm.youtube.com', 'music.youtube.com'])
// Hosts of the embedded player. They serve nothing else.
const PLAYER_HOSTS = new Set(['youtube-nocookie.com', 'www.youtube-nocookie.com'])
const CHANNEL_ID = /^UC[\w-]{22}$/
const PLAYLIST_ID = /^(?:PL|UU|FL|OLAK5uy_)[\w-]{10,}$/
const VIDEO_ID = /^[\w-]{11}$/
const VIDEO_PATHS = new Set(['shorts', 'live', 'v', 'e'])
// First path segments that are pages of YouTube itself. Any other may be the old custom name of a channel.
const RESERVED = new Set(
  'about account ads browse channels creators feed feeds gaming hashtag kids live_chat logout movies music oembed paid_memberships playlists post premium redirect results reporthistory shopping signin sports t trending upload watch_videos youtubei'.split(
    ' ',
  ),
)

export const channelFeed = (id: string): string => `https://www.youtube.com/feeds/videos.xml?channel_id=${id}`
export const playlistFeed = (id: string): string => `https://www.youtube.com/feeds/videos.xml?playlist_id=${id}`
export const isChannelId = (id: string): boolean => CHANNEL_ID.test(id)

const feed = (feedUrl: string): YoutubeAddress => ({ kind: 'feed', feedUrl })
const page = (path: string): YoutubeAddress => ({ kind: 'page', pageUrl: `https://www.youtube.com/${path}` })
const video = (id: string | null | undefined): YoutubeAddress | null =>
  id && VIDEO_ID.test(id) ? page(`watch?v=${id}`) : null
/** A video that is watched within a playlist stands for the playlist. */
const watched = (id: string | null | undefined, list: string): YoutubeAddress | null =>
  /^PL/.test(list) && PLAYLIST_ID.test(list) ? feed(playlistFeed(list)) : video(id)

export function youtubeFeedUrl(address: string): YoutubeAddress | null {
  const spelled = /^[a-z][a-z0-9+.-]*:\/\//i.test(address.trim()) ? address.trim() : `https://${address.trim()}`
  if (!URL.canParse(spelled)) return null
  const url = new URL(spelled)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  const [first = '', second = ''] = url.pathname.split('/').filter(Boolean)
  const list = url.searchParams.get('list') ?? ''
  if (url.hostname === 'youtu.be' || url.hostname === 'www.youtu.be') return watched(first, list)
  if (PLAYER_HOSTS.has(url.hostname)) return first === 'embed' ? embedded(second, url.searchParams) : null
  return HOSTS.has(url.hostname) ? onYoutube(first, second, url.searchParams) : null
}

function onYoutube(first: string, second: string, query: URLSearchParams): YoutubeAddress | null {
  if (first === 'feeds') return second === 'videos.xml' ? ownFeed(query) : null
  if (first === 'channel') return CHANNEL_ID.test(second) ? feed(channelFeed(second)) : null
  const list = query.get('list') ?? ''
  if (first === 'playlist') return PLAYLIST_ID.test(list) ? feed(playlistFeed(list)) : null
  if (first === 'watch') return watched(query.get('v'), list)
  if (first === 'embed') return embedded(second, query)
  if (VIDEO_PATHS.has(first)) return video(second)
  if (first === 'user' || first === 'c') return second === '' ? null : page(`${first}/${second}`)
  if (first.startsWith('@') || first.startsWith('%40')) return first.length > 1 ? page(first) : null
  return first === '' || RESERVED.has(first.toLowerCase()) || first.includes('.') ? null : page(first)
}

/** Instead of a video id, the player accepts words for a whole playlist and for a channel's live stream. */
function embedded(what: string, query: URLSearchParams): YoutubeAddress | null {
  const list = query.get('list') ?? ''
  if (what === 'videoseries') return PLAYLIST_ID.test(list) ? feed(playlistFeed(list)) : null
  if (what !== 'live_stream') return watched(what, list)
  const channel = query.get('channel') ?? ''
  return CHANNEL_ID.test(channel) ? feed(channelFeed(channel)) : null
}

function ownFeed(query: URLSearchParams): YoutubeAddress | null {
  const channel = query.get('channel_id')
  if (channel) return CHANNEL_ID.test(channel) ? feed(channelFeed(channel)) : null
  const playlist = query.get('playlist_id')
  if (playlist) return PLAYLIST_ID.test(playlist) ? feed(playlistFeed(playlist)) : null
  const user = query.get('user')
  return user ? feed(`https://www.youtube.com/feeds/videos.xml?user=${encodeURIComponent(user)}`) : null
}
