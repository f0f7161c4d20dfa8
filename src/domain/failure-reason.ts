// What the reason of a failure may quote from outside: one line without control characters, and none of the secrets that
// were sent. A server may send a secret back, for example in the address of a redirect or in its answer to a login.
// See docs/decisions/0066-failure-reasons-hide-request-secrets.md

/** Text from outside, on one line: control characters are escaped, and long text is cut. */
export function onOneLine(text: string): string {
  const escaped = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (character) => {
    const code = character.charCodeAt(0).toString(16)
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`
  })
  return escaped.length > 500 ? `${escaped.slice(0, 499)}…` : escaped
}

/** Replacing a shorter secret would hide ordinary words, and such a secret can be guessed anyway. */
const MIN_SECRET_CHARS = 4

/** All spellings of the secrets are replaced. */
export function hideSecretsIn(text: string, secrets: readonly string[]): string {
  const spellings = secrets
    .filter((secret) => secret.length >= MIN_SECRET_CHARS)
    .flatMap((secret) => [secret, encodeURIComponent(secret), encodeURI(secret), secret.replace(/=+$/, '')])
    .sort((a, b) => b.length - a.length)
  return spellings.reduce((hidden, spelling) => hidden.replace(new RegExp(escapeRegExp(spelling), 'gi'), '***'), text)
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
