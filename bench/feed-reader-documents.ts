/** Generated feeds for benchmarks: about 200 KB each, with the same content every time. */

const WORDS =
  'the quick poller visits every source politely and keeps what it finds while others sleep under a wide sky of news '.repeat(
    4,
  )

function paragraph(seed: number): string {
  const from = (seed * 37) % 200
  const text = WORDS.slice(from, from + 220)
  const link = `<a href="https://example.org/${seed}?a=1&amp;b=2" title="More">${text.slice(0, 20)}</a>`
  return `<p class="text">${text} ${link} &ndash; &ldquo;${text.slice(40, 90)}&rdquo; <em>${text.slice(90, 120)}</em><br/>${text}</p>\n`
}

function html(entry: number): string {
  return Array.from({ length: 6 }, (_, i) => paragraph(entry * 7 + i)).join('')
}

export function rssDocument(entries = 46): string {
  const items = Array.from({ length: entries }, (_, i) => {
    const day = String((i % 28) + 1).padStart(2, '0')
    return `<item><title>Story number ${i} &amp; more</title><link>https://example.org/story/${i}</link>
<dc:creator><![CDATA[Author ${i % 5}]]></dc:creator><pubDate>Tue, ${day} Sep 2026 08:30:00 +0200</pubDate>
<category><![CDATA[News]]></category><category><![CDATA[Topic ${i % 7}]]></category>
<guid isPermaLink="false">https://example.org/?p=${i}</guid>
<description><![CDATA[${paragraph(i).slice(0, 300)}]]></description>
<content:encoded><![CDATA[${html(i)}]]></content:encoded></item>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Example</title>
<link>https://example.org/</link><description>A feed</description><language>en</language>
${items.join('\n')}</channel></rss>`
}

export function atomDocument(entries = 46): string {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const items = Array.from({ length: entries }, (_, i) => {
    const day = String((i % 28) + 1).padStart(2, '0')
    return `<entry><title type="html">Story number ${i} &amp;amp; more</title><link href="https://example.org/story/${i}"/>
<id>tag:example.org,2026:${i}</id><published>2026-09-${day}T08:30:00+02:00</published><updated>2026-09-${day}T09:00:00Z</updated>
<author><name>Author ${i % 5}</name></author><category term="News"/><category term="Topic ${i % 7}"/>
<content type="html">${escaped(html(i))}</content></entry>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Example</title>
<link href="https://example.org/"/><link rel="self" href="https://example.org/feed"/><id>https://example.org/</id>
<updated>2026-09-28T09:00:00Z</updated>${items.join('\n')}</feed>`
}

/** By the title they have in the benchmark. */
export const DOCUMENTS: Readonly<Record<string, () => string>> = {
  'RSS 2.0 with content:encoded': rssDocument,
  'Atom 1.0 with escaped HTML': atomDocument,
  'RSS 2.0 with content:encoded, not only ASCII': () => rssDocument().replaceAll('news', 'n\u00e9ws \u2014'),
}

export function bytesOf(title: string): Uint8Array {
  return new TextEncoder().encode(DOCUMENTS[title]?.())
}
