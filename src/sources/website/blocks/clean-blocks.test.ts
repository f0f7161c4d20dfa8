import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Block, BlockKind } from './block.ts'
import { cleanBlocks } from './clean-blocks.ts'

const PARAGRAPH =
  'A paragraph of running text, with a comma in it, which is long enough to be told from a label or a teaser.'
const block = (text: string, kind: BlockKind = 'text', linkShare = 0): Block => ({ text, kind, linkShare, gap: '\n\n' })
const between = (...blocks: Block[]): Block[] => [block(PARAGRAPH), ...blocks, block(PARAGRAPH), block(PARAGRAPH)]
const left = (blocks: Block[], titles: string[] = []): string[] =>
  cleanBlocks(blocks, titles)
    .map(({ text }) => text)
    .filter((text) => text !== PARAGRAPH)

describe('between paragraphs', () => {
  it('labels, pointers, appeals, credits and link lines are removed', () => {
    const lines = [
      [
        'Advertisement',
        'Share this article',
        'Share this on WhatsApp',
        'Read more',
        'Werbung',
        'Image 1 of 5',
        'Tags:',
        'Comments (12)',
      ],
      ['Related: The bridge that was never built', 'Lesen Sie auch: Die Brücke', 'Read more – The bridge'],
      [
        'Sign up for our newsletter',
        'Follow us on Twitter',
        'We use cookies to improve this site.',
        'By clicking accept you agree to our terms.',
      ],
      [
        'Photo: Jo Berg/Getty Images',
        '© 2024 The Courier. All rights reserved.',
        'The mill in spring (Photo: Jo Berg)',
      ],
      ['Le puede interesar: El puente', 'Puedes ver: El puente', 'Zobacz również: Most', 'Auch lesen: Die Brücke'],
      ['Weitere Informationen unter www.example.org.', 'Lesen Sie auch die folgenden Beiträge:', 'Teilen mit:'],
      ['Never miss the latest news by signing up to our newsletter!', 'Hazte miembro y disfruta de beneficios'],
      ['Der Beitrag Die Brücke erschien zuerst auf Der Kurier.', 'This post contains affiliate links.'],
    ].flat()
    for (const line of lines) assert.deepEqual(left(between(block(line))), [], line)
    assert.deepEqual(left(between(block('A story elsewhere', 'text', 1), block('Another one', 'item', 1))), [])
  })

  it('a linked heading before other links is removed, one over a text or before a plain heading stays', () => {
    const heading = block('The bridge that was never built', 'heading', 1)
    const link = block('A look at the plans', 'text', 1)
    assert.deepEqual(left(between(heading, heading, link)), [])
    const note = block('It was planned twice.')
    assert.deepEqual(left(between(heading, note)), [heading.text, note.text])
    assert.deepEqual(left(between(heading, block('Plans', 'heading'))), [heading.text, 'Plans'])
  })

  it('sentences that only start like boilerplate stay', () => {
    const lines = [
      [
        'By signing the treaty, the island gave up its fleet.',
        'You can reach them by boat from the old harbour.',
        'Der Artikel, den die Zeitung gestern veröffentlicht hat, löste Proteste aus.',
        'Siga o passo a passo abaixo para montar a ponte.',
        'Weitere Informationen fehlten den Ermittlern lange.',
        'Der Beitrag der Kommission war gering.',
        'More-affordable homes are planned.',
        'Want to get better at chess? Play.',
      ],
      [
        'Diese Website gehört der Stadt.',
        'Folgen Sie der Straße bis zum Fluss.',
        'Support our idea, he said.',
        'Read the sign.',
        'Share prices fell.',
      ],
      ['He photographed the mill for Reuters.', 'The copyright expired.'],
    ].flat()
    for (const line of lines) assert.deepEqual(left(between(block(line))), [line], line)
  })

  it('rows and lines of code always stay', () => {
    for (const text of ['42', 'share', '10:32', 'Comments']) {
      assert.deepEqual(left(between(block(text, 'row'))), [text])
      assert.deepEqual(left(between(block(text, 'code'))), [text])
    }
  })

  it('a list of links stays after a line that ends with a colon', () => {
    const links = [block('First tool', 'item', 1), block('Second tool', 'item', 1)]
    assert.deepEqual(left(between(block('I use these:'), ...links)), ['I use these:', 'First tool', 'Second tool'])
    assert.deepEqual(left(between(block('Related:'), ...links)), [])
  })

  it('a heading above a paragraph stays even if it looks like a label', () => {
    assert.deepEqual(left(between(block('Search', 'heading'))), ['Search'])
  })
})

describe('boxes and endings', () => {
  it('a box heading is removed with its teasers, up to the next paragraph', () => {
    const teasers = [
      block('You may also like', 'heading'),
      block('Snow in May', 'item', 1),
      block('A short teaser line'),
    ]
    assert.deepEqual(left(between(...teasers, block('Next chapter', 'heading'))), ['Next chapter'])
  })

  it('comments end the article, a chapter about comments does not', () => {
    const article = [block(PARAGRAPH), block(PARAGRAPH), block(PARAGRAPH)]
    const comments = [
      block('2 Comments', 'heading'),
      block('I liked this story a lot, it was just the thing I had been looking for all day.'),
    ]
    assert.deepEqual(left([...article, ...comments]), [])
    const chapter = [
      block('Comments', 'heading'),
      block('A comment begins with two slashes.'),
      block('Keywords', 'heading'),
      block(PARAGRAPH),
    ]
    assert.ok(left([...article, ...chapter]).includes('A comment begins with two slashes.'))
  })

  it('title, byline and date before the first paragraph are removed, a kicker stays', () => {
    const lead = [
      block('Old Mill to Become a Library', 'heading'),
      block('By Rosa Lindqvist'),
      block('March 5, 2024'),
      block('By Jo Berg - 11/18/19 11:04 PM EST'),
      block('An opinion'),
    ]
    assert.deepEqual(left([...lead, block(PARAGRAPH)], ['Old mill to become a library']), ['An opinion'])
  })

  it('the title before the first paragraph is removed without the name of the site, too', () => {
    for (const title of ['Old mill to become a library | The Courier', 'The Courier – Old mill to become a library'])
      assert.deepEqual(left([block('Old Mill to Become a Library'), block(PARAGRAPH)], [title]), [], title)
    assert.deepEqual(left([block('Mill and library'), block(PARAGRAPH)], ['Mill and library of the town - Courier']), [
      'Mill and library',
    ])
  })

  it('rows of links under the heading of a box are removed, other rows stay', () => {
    const row = block('The bridge that was never built', 'row', 1)
    assert.deepEqual(left([block(PARAGRAPH), block('Related stories', 'heading'), row, row]), [])
    const data = block('Adults 4 euros', 'row')
    assert.deepEqual(left([block(PARAGRAPH), block('Related stories', 'heading'), data, data]).length, 2)
    assert.deepEqual(left([block(PARAGRAPH), row, row]).length, 2)
  })

  it('trailing lines after the last paragraph are removed', () => {
    const tail = [
      block('More stories', 'heading'),
      block('Reporting by Jo Berg; editing by Al Moe'),
      block('Topics', 'text', 1),
      block('Contact', 'heading'),
    ]
    assert.deepEqual(left([block(PARAGRAPH), ...tail]), [])
  })

  it('a page that would lose most of its text keeps it', () => {
    const links = ['Release 1.2', 'Release 1.1', 'Release 1.0'].map((text) => block(text, 'item', 1))
    assert.equal(left(links).length, 3)
  })
})
