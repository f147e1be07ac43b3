import { expect, test } from 'vitest'
import type { Database } from '../../src/db/client/client'
import type { Statement } from '../../src/db/sql/statement'
import { joinReads } from '../../src/portal/pages/joined-reads'

const createStatement = (name: string) => ({ values: { name } }) as unknown as Statement

function createRecorder(failure?: Error) {
  const batches: unknown[][] = []
  const read = async (...statements: Statement[]) => {
    batches.push(statements.map(({ values }) => values.name))
    if (failure) throw failure
    return statements.map(({ values }) => [{ name: values.name }])
  }
  return { batches, db: joinReads({ read } as unknown as Database) }
}

test('reads of one turn become one batch, and each gets its own rows', async () => {
  const { batches, db } = createRecorder()
  const later = async () => {
    await Promise.resolve()
    return db.read(createStatement('c'))
  }
  const found = await Promise.all([db.read(createStatement('a'), createStatement('b')), later()])
  expect(batches).toEqual([['a', 'b', 'c']])
  expect(found).toEqual([[[{ name: 'a' }], [{ name: 'b' }]], [[{ name: 'c' }]]])
  await db.read(createStatement('d'))
  expect(batches).toHaveLength(2)
})

test('a failure reaches every read of the batch', async () => {
  const { db } = createRecorder(new Error('no such portal'))
  const found = await Promise.allSettled([db.read(createStatement('a')), db.read(createStatement('b'))])
  expect(found.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
