/** A language as BCP 47 writes it (`en_US` becomes `en-US`); null for anything that is not a language. */
export function languageTag(written: string | null | undefined): string | null {
  const tag = written
    ?.trim()
    .split(/[,;\s]/, 1)[0]
    ?.replaceAll('_', '-')
  if (!tag || tag.length > 35) return null
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
}
