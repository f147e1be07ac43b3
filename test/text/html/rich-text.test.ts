import { describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/text/errors'
import { sanitizeMailBody, sanitizeRichText } from '../../../src/text/html/rich-text'
import { sanitizeHtml } from '../../../src/text/html/sanitizer'

describe('sanitized HTML', () => {
  test.each([
    ['text without markup stays', 'a plain "text"', 'a plain "text"'],
    ['harmless markup stays', '<p>Hi <b>you</b></p>', '<p>Hi <b>you</b></p>'],
    ['a script is removed with its code', 'a<script>alert(1)</script>b', 'ab'],
    [
      'an event handler is removed',
      '<img src="https://x.test/a.png" onerror="alert(1)">',
      '<img src="https://x.test/a.png">',
    ],
    ['a javascript: link loses its target', '<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
    ['a javascript: link with entities loses its target', '<a href="jav&#x0A;ascript:alert(1)">x</a>', '<a>x</a>'],
    ['data: images lose their source', '<img src="data:text/html,x">', '<img>'],
    [
      'frames and forms are removed',
      '<iframe src="https://x.test">f</iframe><form action="/x"><button>b</button></form>',
      'b',
    ],
    ['a style sheet is not text', '<style>p { color: red }</style><p>x</p>', '<p>x</p>'],
    ['SVG is removed with its content', '<svg><script>alert(1)</script><text>t</text></svg>x', 'x'],
    ['a mutation through math is empty', '<math><mtext><table><mglyph><style><img src onerror=alert(1)>', ''],
    ['comments are removed', 'a<!-- <b>x</b> -->b', 'ab'],
    [
      'a page keeps its body',
      '<!doctype html><html><head><title>t</title></head><body><p>x</p></body></html>',
      '<p>x</p>',
    ],
    [
      'ids and their links get a prefix',
      '<h2 id="top">T</h2><a href="#top">up</a>',
      '<h2 id="user-top">T</h2><a href="#user-top">up</a>',
    ],
    ['inline styles are removed', '<p style="color:red">x</p>', '<p>x</p>'],
  ])('%s', async (_, html, clean) => {
    expect(await sanitizeRichText(html, '/html')).toBe(clean)
  })

  test('sanitizing a second time changes nothing', async () => {
    const html =
      '<h2 id="a" name="b">T</h2><a href="#a">x &amp; y</a><ul><li><input type="checkbox" checked>z</ul><p>&lt;b&gt;'
    const once = await sanitizeRichText(html, '/html')
    expect(await sanitizeRichText(once, '/html')).toBe(once)
  })

  test('text with signs that start no tag is stored as the parser writes it', async () => {
    const signs = ['<', '>', '&', '<', '&', '<a', '</', '<!', '<?', '< ', '<1', '&a', '&A', '&#', '&#3', '&amp', '&lt;']
    const others = [
      ' ',
      '\n',
      '\r',
      '\t',
      '\f',
      '\v',
      ';',
      '#',
      '/',
      '!',
      '?',
      '=',
      '"',
      "'",
      '-',
      'a',
      'Z',
      '7',
      'é',
      'ſ',
    ]
    const rare = [
      '\u00a0',
      '\u0085',
      '\u2028',
      '\ufeff',
      '\ufffd',
      '\uffff',
      '\x01',
      '\x7f',
      'K',
      'ı',
      '＜',
      '😀',
      '文',
    ]
    const parts = [...signs, ...others, ...rare]
    let seed = 5
    const pick = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return parts[Math.floor((seed / 2_147_483_648) * parts.length)]
    }
    const texts = Array.from({ length: 3_000 }, (_, round) => Array.from({ length: 1 + (round % 9) }, pick).join(''))
    const pairs = parts.flatMap((one) => parts.map((other) => one + other))
    for (const text of [...pairs, ...texts, 'a < b && c > d', '-> <- <> <=> & ', 'x <3 y & 5<6']) {
      const parsed = /[<>&]/.test(text) ? sanitizeHtml(text, '/html') : text
      expect([text, await sanitizeRichText(text, '/html')]).toEqual([text, parsed])
    }
  })

  test.each([
    ['opens 100,000 tags', '<div>'.repeat(100_000), 'close each tag in its paragraph'],
    ['nests 10,000 deep', '<div>'.repeat(10_000), 'nests too deep. Send flatter HTML.'],
    ['nests 129 deep', '<div>'.repeat(129), 'nests too deep. Send flatter HTML.'],
    [
      'reopens a thousand tags in a thousand paragraphs',
      `<p>${Array.from({ length: 1000 }, (_, n) => `<font color=${n}>`).join('')}${'<p>x'.repeat(1000)}`,
      'close each tag in its paragraph',
    ],
    [
      'reopens one long link in a thousand paragraphs',
      `<p><b title="${'a'.repeat(130_000)}">x${'<p>x'.repeat(1000)}`,
      'close each tag in its paragraph',
    ],
    [
      'reopens a long tag in four paragraphs',
      `<p><b title="${'a'.repeat(130_000)}">x${'<p>x'.repeat(4)}`,
      'longer than 512 KiB. Shorten the HTML.',
    ],
    ['becomes entities', '&'.repeat(100_000), 'longer than 512 KiB. Shorten the HTML.'],
    ['is long in UTF-8', '文'.repeat(175_000), 'longer than 512 KiB. Shorten the HTML.'],
  ])('markup that %s is refused with the field and the remedy', async (_, html, remedy) => {
    for (const failed of await Promise.allSettled([
      sanitizeRichText(html, '/description'),
      sanitizeMailBody(html, '/description'),
    ])) {
      const cause: unknown = failed.status === 'rejected' ? failed.reason : failed.value
      expect(cause).toBeInstanceOf(ApiError)
      expect(cause).toMatchObject({ status: 400, issues: [{ path: '/description' }] })
      expect((cause as ApiError).message).toContain(remedy)
    }
  })

  test('markup with 128 levels is stored', async () => {
    const html = `${'<div>'.repeat(128)}x${'</div>'.repeat(128)}`
    expect(await sanitizeRichText(html, '/html')).toBe(html)
  })

  test('a forbidden element is replaced by its content anywhere', async () => {
    const html =
      '<x><li>a</li><x><tr><td>b</td></tr><x><table><x>c</x><tr><td><x>d<svg><text>e</text></svg></td></tr></table>'
    expect(await sanitizeRichText(html, '/html')).toBe('<li>a</li>bc<table><tbody><tr><td>d</td></tr></tbody></table>')
  })

  test('the longest text is stored, in ASCII and in characters of three bytes', async () => {
    for (const html of ['a'.repeat(262_144), `<p>${'a'.repeat(262_137)}</p>`, '文'.repeat(174_762)]) {
      expect(await sanitizeRichText(html, '/html')).toBe(html)
    }
    const title = `<p><b title="${'a'.repeat(100_000)}">x</b></p>`
    expect(await sanitizeRichText(title, '/html')).toBe(title)
  })
})

describe('the body of a mail', () => {
  test.each([
    [
      'links are spelled out',
      '<p>See <a href="https://x.test/a?b=1&amp;c=2">this</a></p>',
      'See this (https://x.test/a?b=1&c=2)',
    ],
    [
      'a link whose text is its address shows it once',
      '<a href="https://x.test/">https://x.test/</a>',
      'https://x.test/',
    ],
    [
      'paragraphs have an empty line between them',
      '<h1>Hi</h1><p>one<br>two</p><p>three</p>',
      'Hi\n\none\ntwo\n\nthree',
    ],
    ['an image becomes its description', '<img src="https://x.test/a.png" alt="Our plan">', 'Our plan'],
    ['entities become characters', '<p>a &lt; b &amp;&nbsp;c</p>', 'a < b &\u00a0c'],
    ['a style sheet is not text', '<style>p{}</style><p>x</p>', 'x'],
  ])('its text form: %s', async (_, html, text) => {
    expect((await sanitizeMailBody(html, '/html')).text).toBe(text)
  })

  test('the HTML form keeps the layout and loses scripts', async () => {
    const { html } = await sanitizeMailBody(
      '<table cellpadding="4" bgcolor="#fff" role="presentation"><tr><td style="color:red" width="20" onclick="x()">a</td>' +
        '<td style="width: expression(alert(1))">b</td><td style="background:u\\72l(javascript:x)">c</td></tr></table>' +
        '<a href="tel:+49123">call</a><a href="mailto:a@x.test">write</a><a href="vbscript:x">no</a>',
      '/html',
    )
    expect(html).toBe(
      '<table cellpadding="4" bgcolor="#fff" role="presentation"><tbody><tr><td style="color:red" width="20">a</td>' +
        '<td>b</td><td>c</td></tr></tbody></table>' +
        '<a href="tel:+49123">call</a><a href="mailto:a@x.test">write</a><a>no</a>',
    )
  })
})
