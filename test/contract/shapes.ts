import { KPI_RECORDS_CSV } from '../world'

/** Makes a text of at most `length` characters that may cost more than linear time. */
export type Shape = (length: number) => string
export type Shapes = Readonly<Record<string, Shape>>

/** A prefix, and as many repetitions as fit. */
const repeatPiece =
  (piece: string, before = '', after = ''): Shape =>
  (length) =>
    before + piece.repeat(Math.max(0, Math.floor((length - before.length - after.length) / piece.length))) + after

/** A prefix, and as many different pieces as fit. */
const numberPieces =
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

const joinHalves =
  (one: string, other: string): Shape =>
  (length) =>
    repeatPiece(one)(length / 2) + repeatPiece(other)(length / 2)

const MARKS = '\u0301\u0323'

export const TEXTS: Shapes = {
  words: repeatPiece('word '),
  'one word': repeatPiece('a'),
  digits: repeatPiece('1'),
  spaces: repeatPiece(' '),
  'spaces in words': repeatPiece(' ', 'a', 'a'),
  'line feeds': repeatPiece('\n', 'a', 'a'),
  'brackets, open': repeatPiece('['),
  'brackets, closed': joinHalves('[', ']'),
  braces: joinHalves('{"a":', '}'),
  quotes: repeatPiece('"'),
  'quoted quotes': repeatPiece('\\"'),
  escapes: repeatPiece('\\'),
  commas: repeatPiece(','),
  dashes: repeatPiece('-', 'a', 'a'),
  dots: repeatPiece('.'),
  'at signs': repeatPiece('a@'),
  address: repeatPiece('a.', 'a@', 'com'),
  link: repeatPiece('a/', 'https://x.test/'),
  percents: repeatPiece('%25'),
  'combining marks': repeatPiece(MARKS, 'a'),
  'marks of one kind': repeatPiece('\u0301', 'a'),
  Hangul: repeatPiece('\u1112\u1161\u11ab'),
  'what grows when it is taken apart': repeatPiece('\ufdfa'),
  'astral letters': repeatPiece('\u{1f469}\u200d'),
  ampersands: repeatPiece('&'),
  'less than': repeatPiece('<'),
  'JSON texts': numberPieces((n) => `"${n}",`, '["z",'),
  'a JSON list of texts': (length) => `${numberPieces((n) => `"${n}",`, '[')(length - 4)}"z"]`,
  'a JSON list of one text': repeatPiece(MARKS, '["a', '"]'),
  'a JSON list of numbers': repeatPiece('1,', '[', '1]'),
  'a JSON list of escapes': repeatPiece('\\u0301\\u0323', '["a', '"]'),
}

const CELL = '<a href=x><table><tr><td>'

export const MARKUP: Shapes = {
  'paragraphs in links in cells': repeatPiece('<p>', CELL.repeat(200)),
  'paragraphs in some links in cells': repeatPiece('<p>x', CELL.repeat(24)),
  'links in cells': repeatPiece(CELL),
  'unknown elements around': repeatPiece('<br>x', '<x>'.repeat(120)),
  'items in no list around': repeatPiece('<br>x', '<td><div>'.repeat(60)),
  'blocks around': repeatPiece('<p>x</p>', '<div>'.repeat(120)),
  'links around, in preformatted text': repeatPiece('<b> </b>', `<pre>${CELL.repeat(24)}`),
  'lists around': repeatPiece('<li>x', '<ul>'.repeat(120)),
  'a deep beginning': joinHalves('<div>', '<p>x'),
  'misnested emphasis': repeatPiece('<b><p></b>'),
  'misnested links': repeatPiece('<a><i>'),
  'different fonts': numberPieces((n) => `<font color=${n}>`),
  'different fonts in blocks': numberPieces((n) => `<div><font color=${n}></div>`),
  'closed emphasis under many': repeatPiece('<i>x</i>', Array.from({ length: 120 }, (_, n) => `<b id=${n}>`).join('')),
  'what closes nothing': repeatPiece('</b>', '<div>'.repeat(120)),
  'closed paragraphs': repeatPiece('</p>'),
  'fostered text': repeatPiece('x<b></b>', '<table>'),
  'fostered blocks': repeatPiece('<p>', '<table>'),
  rows: repeatPiece('<tr><td>x</td></tr>', '<table>'),
  'tables in tables': repeatPiece('<table>'),
  'many attributes': numberPieces((n) => ` a${n}`, '<p'),
  'attributes of the page': numberPieces((n) => `<html a${n}>`),
  'many classes': numberPieces((n) => ` ${n}`, '<p class="'),
  'many headers': numberPieces((n) => ` ${n}`, '<table><td headers="'),
  'a style': repeatPiece('expression ', '<p style="', '">x'),
  'a style of spaces': repeatPiece('\t', '<p style="display', '">x'),
  'a long address': repeatPiece('a', '<a href="https://x.test/', '">x</a>'),
  'a long address around links': repeatPiece(
    '<b>x</b>',
    `<a href="${'x'.repeat(5_000)}"><table><tr><td><a href="${'x'.repeat(5_000)}">`,
  ),
  'links that say their addresses': repeatPiece('<a href=https://x>https://x</a>'),
  'descriptions of pictures': repeatPiece('<img alt=" a ">'),
  'one long description': repeatPiece(' a', '<img alt="', '">'),
  comments: repeatPiece('<!---->'),
  'a comment that nobody closes': repeatPiece('--!', '<!--'),
  'wrong comments': repeatPiece('<!'),
  entities: repeatPiece('&amp;'),
  'half an entity': repeatPiece('&notit'),
  'a long entity': repeatPiece('0', '&#'),
  instructions: repeatPiece('<?'),
  'ends of nothing': repeatPiece('</'),
  scripts: repeatPiece('<script', '<script><!--'),
  'ends of a title': repeatPiece('</titl', '<title>'),
  'lines of preformatted text': repeatPiece('\n ', '<pre>x'),
  'empty lines of preformatted text': repeatPiece('<b>\n</b>', '<pre>x'),
  'spaces in emphasis': repeatPiece('<b> </b>'),
  'line breaks': repeatPiece('<br> '),
  'spaces between cells': repeatPiece('<td> ', '<table><tr>'),
  drawings: repeatPiece('<svg>'),
  templates: repeatPiece('<template>'),
  choices: repeatPiece('<select><option>'),
  'ordinary markup': repeatPiece('<p>Pay <b class="x">fast</b> &amp; <a href="https://x.test">well</a>.</p>'),
  'simple markup': repeatPiece('<p>Pay <b>fast</b>.</p>'),
}

export const elementShapes = (tag: string): Shapes => ({
  [`<${tag}>`]: repeatPiece(`<${tag}>`),
  [`closed <${tag}>`]: repeatPiece(`<${tag}>x</${tag}>`),
  [`<${tag}> in a table`]: repeatPiece(`<${tag}>`, '<table>'),
  [`<${tag}> in cells`]: repeatPiece(`<${tag}>`, CELL.repeat(24)),
})

/** Contents for files: records, tables, archives, pictures, and invalid content. */
export const FILES: Shapes = {
  ...Object.fromEntries(Object.entries(TEXTS).map(([name, shape]) => [`${name} as a table`, prependCsvHeader(shape)])),
  'JSON records': repeatPiece('{"value":1,"createdAt":"2026-01-01"},', '[', '{"value":2}]'),
  'JSON records of many members': numberPieces((n) => `"a${n}":1,`, '[{'),
  'JSON numbers': repeatPiece('1,', '[', '1]'),
  'JSON that nobody closes': repeatPiece('[1,'),
  'JSON of spaces': repeatPiece(' ', '[1', ',2]'),
  rows: repeatPiece('1,2026-01-01\n', KPI_RECORDS_CSV),
  'rows of several dates': numberPieces((n) => `1,2026-01-0${1 + (n.length % 9)}\n`, KPI_RECORDS_CSV),
  'empty rows': repeatPiece('\n', KPI_RECORDS_CSV),
  'rows of another end': repeatPiece('1\r', KPI_RECORDS_CSV),
  'quoted fields': repeatPiece('"1","2026-01-01"\n', KPI_RECORDS_CSV),
  'quoted values alone': repeatPiece('"1"\n', 'value\n'),
  'fields that go on behind their quotes': repeatPiece('"1" x', KPI_RECORDS_CSV),
  'a quote that nobody closes': repeatPiece('1,x\n', `${KPI_RECORDS_CSV}"`),
  'wrong values': repeatPiece('abc,def\n', KPI_RECORDS_CSV),
  'many columns': repeatPiece('value,', '', '\n1'),
  tabs: repeatPiece('1\t', 'value\tdate\n'),
  'entries of an archive': repeatPiece(`PK\u0003\u0004${'\0'.repeat(26)}`),
  'directory of an archive': repeatPiece('PK\u0001\u0002'),
  'tags of a sound': repeatPiece('ID3\u0003\0\0\0\0\0\n'),
  'pages of a sound': repeatPiece('OggS\0'),
  'chunks of a picture': repeatPiece('\0\0\0\0aaaa\0\0\0\0', '\u0089PNG\r\n\u001a\n\0\0\0\rIHDR'),
  'boxes of a film': repeatPiece('\0\0\0\bfree', '\0\0\0\bftyp'),
  'elements of a film': repeatPiece('\u0000', '\u001aE'),
  'text of a document': repeatPiece('<x>', '<?xml version="1.0"?>'),
  'parts of a form': repeatPiece('\r\n--'),
}

function prependCsvHeader(shape: Shape): Shape {
  return (length) => KPI_RECORDS_CSV + shape(length - KPI_RECORDS_CSV.length)
}
