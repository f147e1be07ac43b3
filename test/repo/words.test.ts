import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

/** Words that begin a riddle. A sentence begins with a noun or a verb. */
const OPENINGS = [
  ...['Alone', 'Also', 'As', 'Nobody', 'None', 'Of', 'One that', 'That', 'The same', 'Those', 'What', 'Whatever'],
  ...['Where', 'Which', 'Whichever', 'Who', 'Whoever', 'Whom', 'Whose'],
]
/** Phrases of the compressed English that readers could not paraphrase. */
const PHRASES = [
  ...['nobody one', 'no such one', 'of which', 'of whichever', 'of those', 'those of', 'those that', 'those which'],
  ...['whichever', 'whoever', 'whom', 'is told', 'are told', 'hang on', 'hangs on', 'stands for itself'],
]
/** Example data of the documentation and the demo. */
const EXAMPLES = [
  ...['What we show to everyone.', 'What we ship in May', 'What is in the way of work.', 'Who was asked'],
  ...['As a buyer I pay by card', 'As a guest I pay with a saved card', 'As a guest I see why a card was declined'],
  'As a planner I move a card with the arrow keys',
]

/** Words that refer to another word. */
const REFERENCES =
  /\b(what|which|whom|whose|that|those|these|it|its|they|them|their|one|ones|other|others|such|who|where|whoever|whatever|there|then|so)\b/gi
/** A module-level name that is a bare participle. */
const PARTICIPLES =
  /^(?:export )?const (created|inserted|modified|given|named|shown|made|told|standing|present|own|removed|restored|placed|released|ended|planned|noted|judged|answered|replied|linked|kept|taken|begun|known|left|found|becoming|falling|walking|sealed|listed|chosen|bound|stored)\b/gm
const TELLING = /\b(tells|told|retells|retold|untold|telling|unnames)\b/gi

const OPENING = new RegExp(`^(?:${OPENINGS.join('|')})\\b`)
const PHRASE = new RegExp(`\\b(?:${PHRASES.join('|')})\\b`, 'i')
const COMMENT = /^[ \t]*\/\*[\s\S]*?\*\/|^[ \t]*\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/gm
const TEXT = /(?<!sql(?:<[^>]*>)?)(['"`])([A-Z][a-z]*(?:[ ,:;'’-](?:(?!\1)[^\\\n]|\\.)*)?)\1/g

const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const sources = (folder: string) =>
  globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }).filter((file) => !file.includes('node_modules'))
const words = (text: string) => text.split(/\s+/).filter(Boolean).length

const commentsOf = (file: string) =>
  Array.from(read(file).matchAll(COMMENT), ([text]) =>
    text
      .replace(/^\s*(?:\/\*+|\*+\/?|\/\/)\s?/gm, '')
      .replace(/\s+/g, ' ')
      .trim(),
  )

/** Share of the words that refer to other words, in percent. */
function shareOfReferences(comments: readonly string[]): number {
  const long = comments.filter((text) => words(text) >= 8)
  const count = (size: (text: string) => number) => long.reduce((sum, text) => sum + size(text), 0)
  return (100 * count((text) => text.match(REFERENCES)?.length ?? 0)) / count(words)
}

test.each([
  ['src and scripts', ['src', 'scripts']],
  ['test', ['test']],
])('Comments of %s are plain sentences', (_, folders) => {
  const comments = folders.flatMap(sources).flatMap(commentsOf)
  expect(comments.length).toBeGreaterThan(300)
  expect(shareOfReferences(comments), 'Write nouns instead of it, this, those and what.').toBeLessThanOrEqual(6)
  const riddles = comments.filter((text) => OPENING.test(text))
  expect(
    riddles.length / comments.length,
    `Begin these comments with a noun or a verb:\n${riddles.join('\n')}`,
  ).toBeLessThanOrEqual(0.02)
})

test('Module-level names say kind and content', () => {
  const names = sources('src').flatMap((file) =>
    Array.from(read(file).matchAll(PARTICIPLES), ([name]) => `${file}: ${name}`),
  )
  expect(names.length, `Name the kind and the content:\n${names.join('\n')}`).toBeLessThanOrEqual(10)
  const telling = sources('src').flatMap((file) =>
    Array.from(read(file).matchAll(TELLING), ([word]) => `${file}: ${word}`),
  )
  expect(telling, 'Write emit or event.').toEqual([])
})

test('The README fits on two screens', () => {
  expect(words(read('README.md')), 'Move details to a page in docs.').toBeLessThanOrEqual(1200)
})

test('Texts for users begin with a noun or a verb, and hold no riddle', () => {
  const texts = ['src', 'scripts']
    .flatMap(sources)
    .flatMap((file) =>
      Array.from(read(file).replace(COMMENT, '').matchAll(TEXT), ([, , text = '']) => ({ file, text })),
    )
  const sentences = texts.filter(({ text }) => words(text) >= 3 && !EXAMPLES.includes(text))
  expect(sentences.length).toBeGreaterThan(1000)
  const riddles = sentences.filter(({ text }) => OPENING.test(text) || PHRASE.test(text))
  expect(
    riddles.map(({ file, text }) => `${file}: ${text}`),
    'Begin the text with a noun or a verb.',
  ).toEqual([])
})
