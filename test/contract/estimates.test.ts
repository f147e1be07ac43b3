import { expect, test } from 'vitest'
import { createScenario, isWrite, operationTable, sendOperation, UNLIMITED, validPath } from './table'

// Mailings that name their recipients. The batch of another mailing measures its recipients.
const MAILS = ['sendMembersEmail', 'sendTestEmail']
// The number of rows is in the database. The batch measures the rows (see test/db/budget.test.ts).
const MEASURED = ['undoImport']

test('every bulk write and every mailing is refused before it starts when its estimate exceeds the quota', async () => {
  const problems: unknown[] = []
  for (const op of operationTable.filter(
    (op) => isWrite(op) && (op.bulk || MAILS.includes(op.id)) && !MEASURED.includes(op.id),
  )) {
    const { records } = await createScenario()
    const path = await validPath(op, records)
    const { response } = await sendOperation(op, records, { path, env: { ...UNLIMITED, WORKSPACE_ROWS_PER_DAY: '1' } })
    const { message } = (await response.json()) as { message: string }
    if (response.status !== 429 || !/^This request writes about \d+ database rows/.test(message)) {
      problems.push([op.id, response.status, message])
    }
  }
  expect(problems, 'Declare `estimatedRows` in the write of the operation.').toEqual([])
})
