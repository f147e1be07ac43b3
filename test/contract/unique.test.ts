import { expect, test } from 'vitest'
import type { AnyRecord } from '../../src/db/records/record'
import { users } from '../../src/db/schema/tenancy'
import { declaredRecords } from '../records'
import { lastParameter } from '../world'
import { callOperation, createScenario, operationAt, operationTable, validRequest } from './table'

const { records } = await createScenario()

// A POST with the address of a removed user restores the user (test/workspace/users).
const uniqueRecords = declaredRecords.filter(({ table, unique }) => unique && table !== users)
const pathOfList = (path: string) => path.replace(/\/\{\w+\}$/, '')

function findOperations({ resource, missing }: AnyRecord) {
  const modify = operationTable.find(
    ({ method, path, errors }) =>
      method === 'put' && errors?.includes(missing) && path.endsWith('}') && operationAt('post', pathOfList(path)),
  )
  const path = modify?.path ?? ''
  const create = operationAt('post', pathOfList(path))
  const remove = operationAt('delete', path)
  const restore = operationAt('post', `${path}/restore`)
  if (!create || !modify || !remove || !restore) throw new Error(`${resource} has no POST, PUT, DELETE and restore.`)
  return { create, modify, remove, restore }
}

test('the records with a unique column are found', () => {
  expect(uniqueRecords.map(({ resource }) => resource)).toContain('tag')
  expect(uniqueRecords.length).toBeGreaterThan(6)
})

test.each(uniqueRecords.map((record) => [record.resource, record] as const))(
  'a taken value of the unique column of %s is a 409 for a create, a modify and a restore',
  async (resource, record) => {
    const { create, modify, remove, restore } = findOperations(record)
    const remedy = `Write a ${resource} with insertStatement, updateStatement and lifecycle, which refuse a taken ${record.unique?.column.name}.`
    const expectStatus = async (name: string, wanted: number, reply: ReturnType<typeof callOperation>) => {
      const { status, body, headers } = await reply
      const { message } = (body ?? {}) as { message?: string }
      const taken = wanted === 409 ? record.unique?.takenMessage : message
      expect({ name, status, message }, remedy).toEqual({ name, status: wanted, message: taken })
      return headers
    }
    const json = (await validRequest(create, records)).json as Record<string, unknown>
    const column = Object.entries(record.fields).find(([, field]) => field === record.unique?.column)?.[0]
    // A slug follows from the name.
    const member = [column, 'name'].find((name) => name !== undefined && name in json) ?? ''
    expect({ member }, `Send ${column} in the first example of Create.`).not.toEqual({ member: '' })
    const value = { [member]: json[member] }
    const at = await records.path(create.path)
    const createAgain = () => callOperation(create, records, { path: at, json })

    const path = (await expectStatus('create', 201, createAgain())).get('location') ?? ''
    await expectStatus('create again', 409, createAgain())
    const other = await records.withFresh(lastParameter(modify.path)).path(modify.path)
    await expectStatus('modify another', 409, callOperation(modify, records, { path: other, json: value }))
    await expectStatus('modify without a change', 200, callOperation(modify, records, { path, json: value }))
    await expectStatus('remove', 200, callOperation(remove, records, { path }))
    await expectStatus('create after the removal', 201, createAgain())
    await expectStatus('restore', 409, callOperation(restore, records, { path: `${path}/restore` }))
  },
)
