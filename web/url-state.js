// The chosen podcast and filter stand in the page's address, so that a reload keeps them and a link shares them.

export function readUrlState() {
  const given = new URLSearchParams(location.search)
  const [user, podcast] = [given.get('user'), given.get('podcast')]
  return {
    podcastPath: user && podcast ? podcastPathOf(user, podcast) : null,
    q: given.get('q') ?? '',
    health: given.get('health') ?? '',
  }
}

/** @param {string} user @param {string} podcast */
export function podcastPathOf(user, podcast) {
  return `/users/${encodeURIComponent(user)}/podcasts/${encodeURIComponent(podcast)}`
}

/**
 * `podcastPath` null: there is only one podcast.
 * @param {{ podcastPath: string | null, q?: string, health?: string }} state
 */
export function writeUrlState({ podcastPath, q, health }) {
  const [, , user, , podcast] = (podcastPath ?? '').split('/').map(decodeURIComponent)
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ user, podcast, q, health })) if (value) query.set(name, value)
  history.replaceState(null, '', query.size > 0 ? `?${query}` : location.pathname)
}
