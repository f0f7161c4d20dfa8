// The feeds of the pictures: who publishes what, how often, and in which language. All of it is made up.
export interface Feed {
  readonly host: string
  readonly path: string
  readonly title: string
  /** A new entry about every so many hours. */
  readonly everyHours: number
  readonly intervalMinutes: number
  readonly language?: string
  readonly isPodcast?: boolean
}

const PLACES = [
  'the old harbour',
  'Westerpier',
  'the outer islands',
  'the north channel',
  'Sandholm',
  'the fish market',
]
const EVENTS: Readonly<Record<string, readonly string[]>> = {
  en: [
    'Storm warning lifted for',
    'New ferry times at',
    'What the tide left behind at',
    'A quiet season for',
    'Volunteers repair the lights of',
    'Survey ship charts',
    'Why herring came back to',
    'Council debates the pier of',
  ],
  de: ['Sturmwarnung aufgehoben:', 'Neue Fahrzeiten:', 'Was die Flut zurückließ:', 'Freiwillige reparieren die Feuer:'],
  fr: ['Fin de l’alerte tempête :', 'Nouveaux horaires du bac :', 'Ce que la marée a laissé :', 'Le conseil débat :'],
  ar: ['رفع التحذير من العاصفة في', 'مواعيد جديدة للعبّارات في', 'ما تركه المدّ في', 'متطوعون يصلحون منارات'],
}

const hour = (host: string, path: string, title: string, everyHours: number, intervalMinutes: number): Feed => ({
  ...{ host, path, title, everyHours, intervalMinutes },
})

export const FEEDS: readonly Feed[] = [
  hour('harbour-times.example', 'news', 'Harbour Times', 0.8, 15),
  hour('harbour-times.example', 'weather', 'Harbour Times: Weather', 1.5, 15),
  hour('harbour-times.example', 'culture', 'Harbour Times: Culture', 5, 30),
  hour('harbour-times.example', 'opinion', 'Harbour Times: Opinion', 9, 30),
  hour('coastguard.example', 'notices', 'Coast guard notices', 2, 15),
  hour('coastguard.example', 'drills', 'Coast guard drills', 20, 60),
  hour('ferries.example', 'delays', 'Ferry delays', 1, 10),
  hour('ferries.example', 'timetable', 'Ferry timetable', 30, 60),
  hour('deepsea.example', 'weekly', 'Deep Sea Weekly', 12, 60),
  hour('deepsea.example', 'papers', 'Deep Sea: New papers', 4, 30),
  hour('lighthouse.example', 'blog', 'The Lighthouse', 7, 20),
  hour('lighthouse.example', 'photos', 'Lighthouse photos', 6, 30),
  hour('sailmakers.example', 'journal', 'Sailmakers’ Journal', 6, 15),
  hour('sailmakers.example', 'lofts', 'Lofts and patterns', 10, 20),
  hour('rope-and-knot.example', 'knots', 'Rope & Knot', 8, 20),
  hour('rope-and-knot.example', 'splices', 'Rope & Knot: Splices', 9, 20),
  hour('rope-and-knot.example', 'tools', 'Rope & Knot: Tools', 11, 20),
  hour('saltmarsh.example', 'birds', 'Saltmarsh birds', 3, 30),
  hour('museum-of-ships.example', 'new', 'Museum of Ships', 16, 60),
  hour('fishmarket.example', 'prices', 'Fish market prices', 2, 30),
  hour('north-wind.example', 'notes', 'Notes from the north wind', 10, 30),
  { ...hour('radio-coast.example', 'evening', 'Radio Coast: The Evening Watch', 12, 30), isPodcast: true },
  { ...hour('hafenblatt.example', 'feed', 'Hafenblatt', 3, 20), language: 'de' },
  { ...hour('le-port.example', 'rss', 'Le Port', 4, 20), language: 'fr' },
  { ...hour('al-mina.example', 'rss', 'أخبار الميناء', 5, 30), language: 'ar' },
]

/** It published until ten days before the pictures are taken, and is silent since. */
export const QUIET: Feed = hour('chartroom.example', 'letters', 'Letters from the chart room', 5, 240)
/** Its address is gone. */
export const GONE: Feed = hour('harbour-times.example', 'gone', 'Old chronicle', 5, 30)

const HOUR_MS = 3_600_000
const ENTRIES = 15

/** What the feed says at this time. Its entries are the same whenever it is asked. */
export function rssOf(feed: Feed, now: number): string {
  const stepMs = feed.everyHours * HOUR_MS
  const last = Math.floor(now / stepMs)
  const items = Array.from({ length: ENTRIES }, (_, index) => itemOf(feed, last - index, stepMs))
  const language = feed.language ?? 'en'
  return `<rss version="2.0"><channel><title>${xml(feed.title)}</title><language>${language}</language>
<link>https://${feed.host}/</link>${items.join('')}</channel></rss>`
}

function itemOf(feed: Feed, number: number, stepMs: number): string {
  const events = EVENTS[feed.language ?? 'en'] ?? []
  const start = feed.host.length + feed.path.length * 5
  const title = `${events[(start + number) % events.length]} ${PLACES[(start * 3 + number) % PLACES.length]}`
  const sound = `<enclosure url="https://${feed.host}/${number}.mp3" type="audio/mpeg" length="18400000"/>`
  return `<item><title>${xml(title)}</title><guid>${feed.host}${feed.path}${number}</guid>
<link>https://${feed.host}/${feed.path}/${number}</link><pubDate>${new Date(number * stepMs).toUTCString()}</pubDate>
<author>Anna Berg</author><category>harbour</category><category>coast</category>${feed.isPodcast ? sound : ''}
<description><![CDATA[${TEXT} <p>Report ${number} of ${feed.title}.</p>]]></description></item>`
}

const TEXT = `<p>The wind turned before noon, and the boats came home early. Readers ask what the harbour will do about the
<b>new pier</b>, and whether the ferry keeps its times.</p><blockquote>We have seen worse, and we have seen better. The sea
does not read the timetable.</blockquote><p>What is known so far:</p><ul><li>Wind from the north-west, force 6</li><li>Low
tide at 16:40, high tide at 22:55</li><li>The pier stays open for walkers</li></ul>`

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
