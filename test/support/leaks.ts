// Looks for secrets in clear: as they are, and in the encodings that text goes through on its way.
import { DatabaseSync } from 'node:sqlite'

/** Every form by which somebody could read the secret off. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), bytes.toString('hex')]
  // Base64 depends on where the text begins: all three ways, without the characters that neighbours share.
  for (const before of [0, 1, 2]) {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes])
    const whole = shifted.subarray(0, shifted.length - (shifted.length % 3)).toString('base64')
    const own = whole.slice(before === 0 ? 0 : 4)
    forms.push(own, own.replaceAll('+', '-').replaceAll('/', '_'))
  }
  return [...new Set(forms)].filter((form) => form.length >= 6)
}

/** Where a secret stands in clear: `[secret's name, place]`. */
export function leaksIn(
  places: Iterable<readonly [place: string, text: string]>,
  secrets: Readonly<Record<string, string>>,
): [string, string][] {
  const forms = Object.entries(secrets).flatMap(([name, secret]) =>
    formsOf(secret).map((form) => [name, form] as const),
  )
  const found: [string, string][] = []
  for (const [place, text] of places) {
    for (const [name, form] of forms) if (text.includes(form)) found.push([name, `${place}: ${around(text, form)}`])
  }
  return found
}

function around(text: string, form: string): string {
  const at = text.indexOf(form)
  return text.slice(Math.max(0, at - 60), at + form.length + 20)
}

/** Every value of every row of every table. */
export function* valuesOf(databasePath: string): Generator<[string, string]> {
  const database = new DatabaseSync(databasePath, { readOnly: true })
  try {
    const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all()
    for (const { name } of tables) {
      for (const row of database.prepare(`SELECT * FROM "${name}"`).all()) {
        for (const [column, value] of Object.entries(row)) {
          const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)
          yield [`${name}.${column}`, text]
        }
      }
    }
  } finally {
    database.close()
  }
}
