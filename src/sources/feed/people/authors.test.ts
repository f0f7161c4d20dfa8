import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertWithin } from '../../../../test/support/processor-time.ts'
import { item, read } from '../../../../test/support/read-text.ts'
import { readPerson } from './authors.ts'

const shown = (written: string) => {
  const { name, email } = readPerson(written)
  return name || email
}

test('of several people in one text the first counts', () => {
  const one = ['a@x.example (A)', 'A <a@x.example>', 'A (a@x.example)', 'A [mailto:a@x.example]', 'A a@x.example']
  const other = ['b@x.example (B)', 'B <b@x.example>', 'B (b@x.example)', '"B" <mailto:b@x.example>', 'b@x.example']
  for (const joint of [', ', ',', '; ', ';', ' and ', ' & ', ' / ', ' | ', ' und ', ' ']) {
    for (const first of one) {
      for (const second of other) {
        assert.equal(shown(first + joint + second), 'A')
        assert.equal(shown([first, second, ...other].join(joint)), 'A')
      }
    }
    assert.equal(shown(`a@x.example${joint}b@x.example`), 'a@x.example')
    assert.equal(shown(`mailto:a@x.example${joint}mailto:b@x.example`), 'a@x.example')
    assert.equal(shown(`a@x.example A${joint.trim() === '' ? ', ' : joint}b@x.example B`), 'A')
  }
  assert.equal(shown('a@x.example, b@x.example (B)'), 'B')
  assert.equal(shown('a@x.example, '.repeat(50)), 'a@x.example')
  assert.equal(shown('a@x.example (A), B and C'), 'A')
  assert.equal(shown('A <a@x.example>, B and C'), 'A')
  assert.equal(shown('A <a@x.example> and B'), 'A')
  assert.equal(item('<author>a@x.example (A), b@x.example (B)</author>').author, 'A')
  assert.equal(item('<dc:creator>A &lt;a@x.example&gt;, B &lt;b@x.example&gt;</dc:creator>').author, 'A')
  assert.equal(item('<author>a@x.example, b@x.example</author>').author, 'a@x.example')
})

test('an address beside the name is no part of it, also where only a name should be', () => {
  const atom = (inside: string) =>
    read(`<feed xmlns="http://www.w3.org/2005/Atom"><entry><author>${inside}</author></entry></feed>`).entries[0]
      ?.author
  const json = (author: unknown) => read(JSON.stringify({ items: [{ id: '1', authors: [author] }] })).entries[0]?.author
  assert.equal(atom('<name>joe@x.example (Joe Blow)</name>'), 'Joe Blow')
  assert.equal(atom('<name>News &lt;n@x.example&gt;</name><email>other@x.example</email>'), 'News')
  assert.equal(atom('<email>other@x.example</email><name>joe@x.example</name>'), 'joe@x.example')
  assert.equal(atom('<name>@joe@social.example</name>'), '@joe@social.example')
  assert.equal(json({ name: 'joe@x.example (Joe Blow)' }), 'Joe Blow')
  assert.equal(json('News <n@x.example>'), 'News')
})

const atomFeed = (around: string, inside: string, behind = '') =>
  read(`<feed xmlns="http://www.w3.org/2005/Atom">${around}<entry><title>T</title>${inside}</entry>${behind}</feed>`)
    .entries[0]?.author
const jsonFeed = (feed: object, item: object) =>
  read(JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', ...feed, items: [{ id: '1', ...item }] }))
    .entries[0]?.author
const by = (name: string) => `<author><name>${name}</name></author>`

test('an Atom entry without an author has that of its source, then that of the feed, wherever the feed names it', () => {
  const source = `<source><title>S</title>${by('Source')}</source>`
  assert.equal(atomFeed(by('Feed'), by('Own') + source), 'Own')
  assert.equal(atomFeed(by('Feed'), source), 'Source')
  assert.equal(atomFeed(by('Feed'), source.replace(by('Source'), '')), 'Feed')
  assert.equal(atomFeed(by('Feed'), by(' ')), 'Feed')
  assert.equal(atomFeed('', '', by('Feed')), 'Feed')
  assert.equal(atomFeed('<contributor><name>C</name></contributor>', ''), null)
  assert.equal(atomFeed(by('Feed') + by('Second'), ''), 'Feed')
})

test('an Atom author with nothing but an e-mail is none', () => {
  const mail = '<author><email>joe@x.example</email></author>'
  assert.equal(atomFeed('', mail), null)
  assert.equal(atomFeed(by('Feed'), mail), 'Feed')
  assert.equal(atomFeed(mail, ''), null)
  assert.equal(atomFeed('', mail + by('John Smith')), 'John Smith')
})

test('a JSON Feed item without an author has that of the feed', () => {
  assert.equal(jsonFeed({ authors: [{ name: 'Feed' }] }, {}), 'Feed')
  assert.equal(jsonFeed({ author: { name: 'Feed' } }, { authors: [] }), 'Feed')
  assert.equal(jsonFeed({ authors: [{ url: 'https://x.example' }] }, {}), null)
  assert.equal(jsonFeed({ authors: [{ name: 'Feed' }] }, { authors: [{ name: ' ' }, { name: 'Own' }] }), 'Own')
})

test('in RSS, the editor of the channel is not the author of its items', () => {
  const channel = '<managingEditor>e@x.example (E)</managingEditor><itunes:author>I</itunes:author><author>A</author>'
  assert.equal(read(`<rss><channel>${channel}<item><title>T</title></item></channel></rss>`).entries[0]?.author, null)
})

test('a name may hold commas and brackets of its own', () => {
  assert.equal(shown('a@x.example (Smith, John), b@x.example (Doe, Jane)'), 'Smith, John')
  assert.equal(shown('Smith, John <a@x.example>; Doe, Jane <b@x.example>'), 'Smith, John')
  assert.equal(shown('"Smith, John" <a@x.example>, "Doe, Jane" <b@x.example>'), 'Smith, John')
  assert.equal(shown('Smith, John <a@x.example>'), 'Smith, John')
  assert.equal(shown('a@x.example (John and Jane)'), 'John and Jane')
  assert.equal(shown('a@x.example (John (Acme))'), 'John (Acme)')
  assert.equal(shown('John (Acme) <a@x.example>'), 'John (Acme)')
  assert.equal(shown('John Smith <a@x.example> (a@x.example)'), 'John Smith')
  assert.equal(shown('John (a@x.example or b@x.example)'), 'John')
  assert.equal(shown('a@x.example, John Smith'), 'John Smith')
  assert.equal(shown('<a@x.example>, John Smith'), 'John Smith')
  assert.equal(shown('a@x.example - John Smith'), 'John Smith')
  assert.equal(shown('a@x.example (a@x.example)'), 'a@x.example')
  assert.equal(shown('E commerce team <a@x.example>'), 'E commerce team')
})

test('names without an address are one name as written', () => {
  for (const name of ['A, B and C', 'A; B', 'A (B), C (D)', 'A & B', 'A (B', 'John @john', 'A <B']) {
    assert.deepEqual(readPerson(name), { name, email: '' })
  }
  assert.equal(item('<author>A, B and C</author>').author, 'A, B and C')
})

test('what somebody is called on a social network, and a sign in the middle of a name, is no address of mail', () => {
  for (const name of ['@zork@gts.example', 'Name (@user@social.example)', 'Joe @joe@social.example', 'DJ M@tt Smith']) {
    assert.deepEqual(readPerson(name), { name, email: '' })
  }
  for (const name of ['C@t Lady', 'Rock@Night Crew']) assert.deepEqual(readPerson(name), { name, email: '' })
  assert.deepEqual(readPerson('Joe Blow/joe@x.example'), { name: 'Joe Blow', email: 'joe@x.example' })
  assert.deepEqual(readPerson('Joe <joe@box>'), { name: 'Joe', email: 'joe@box' })
  assert.deepEqual(readPerson('joe@box (Joe)'), { name: 'Joe', email: 'joe@box' })
  assert.deepEqual(readPerson('mailto:joe@box'), { name: '', email: 'joe@box' })
})

test('a bracket whose other end was cut is no part of a name', () => {
  const cut = [
    'a@x.example (A',
    'A <a@x.example',
    'A (a@x.example',
    'a@x.example A)',
    'A a@x.example>',
    'a@x.example (A) (B)',
  ]
  for (const written of [
    ...cut,
    'a@x.example ((A)',
    'a@x.example (A))',
    'a@x.example (A, b@x.example (B',
    'a@x.example (A) (',
  ]) {
    assert.deepEqual(readPerson(written), { name: 'A', email: 'a@x.example' })
  }
  for (const written of ['a@x.example (', '<a@x.example', 'a@x.example)', '(a@x.example, b@x.example']) {
    assert.deepEqual(readPerson(written), { name: '', email: 'a@x.example' })
  }
  assert.equal(item('<author>a@x.example (A</author>').author, 'A')
  assert.equal(item('<author>A &lt;a@x.example</author>').author, 'A')
})

test('a text of nothing but beginnings is read at the cost of its length', async () => {
  for (const piece of ['a@b,', '(', 'a@b(', 'A <', ')a@b', 'a@b ', '@', 'a', ' and a@b', '"', ', ', 'a@b (A) ']) {
    const written = `x@y ${piece.repeat(1000)}`
    await assertWithin(50, () => Array.from({ length: 100 }, () => readPerson(written)))
  }
})
