/**
 * HTTP Link headers (RFC 8288): `<target>; rel="alternate"; type="application/atom+xml", <...>`.
 * Skips what it cannot read, so that a malformed link does not hide those after it.
 */

export type HeaderLink = { target: string; rel: string[]; type: string; title: string | null; anchor: string | null }

const MAX_HEADER_CHARS = 65_536
const PARAMETER = /\s*;\s*([^\s=;,"<>]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/y

export function readLinkHeader(header: string): HeaderLink[] {
  const links: HeaderLink[] = []
  const text = header.slice(0, MAX_HEADER_CHARS)
  const target = /<([^<>]*)>/g
  for (let match = target.exec(text); match; match = target.exec(text)) {
    const { parameters, end } = readParameters(text, target.lastIndex)
    links.push(toLink((match[1] ?? '').trim(), parameters))
    target.lastIndex = end
  }
  return links
}

/** The parameters after a target. If a name occurs twice, the first one counts. */
function readParameters(text: string, from: number): { parameters: Map<string, string>; end: number } {
  const parameters = new Map<string, string>()
  let end = from
  PARAMETER.lastIndex = from
  for (let match = PARAMETER.exec(text); match; match = PARAMETER.exec(text)) {
    const name = (match[1] ?? '').toLowerCase()
    const value = match[2]?.replace(/\\(.)/g, '$1') ?? match[3] ?? ''
    if (!parameters.has(name)) parameters.set(name, value)
    end = PARAMETER.lastIndex
  }
  return { parameters, end }
}

function toLink(target: string, parameters: Map<string, string>): HeaderLink {
  return {
    target,
    rel: (parameters.get('rel') ?? '').toLowerCase().split(/\s+/).filter(Boolean),
    type: parameters.get('type') ?? '',
    title: extended(parameters.get('title*')) ?? parameters.get('title') ?? null,
    anchor: parameters.get('anchor') ?? null,
  }
}

/** RFC 8187: `UTF-8'en'%e2%82%ac`. */
function extended(value: string | undefined): string | null {
  const match = /^utf-8'[^']*'(.*)$/i.exec(value ?? '')
  if (!match) return null
  try {
    return decodeURIComponent(match[1] ?? '')
  } catch {
    return null
  }
}
