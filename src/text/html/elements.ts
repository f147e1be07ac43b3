/** Elements of stored HTML. The sanitizer unwraps or removes all others. */
export const CONTENT_ELEMENTS: readonly string[] =
  'a abbr b blockquote br cite code dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p picture pre q rp rt ruby s samp section small source span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var'.split(
    ' ',
  )
export const MAIL_ELEMENTS: readonly string[] = [
  ...CONTENT_ELEMENTS,
  ...['center', 'font', 'caption', 'col', 'colgroup'],
]

/** Elements without content and without an end tag. */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set(['br', 'col', 'hr', 'img', 'input', 'source'])

/** Real mail nests tables, at four levels each. */
export const MAX_HTML_DEPTH = 128
