/** The URL as a server sees it. It is parsed, so that two spellings of one URL are the same. */
export function withoutFragment(url: string): string {
  return URL.parse(url)?.href.replace(/#.*/, '') ?? url
}
