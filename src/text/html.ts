import { invalid } from '../http/errors'

// parse5 and its companions are 67 kB that only writes with markup need.
const library = () => import('./sanitizer')

/**
 * HTML without anything that runs: the allowlist is in `sanitizer.ts`. Text without markup stays as it is.
 * `path` is the field's JSON pointer, for the error when the markup nests too deep to be read.
 */
export async function sanitize(html: string, path: string): Promise<string> {
  if (!/[<>&]/.test(html)) return html
  const { sanitizeHtml } = await library()
  return readable(path, () => sanitizeHtml(html))
}

/** A mail's HTML without anything that runs, and the text part made from it. */
export async function mailBody(html: string, path: string): Promise<{ html: string; text: string }> {
  const { sanitizeMail } = await library()
  return readable(path, () => sanitizeMail(html))
}

function readable<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof RangeError) throw invalid(path, 'The HTML nests too deep. Send flatter HTML.')
    throw cause
  }
}
