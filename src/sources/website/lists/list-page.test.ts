import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PARAGRAPHS } from '../../../../test/support/sample-pages.ts'
import { readPage } from '../read-page.ts'

const textOf = (body: string): string =>
  readPage(new TextEncoder().encode(`<title>Page</title><body>${body}</body>`), {
    url: 'https://example.org/a',
    contentType: 'text/html',
  }).text
const JOBS = ['Backend engineer', 'Office manager', 'Data analyst', 'Stage designer', 'Harbour pilot']
const [first = '', second = '', third = ''] = PARAGRAPHS

it('linked titles of a list are kept as entries', () => {
  const card = (job: string): string =>
    `<div class="job"><a href="/${job}">${job}</a><div>Room ${job.length}</div><div>Full-time, from spring</div></div>`
  const text = textOf(`<main><h1>Open positions</h1><div class="jobs">${JOBS.map(card).join('')}</div></main>`)
  for (const job of JOBS) assert.ok(text.includes(job), job)
})

it('cards that are one link keep their text as well as their title', () => {
  const card = (job: string, index: number): string =>
    `<a class="job" href="/${job}"><h3>${job}</h3><div>Room ${index} of the north wing</div></a>`
  const text = textOf(`<main><h1>Open positions</h1><div class="jobs">${JOBS.map(card).join('')}</div></main>`)
  for (const index of JOBS.keys()) assert.ok(text.includes(`Room ${index} of the north wing`), String(index))
})

it('headlines without text stay on a page of headlines', () => {
  const teaser = (title: string, index: number): string =>
    `<article><h3><a href="/${index}">${title}</a></h3>${index === 0 ? `<p>${second}</p>` : ''}</article>`
  const section = (name: string): string =>
    `<section><h2>${name}</h2>${JOBS.map((job, index) => teaser(`${job} in ${name}`, index)).join('')}</section>`
  const text = textOf(`<main>${['Politics', 'Sport', 'Culture'].map(section).join('')}</main>`)
  for (const job of JOBS) assert.ok(text.includes(`${job} in Culture`), job)
})

it('links after a short article are not part of it', () => {
  const links = (titles: readonly string[]): string =>
    titles.map((title) => `<p><a href="/x">${title} for the new office by the sea</a></p>`).join('')
  const page = (titles: readonly string[]): string =>
    textOf(`<article><h1>Page</h1><p>${first}</p><p>${second}</p>${links(titles)}</article>`)
  assert.equal(page(JOBS), page(JOBS.toReversed()))
})

it('short notes stay next to long ones', () => {
  const notes = [`${first} ${second}`, 'The ferry is late.', `${third} ${second}`, 'It has come.', `${first} ${third}`]
  const note = (text: string): string =>
    `<div class="wrap"><div class="note"><div class="bubble"><a href="/c">Channel</a><div class="text">${text}</div><div class="foot"><a href="/c/1">10:05</a></div></div></div></div>`
  const text = textOf(`<main><section>${notes.map(note).join('')}</section></main>`)
  for (const one of notes) assert.ok(text.includes(one), one)
})

it('an entry without a description stays among those that have one', () => {
  const event = (name: string, index: number): string =>
    `<div class="event"><h3><a href="/${index}">${name}</a></h3><div>Hall ${index}</div>${index % 2 ? `<p>${PARAGRAPHS[index]} ${first}</p>` : ''}</div>`
  const text = textOf(`<main><h1>Events</h1><div class="list">${JOBS.map(event).join('')}</div></main>`)
  for (const [index, name] of JOBS.entries()) assert.ok(text.includes(name) && text.includes(`Hall ${index}`), name)
})

it('the heading of a collapsible chapter is a heading', () => {
  const chapter = (title: string, index: number): string =>
    `<div class="item"><h2><button aria-expanded="false">${title}</button></h2><div><p>${PARAGRAPHS[index % 3]}</p></div></div>`
  const text = textOf(
    `<main><h1>Questions</h1>${JOBS.map((job) => `What does a ${job} do?`)
      .map(chapter)
      .join('')}</main>`,
  )
  for (const job of JOBS) assert.ok(text.includes(`What does a ${job} do?`), job)
})

it('a box around a few lines of code does not hide the text around it', () => {
  const before =
    'The widget comes as a package. It needs nothing but a runtime that is not too old and a little room on the disk. Older machines run it too but some of its parts will be slower there than one would like.'
  const after =
    'Start it once and answer the questions. Everything that you say is kept in one file and can be changed there at any time. Nobody else reads that file and nothing of it leaves the machine on which it lies.'
  const code =
    '<div class="code"><div class="codeContent"><pre><code>npm install widget --save-dev</code></pre><div><button>Copy</button></div></div></div>'
  const text = textOf(
    `<main><article><div class="markdown"><h1>Page</h1><p>${before}</p><ul><li>Version 18 or above</li></ul>${code}<p>${after}</p></div></article></main>`,
  )
  for (const line of [before, 'Version 18 or above', 'npm install widget --save-dev', after])
    assert.ok(text.includes(line), line)
})

it('only the article with the page’s heading is read, without the articles next to it', () => {
  const tile = (job: string): string =>
    `<div class="tile"><a href="/${job}"><h4>${job}</h4></a><p>A story about a ${job} that is not this one, told in a line, more or less, by somebody.</p></div>`
  const plain =
    'The pool is closed for repairs. Nobody knows how long they will take. The town looks for another place to swim in.'
  const page = (jobs: readonly string[]): string =>
    textOf(
      `<main><article><h1>Page</h1>${`<p>${plain}</p>`.repeat(6)}</article><section class="tiles">${jobs.map(tile).join('')}</section></main>`,
    )
  assert.equal(page(JOBS), page(JOBS.toReversed()))
})

it('the last entry of a list keeps a line that the other entries have too', () => {
  const hearing = (name: string, index: number): string =>
    `<div class="hearing"><h3>Case of the ${name}</h3><p>The parties are heard in person, and the public is admitted.</p><p>Room ${index + 4}</p></div>`
  const text = textOf(`<main><h1>Hearings</h1>${JOBS.map(hearing).join('')}</main>`)
  assert.ok(text.endsWith('Room 8'), text.slice(-60))
})
