/** What a server is asked for: the fragment stays with who asks. Parsed, so that spelling makes no difference. */
export function withoutFragment(url: string): string {
  return URL.parse(url)?.href.replace(/#.*/, '') ?? url
}
