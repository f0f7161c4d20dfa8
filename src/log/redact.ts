// Masks credentials before they reach a log line, a message or a terminal. They occur in two forms:
// fields whose name says that they contain a secret, and text (URLs, headers, stacks) that contains one.
// See docs/decisions/0005-every-log-line-passes-one-filter.md

const MASK = '***'

const SECRET_NAME =
  /(authorization|apikey|accesskey|privatekey|masterkey|secret|secretkey|password|passwd|pwd|passphrase|token|cookie|credentials?|signature|basicauth|sessionid|jwt|bearer)$/
const SECRET_PARAMETER = /^(key|auth|sig|pass|session|code)$/

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

export function isSecretField(name: string): boolean {
  return SECRET_NAME.test(plainName(name))
}

function isSecretParameter(name: string): boolean {
  return isSecretField(name) || /[-_.]key$/i.test(name) || SECRET_PARAMETER.test(plainName(name))
}

const USERINFO = /([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#"'<>`]*@/gi
// A password that is not URL-encoded may contain any character, so everything up to the last @ is masked.
const DATABASE_USERINFO = /(postgres(?:ql)?:\/\/)[^\s"'<>`]*@/gi
const PARAMETER = /([?&;])([^=&;#?\s"'<>`]{1,64})=([^&#\s"'<>`]+)/g
const BEARER = /\b(bearer)\s+[\w.~+/=-]{6,}/gi
const BASIC = /\b(basic)\s+(?=[\w+/=-]*[\d=])[\w+/=-]{6,}/gi
// `Authorization: Basic ...` as a header line, `"apiKey":"..."` as JSON, `password=...` as a setting.
const HEADER =
  /\b((?:proxy-)?authorization|x-api-key|(?:set-)?cookie)(["']?\s*[:=]\s*["']?)(?:(?:bearer|basic)\s+)?([^\s"',]+)/gi
/** Our own help uses this in place of a token. No real token looks like it. */
const PLACEHOLDER = '<token>'
const QUOTED =
  /(\\{0,8}["'])([\w-]{0,40}(?:authorization|key|secret|password|passwd|token|cookie|signature))\1(\s*:\s*)(\\{0,8}["'])((?:(?!\4).)+)\4/gi
const ASSIGNED = /\b(api[-_]?key|master[-_]?key|token|secret|password|passwd|pwd)=[^\s&"',;]+/gi

export function redactText(text: string): string {
  return text
    .replace(DATABASE_USERINFO, `$1${MASK}@`)
    .replace(USERINFO, `$1${MASK}@`)
    .replace(PARAMETER, (whole, mark, name) => (isSecretParameter(name) ? `${mark}${name}=${MASK}` : whole))
    .replace(HEADER, (whole, name, sign, value) => (value === PLACEHOLDER ? whole : `${name}${sign}${MASK}`))
    .replace(BEARER, `$1 ${MASK}`)
    .replace(BASIC, `$1 ${MASK}`)
    .replace(QUOTED, (whole, quote, name, colon, open) =>
      isSecretField(name) ? `${quote}${name}${quote}${colon}${open}${MASK}${open}` : whole,
    )
    .replace(ASSIGNED, `$1=${MASK}`)
}

/** Returns the same JSON data with its secrets masked. */
export function redact(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value)
  if (Array.isArray(value)) return value.map(redact)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecretField(name) && holdsSomething(inner) ? MASK : redact(inner),
    ]),
  )
}

// `hasToken: true` and `token: null` reveal nothing.
function holdsSomething(value: unknown): boolean {
  return value !== null && value !== undefined && typeof value !== 'boolean'
}
