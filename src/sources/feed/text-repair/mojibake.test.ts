import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertWithin } from '../../../../test/support/processor-time.ts'
import { item, rss } from '../../../../test/support/read-text.ts'
import { mendMojibake } from './mojibake.ts'

/** Makes the mistake: takes UTF-8 for windows-1252. */
const spoiled = (text: string) => new TextDecoder('windows-1252').decode(Buffer.from(text))
const SIGNS = [...'…–—’‘“”™®©°»«›‹•ªº²³¹±·´†‡§¶', '\u00a0', '\u00ad']

/** Correct texts whose non-ASCII letters, as bytes, are valid UTF-8, or were before the text was shortened. */
const RIGHT =
  `Das macht Spaß… | BEYONCÉ’S NEW ALBUM | ROSÉ’s new single | NESCAFÉ® Gold | CAFÉ™ | JOSÉ’S | ZOË’S DAY | OLÉ…
CITÉ–GARE | é—— | AMANHÃ… | AMANHÃ–TARDE | AMANHÃ–tarde | SMÅ… | SMÅ–STAD | TRÄ– | METRÔ… | METRÔ® | Viel Spaß™ | Fuß– und Radweg
MAMÃ® Store | IRMÃ©2024 | LÃ® Portugal | CIDADÃ” | CAMPEÃ™ DO MUNDO | A MANHÃ»Home | A LÃ° | MAMÃ´s kitchen | IRMÃ’s
SMÅ‘s | SMÅ§ | TRÄ¶ | TRÄ» | TRÄ® | BLÅ® | GRÅ™ | PÅ• | RÅ—RÅ— | 1.54 Å±0.02 | 120 Å³ per cell | 5 Å² | 0.3 eÅ³ | 0.35 eÅ–3
10 Å… 20 Å | eV/Å· | ANDRÉ® | ANDRÉ’s | RENÉ–JEAN | RENÉ…RENÉ… | LIBERTÉ… ÉGALITÉ… | DÉJÀ – | VOILÀ… | LÀ–BAS | CITTÀ™ | CITTÀ® | PERÙ…
COSÌ… | LUNEDÌ–VENERDÌ | LUNEDÌ’ | CAFFÈ® | CAFFÈ™ | È… | TÈ® | PERCHÉ… | VIRTÙ® | PIÙ° | GESÙ… | FALÒ… | PURÉ® | MENÚ® | PERÚ’S
BAMBÚ™ | CANCÚN | AQUÍ… | SÍ™ | SÍ–NO | ASÍ… | CHANTILLÍ® | ESTÁ… | MAMÁ’S | PAPÁ® | OXALÁ… | JOSÉ» | BUFFÊ® | VOCÊ… | VOCÊ™ | BEBÊ® | BEBÊ’S
AVÔ… | AVÓ® | ROBÔ® | ROBÔ–CAR | CIPÓ… | DOMINÓ® | CAPÔ… | BABALÚ® | ITAÚ® | ITAÚ… | ITAÚ’S | TATÚ™ | HINDÛ… | LÖ… | SJÖ– | MALMÖ–LUND
MILJÖ® | SJÖ’S | FÖ™ | Ö–NORR | KÖ… | BÜ® | MENÜ® | MENÜ… | TÜV-MENÜ™ | DÉJÀ VU… | TABÙ® | Ñ® | Ñ… | HØ… | Ø–VEST | SJØ® | FISKEBÅÆ… | Æ® | Æ–Ø
Straß® | Gruß… | Gruß– | „Fuß“ | Weiß’ | ÑU | CHLOË® | CHLOË’S | ZOË™ | NOË… | CITROË® | CITROËN® | LEYLÂ… | LEYLÂ’NIN | SIARADWCH Â’R BBC | Â† and Â²
Operator Â² = 1 | LEYLÂ\u00a0VE MECNUN | Ý… | Þ® | Ð… | REYKJAVÍ™ | 3×½ | 2ײ | a×² | 5×10×° | fiancé—– | Olé——! | ahí…” dijo | está»… | está»‡ | café”…
Leylâ–… | à…” | né—«x | Cé hÉ… | Cé hÉ’ | i nÉ– | d’abord | Ça coûte 5 €, à Âge égal | Ä® Å® Ã® | Ã– til | Å–Reine | LÅ\u00a0NG | TRÄ\u00adHUS`
    .split(/ \| |\n/)
    .filter((text) => text !== '')

test('a right text stays as it is, whatever sign stands behind a letter with an accent', () => {
  assert.ok(RIGHT.length > 150)
  for (const text of RIGHT) {
    assert.equal(mendMojibake(text), text)
    assert.equal(mendMojibake(`${text} ${RIGHT[0]}`), `${text} ${RIGHT[0]}`)
  }
  const visible = RIGHT.filter((text) => !/[\u00a0\u00ad]/.test(text))
  for (const text of visible) {
    const entry = item(`<title>${text}</title><description>${text}</description><category>${text}</category>`)
    assert.partialDeepStrictEqual(entry, { title: text, body: text, categories: [text] })
    assert.equal(rss(`<item><title>x</title></item><title>${text}</title>`).title, text)
  }
})

/** No word ends in `Â` or is just `Ã`, so `Â°` and `Ã–sterreich` are always mistakes. */
const WORDS =
  `à é è ô y a Å É amanhã irmã lã maçã manhã cidadã campeã café cité liberté andré déjà voilà là noël zoë citroën
spaß fuß gruß weiß straße größe über öl österreich ärger trä små grå blå små sjö malmö miljö ö å ørsted blåbær lunedì così caffè perché
virtù falò menú bambú aquí está señor niño metrô robô avó você bebê itaú coração são joão perù tabú œuvre cœur aîné fête
château þorn ýta eð seið gener új élet škoda žena`.split(/\s/)

test('words of any language that windows-1252 writes, with any signs behind them, stay as they are', () => {
  const word = fc
    .tuple(fc.constantFrom(...WORDS), fc.boolean())
    .map(([text, inCapitals]) => (inCapitals && !text.includes('ß') ? text.toUpperCase() : text))
  const ending = fc.array(fc.constantFrom(...SIGNS), { maxLength: 3 }).map((signs) => signs.join(''))
  const joint = fc.constantFrom(' ', ' ', '-', '–', '’', ', ', ' – ', '… ')
  const part = fc.tuple(word, ending, joint).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), (parts) => {
      const text = parts.join('').trim()
      assert.equal(mendMojibake(text), text)
    }),
    { numRuns: 20_000 },
  )
})

test('a letter with an accent at the end of a word bears every sign, but for the ones that the accident makes of it', () => {
  const accident: Record<string, string> = { Â: '\u00a0\u00ad§©ª«®°²³¹±·¶º»†‡', â: '†‡' }
  for (const letter of 'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüý') {
    for (const first of SIGNS.filter((sign) => !accident[letter]?.includes(sign))) {
      for (const rest of ['', ...SIGNS, first + first]) {
        const end = letter + first + rest
        for (const text of [
          `CAF${end}`,
          `CAF${end} AU LAIT`,
          `CAF${end} au lait`,
          `${end} `,
          `caf${end.toLowerCase()}`,
        ]) {
          assert.equal(mendMojibake(text), text)
        }
      }
    }
  }
})

/** Bytes without a windows-1252 character are lost, so such texts cannot be repaired. */
const survives = (text: string) => !Buffer.from(text).some((byte) => [0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte))

/** Each of these is enough evidence alone. */
const SURE =
  `don’t | “quoted | 5 € only | Café | José | Noël | été | Réunion | São Paulo | México | España | Österreich | Århus | Über uns
MÜNCHEN | STRAßE | Größe | Köln | ÉCOLE | École | À la carte | Ça va | FRANÇAIS | złoty | się | życie | Gdańsk | Kraków | Acme™ | Acme® | LEGO®
20 °C | 20°C | 12 m² | £5 | © 2026 | ½ price | a → b | ★★ | ♥ | ✓ done | CO₂ | Hi 😀 | 🙂 | 5–6 | a—b | … and so on | ‘x | București | Việt Nam
Azərbaycan | tűz | où | Zoë | fu\u0308r | Île | forêt | août | naïve | garçon | Þór | Ñandú | Brontë | crème brûlée | Søren | Dvořák | Žižek | ağaç
Привет | Москва | Україна | Καλημέρα | Ελλάδα | 中文 | 東京 | 日本語 | テスト | 한국어 | 서울 | हिन्दी | ไทย | مرحبا | العربية | שלום`
    .split(/ \| |\n/)
    .filter(survives)

test('one letter or sign that nobody writes is enough to mend a text', () => {
  assert.ok(SURE.length > 70)
  for (const text of SURE) assert.equal(mendMojibake(spoiled(text)), text)
  assert.equal(mendMojibake('donÂ’t'), 'don’t')
  assert.equal(rss(`<title>${spoiled('Zażółć gęślą')}</title>`).title, 'Zażółć gęślą')
})

test('texts of any language are mended whole once a word of them is sure', () => {
  const others =
    'où à là Öl KÖLN GRÖNLAND ÄRGER są și țară Да и και 新闻 中 ♪ ÅNGSTRÖM plain 2026 “so” – … ’ » Ó'.split(' ')
  const sure = fc.constantFrom(...SURE)
  const any = fc.array(fc.constantFrom(...others.filter(survives), ...SURE), { maxLength: 8 })
  fc.assert(
    fc.property(any, sure, any, (before, word, after) => {
      const text = [...before, word, ...after].join(' ')
      assert.equal(mendMojibake(spoiled(text)), text)
    }),
    { numRuns: 5000 },
  )
})

test('a text is left alone where a part of it is right, or would be of no language', () => {
  for (const right of ['été', 'Škoda', 'Привет', '中文', 'BEYONCÉ’S', 'Spaß…', 'ò………', 'î——', '“', 'É’']) {
    const text = `${spoiled('don’t')} ${right}`
    assert.equal(mendMojibake(text), text)
  }
})

test('a flood of letters that are never sure costs no more than its length', async () => {
  for (const piece of ['Ð°', 'Ã…', 'é——', 'æ–°é—»', 'Â’', 'aÅ–', 'ð–…’']) {
    const text = Buffer.from(piece.repeat(1_000_000 / piece.length)).toString()
    await assertWithin(250, () => assert.equal(mendMojibake(text), text))
  }
})
