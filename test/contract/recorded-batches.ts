import * as original from '../../src/db/client/batch'
import type { Statement } from '../../src/db/sql/statement'

// vitest.config.ts gives `npm run sql` this module in place of src/db/client/batch.ts.
export * from '../../src/db/client/batch'

export interface RecordedBatch {
  statements: readonly Statement[]
  results: D1Result[]
}

export const recordedBatches: RecordedBatch[] = []

export const runBatch: typeof original.runBatch = (session, statements, ...rest) => {
  const recorded: RecordedBatch = { statements, results: [] }
  recordedBatches.push(recorded)
  const recording = {
    prepare: (text: string) => session.prepare(text),
    async batch<T>(prepared: D1PreparedStatement[]) {
      const results = await session.batch<T>(prepared)
      recorded.results = results
      return results
    },
    getBookmark: () => session.getBookmark(),
  }
  return original.runBatch(recording, statements, ...rest)
}
