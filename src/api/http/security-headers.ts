// Security headers for browsers: no framing, no sniffing, no referrer, no caching, and pages run only their own files.
const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}
const NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
const OWN_FILES = `${NOTHING}; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'`

/** For the dashboard: its style sheet stands in the page, and a post shows its pictures and plays its media. */
export function dashboardPolicy(styleHash: string): string {
  const own = `script-src 'self'; style-src 'self' '${styleHash}'; connect-src 'self'`
  return `${NOTHING}; ${own}; img-src 'self' data: http: https:; media-src http: https:`
}

export function securityHeaders(isPage: boolean): Record<string, string> {
  if (isPage) return { ...ALWAYS, 'content-security-policy': OWN_FILES, 'cache-control': 'no-cache' }
  return { ...ALWAYS, 'content-security-policy': NOTHING, 'cache-control': 'no-store' }
}
