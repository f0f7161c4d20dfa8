// JSON Feed 1.1.
import type { OutFeed, OutItem } from './feed.ts'

export function jsonFeedOf(feed: OutFeed): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: feed.home,
    feed_url: feed.url,
    description: feed.description,
    items: feed.items.map(itemOf),
  })
}

function itemOf(item: OutItem) {
  return {
    id: item.id,
    url: item.url,
    title: item.title,
    content_text: item.text,
    ...(item.html !== null && { content_html: item.html }),
    ...(item.image !== null && { image: item.image }),
    ...(item.language !== null && { language: item.language }),
    ...(item.enclosures.length > 0 && { attachments: item.enclosures.map(attachmentOf) }),
    date_published: item.publishedAt,
    ...(item.author !== null && { authors: [{ name: item.author }] }),
    ...(item.categories.length > 0 && { tags: item.categories }),
  }
}

function attachmentOf({ url, type, length, duration }: OutItem['enclosures'][number]) {
  return {
    url,
    mime_type: type ?? 'application/octet-stream',
    ...(length !== null && { size_in_bytes: length }),
    ...(duration !== undefined && { duration_in_seconds: duration }),
  }
}
