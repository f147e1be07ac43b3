import type { Readable } from 'node:stream'
import { maskTokensInLine } from '../../src/workspace/webhooks/mask.ts'

/** Masks the tokens of incoming webhooks. The promise resolves at the end of the stream. */
export function passOnLines(stream: Readable, take: (line: string) => void): Promise<void> {
  let rest = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(maskTokensInLine(line))
  })
  return new Promise((resolve) => {
    stream.once('close', () => {
      if (rest) take(maskTokensInLine(rest))
      resolve()
    })
  })
}
