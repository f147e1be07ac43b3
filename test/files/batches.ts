import type { Batch, RowParser } from '../../src/files/batch'

/** Parses a text in pieces, and yields the batches. */
export function* batchesOf<T>(parser: RowParser<T>, texts: Iterable<string>): Generator<Batch<T>> {
  for (const text of texts) yield* parser.push(text)
  yield* parser.end()
}
