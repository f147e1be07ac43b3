import { CSV } from '../world'

/** Makes a text of at most `length` characters that may cost more than linear time. */
export type Shape = (length: number) => string
export type Shapes = Readonly<Record<string, Shape>>

/** A prefix, and as many repetitions as fit. */
const repeated =
  (piece: string, before = '', after = ''): Shape =>
  (length) =>
    before + piece.repeat(Math.max(0, Math.floor((length - before.length - after.length) / piece.length))) + after

/** A prefix, and as many different pieces as fit. */
const counted =
  (piece: (n: string) => string, before = ''): Shape =>
  (length) => {
    const pieces = [before]
    for (let n = 0, rest = length - before.length; ; n++) {
      const next = piece(n.toString(36))
      rest -= next.length
      if (rest < 0) return pieces.join('')
      pieces.push(next)
    }
  }

const halves =
  (one: string, other: string): Shape =>
  (length) =>
    repeated(one)(length / 2) + repeated(other)(length / 2)

const MARKS = '\u0301\u0323'

export const TEXTS: Shapes = {
  words: repeated('word '),
  'one word': repeated('a'),
  digits: repeated('1'),
  spaces: repeated(' '),
  'spaces in words': repeated(' ', 'a', 'a'),
  'line feeds': repeated('\n', 'a', 'a'),
  'brackets, open': repeated('['),
  'brackets, closed': halves('[', ']'),
  braces: halves('{"a":', '}'),
  quotes: repeated('"'),
  'quoted quotes': repeated('\\"'),
  escapes: repeated('\\'),
  commas: repeated(','),
  dashes: repeated('-', 'a', 'a'),
  dots: repeated('.'),
  'at signs': repeated('a@'),
  address: repeated('a.', 'a@', 'com'),
  link: repeated('a/', 'https://x.test/'),
  percents: repeated('%25'),
  'combining marks': repeated(MARKS, 'a'),
  'marks of one kind': repeated('\u0301', 'a'),
  Hangul: repeated('\u1112\u1161\u11ab'),
  'what grows when it is taken apart': repeated('\ufdfa'),
  'astral letters': repeated('\u{1f469}\u200d'),
  ampersands: repeated('&'),
  'less than': repeated('<'),
  'JSON texts': counted((n) => `"${n}",`, '["z",'),
  'a JSON list of texts': (length) => `${counted((n) => `"${n}",`, '[')(length - 4)}"z"]`,
  'a JSON list of one text': repeated(MARKS, '["a', '"]'),
  'a JSON list of numbers': repeated('1,', '[', '1]'),
  'a JSON list of escapes': repeated('\\u0301\\u0323', '["a', '"]'),
}

const cell = '<a href=x><table><tr><td>'

export const MARKUP: Shapes = {
  'paragraphs in links in cells': repeated('<p>', cell.repeat(200)),
  'paragraphs in some links in cells': repeated('<p>x', cell.repeat(24)),
  'links in cells': repeated(cell),
  'unknown elements around': repeated('<br>x', '<x>'.repeat(120)),
  'items in no list around': repeated('<br>x', '<td><div>'.repeat(60)),
  'blocks around': repeated('<p>x</p>', '<div>'.repeat(120)),
  'links around, in preformatted text': repeated('<b> </b>', `<pre>${cell.repeat(24)}`),
  'lists around': repeated('<li>x', '<ul>'.repeat(120)),
  'a deep beginning': halves('<div>', '<p>x'),
  'misnested emphasis': repeated('<b><p></b>'),
  'misnested links': repeated('<a><i>'),
  'different fonts': counted((n) => `<font color=${n}>`),
  'different fonts in blocks': counted((n) => `<div><font color=${n}></div>`),
  'closed emphasis under many': repeated('<i>x</i>', Array.from({ length: 120 }, (_, n) => `<b id=${n}>`).join('')),
  'what closes nothing': repeated('</b>', '<div>'.repeat(120)),
  'closed paragraphs': repeated('</p>'),
  'fostered text': repeated('x<b></b>', '<table>'),
  'fostered blocks': repeated('<p>', '<table>'),
  rows: repeated('<tr><td>x</td></tr>', '<table>'),
  'tables in tables': repeated('<table>'),
  'many attributes': counted((n) => ` a${n}`, '<p'),
  'attributes of the page': counted((n) => `<html a${n}>`),
  'many classes': counted((n) => ` ${n}`, '<p class="'),
  'many headers': counted((n) => ` ${n}`, '<table><td headers="'),
  'a style': repeated('expression ', '<p style="', '">x'),
  'a style of spaces': repeated('\t', '<p style="display', '">x'),
  'a long address': repeated('a', '<a href="https://x.test/', '">x</a>'),
  'a long address around links': repeated(
    '<b>x</b>',
    `<a href="${'x'.repeat(5_000)}"><table><tr><td><a href="${'x'.repeat(5_000)}">`,
  ),
  'links that say their addresses': repeated('<a href=https://x>https://x</a>'),
  'descriptions of pictures': repeated('<img alt=" a ">'),
  'one long description': repeated(' a', '<img alt="', '">'),
  comments: repeated('<!---->'),
  'a comment that nobody closes': repeated('--!', '<!--'),
  'wrong comments': repeated('<!'),
  entities: repeated('&amp;'),
  'half an entity': repeated('&notit'),
  'a long entity': repeated('0', '&#'),
  instructions: repeated('<?'),
  'ends of nothing': repeated('</'),
  scripts: repeated('<script', '<script><!--'),
  'ends of a title': repeated('</titl', '<title>'),
  'lines of preformatted text': repeated('\n ', '<pre>x'),
  'empty lines of preformatted text': repeated('<b>\n</b>', '<pre>x'),
  'spaces in emphasis': repeated('<b> </b>'),
  'line breaks': repeated('<br> '),
  'spaces between cells': repeated('<td> ', '<table><tr>'),
  drawings: repeated('<svg>'),
  templates: repeated('<template>'),
  choices: repeated('<select><option>'),
  'ordinary markup': repeated('<p>Pay <b class="x">fast</b> &amp; <a href="https://x.test">well</a>.</p>'),
  'simple markup': repeated('<p>Pay <b>fast</b>.</p>'),
}

export const elementShapes = (tag: string): Shapes => ({
  [`<${tag}>`]: repeated(`<${tag}>`),
  [`closed <${tag}>`]: repeated(`<${tag}>x</${tag}>`),
  [`<${tag}> in a table`]: repeated(`<${tag}>`, '<table>'),
  [`<${tag}> in cells`]: repeated(`<${tag}>`, cell.repeat(24)),
})

/** Contents for files: records, tables, archives, pictures, and invalid content. */
export const FILES: Shapes = {
  ...Object.fromEntries(Object.entries(TEXTS).map(([name, shape]) => [`${name} as a table`, headed(shape)])),
  'JSON records': repeated('{"value":1,"createdAt":"2026-01-01"},', '[', '{"value":2}]'),
  'JSON records of many members': counted((n) => `"a${n}":1,`, '[{'),
  'JSON numbers': repeated('1,', '[', '1]'),
  'JSON that nobody closes': repeated('[1,'),
  'JSON of spaces': repeated(' ', '[1', ',2]'),
  rows: repeated('1,2026-01-01\n', CSV),
  'rows of several dates': counted((n) => `1,2026-01-0${1 + (n.length % 9)}\n`, CSV),
  'empty rows': repeated('\n', CSV),
  'rows of another end': repeated('1\r', CSV),
  'quoted fields': repeated('"1","2026-01-01"\n', CSV),
  'quoted values alone': repeated('"1"\n', 'value\n'),
  'fields that go on behind their quotes': repeated('"1" x', CSV),
  'a quote that nobody closes': repeated('1,x\n', `${CSV}"`),
  'wrong values': repeated('abc,def\n', CSV),
  'many columns': repeated('value,', '', '\n1'),
  tabs: repeated('1\t', 'value\tdate\n'),
  'entries of an archive': repeated(`PK\u0003\u0004${'\0'.repeat(26)}`),
  'directory of an archive': repeated('PK\u0001\u0002'),
  'tags of a sound': repeated('ID3\u0003\0\0\0\0\0\n'),
  'pages of a sound': repeated('OggS\0'),
  'chunks of a picture': repeated('\0\0\0\0aaaa\0\0\0\0', '\u0089PNG\r\n\u001a\n\0\0\0\rIHDR'),
  'boxes of a film': repeated('\0\0\0\bfree', '\0\0\0\bftyp'),
  'elements of a film': repeated('\u0000', '\u001aE'),
  'text of a document': repeated('<x>', '<?xml version="1.0"?>'),
  'parts of a form': repeated('\r\n--'),
}

function headed(shape: Shape): Shape {
  return (length) => CSV + shape(length - CSV.length)
}
