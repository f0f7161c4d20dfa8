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
    date_published: item.publishedAt,
    ...(item.author !== null && { authors: [{ name: item.author }] }),
    ...(item.categories.length > 0 && { tags: item.categories }),
  }
}
