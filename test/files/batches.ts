import type { RowBatch, RowParser } from '../../src/files/batch'

export function* parseBatches<T>(parser: RowParser<T>, texts: Iterable<string>): Generator<RowBatch<T>> {
  for (const text of texts) yield* parser.push(text)
  yield* parser.end()
}
