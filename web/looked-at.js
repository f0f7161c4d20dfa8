// What is looked at stands in the address, so that a reload keeps it and a link shares it.

export function lookedAt() {
  const given = new URLSearchParams(location.search)
  const { user, podcast, q = '', health = '' } = Object.fromEntries(given)
  return { home: user && podcast ? homeOf(user, podcast) : null, q, health }
}

export function homeOf(user, podcast) {
  return `/users/${encodeURIComponent(user)}/podcasts/${encodeURIComponent(podcast)}`
}

/** `home` null: there is nothing to choose. */
export function rememberLookedAt({ home, q, health }) {
  const [, , user, , podcast] = (home ?? '').split('/').map(decodeURIComponent)
  const said = Object.entries({ user, podcast, q, health }).filter(([, value]) => value)
  const query = new URLSearchParams(said).toString()
  history.replaceState(null, '', query ? `?${query}` : location.pathname)
}
