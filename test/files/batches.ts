import type { Batch, RowParser } from '../../src/files/batch'

export function* batchesOf<T>(parser: RowParser<T>, texts: Iterable<string>): Generator<Batch<T>> {
  for (const text of texts) yield* parser.push(text)
  yield* parser.end()
}
