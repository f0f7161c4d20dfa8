import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { webUrl } from './links.ts'

test('an address is what the URL parser makes of it, also where it is not asked', () => {
  const part = fc.constantFrom(
    'a',
    'B',
    '.',
    '..',
    '/',
    '//',
    '%',
    '%2f',
    "'",
    '?',
    '#',
    '&',
    '=',
    ' ',
    'é',
    '|',
    '"',
    ':',
    '@',
    '\\',
    '127',
    '0x7f',
    'xn--',
    '-',
    '_',
    '~',
  )
  fc.assert(
    fc.property(fc.constantFrom('http', 'https'), fc.array(part), fc.array(part), (scheme, host, path) => {
      for (const name of [`${host.join('')}.example`, 'site.example']) {
        const written = `${scheme}://${name}/${path.join('')}`
        const parsed = URL.parse(written.trim())
        const web = parsed && /^https?:$/.test(parsed.protocol) ? parsed.href : null
        assert.equal(webUrl(written), web, written)
        if (path.includes('&') || !web) continue
        const end = path.join('').trim()
        for (const relative of [`/${end}`, `a${end}`, `1${end}`, `./${end}`]) {
          if (/^a[a-z0-9.-]*:/i.test(relative)) continue
          const resolved: string | null = URL.parse(relative, web)?.href ?? null
          assert.equal(webUrl(relative, web), resolved, `${relative} in ${web}`)
        }
      }
    }),
    { numRuns: 3000 },
  )
})

test('an address that was wrapped has neither the line break nor the blanks around it', () => {
  const whole = 'https://site.example/long/path?a=b'
  for (const wrap of ['\n', '\r\n', '\n    ', ' \r\n\t', '\t\r  ', '\n\n \n']) {
    assert.equal(webUrl(whole.replace('long', `${wrap}long`)), whole)
    assert.equal(webUrl(`${wrap}${whole.replaceAll('/p', `/${wrap}p`)}${wrap}`), whole)
    assert.equal(webUrl(`/long/${wrap}path?a=b`, 'https://site.example/x'), whole)
  }
  assert.equal(webUrl('https://site.example/two words'), 'https://site.example/two%20words')
})

test('other schemes are no web addresses, and relative ones need a base', () => {
  assert.equal(webUrl('mailto:a@site.example', 'https://site.example/'), null)
  assert.equal(webUrl('a/b'), null)
  assert.equal(webUrl('a/b', null, 'https://site.example/x/'), 'https://site.example/x/a/b')
  for (const base of [
    'https://site.example',
    'https://site.example?x/y',
    'https://site.example/x',
    'HTTPS://SITE.example/',
  ]) {
    assert.equal(webUrl('/a', base), 'https://site.example/a')
    assert.equal(webUrl('a.example/b', base), 'https://site.example/a.example/b')
  }
  assert.equal(webUrl('//other.example/x', 'https://site.example/'), 'https://other.example/x')
})
