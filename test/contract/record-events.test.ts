import { expect, test } from 'vitest'
import { listChangeEvents, nameEvents, readEventsAfter, readRecordRows } from './changed-records'
import { callOperation, countEvents, createScenario, eachOperation, isWrite, validPath, validRequest } from './table'

const { here, records } = await createScenario()

/** The target of a merge has a new version, because its response shows the new number of uses. */
const FURTHER_EVENTS: Record<string, RegExp> = { mergeTag: /^tag\.updated / }

/** The event of an author would name the author of an anonymous idea. */
const SILENT_CHANGES: Record<string, RegExp> = { createFeedbackItem: /^member\.created / }

const eventTypes = new Map<string, string[]>()

test.each(eachOperation(isWrite))('%s emits one event for each record that it changes', async (_, op) => {
  const path = await validPath(op, records)
  const sent = { ...(await validRequest(op, records)), path, apiKey: await here.key() }
  const before = await readRecordRows(here)
  const after = await countEvents(here)
  await callOperation(op, records, sent)
  const emitted = await readEventsAfter(here, after)
  eventTypes.set(op.id, [...new Set(emitted.map(({ type }) => type))].toSorted())
  const events = nameEvents(emitted).filter((name) => !FURTHER_EVENTS[op.id]?.test(name))
  const changes = listChangeEvents(before, await readRecordRows(here))
  const silent = changes.filter((name) => SILENT_CHANGES[op.id]?.test(name))
  expect(silent.length > 0).toBe(op.id in SILENT_CHANGES)
  expect([...events, ...silent].toSorted()).toEqual(changes.toSorted())
})

test('the pages name the events of each operation', async () => {
  const lines = [...eventTypes]
    .filter(([, types]) => types.length > 0)
    .map(([id, types]) => `  ${JSON.stringify(id)}: ${JSON.stringify(types)}`)
  const remedy = 'Run `npx vitest run test/contract/record-events.test.ts -u` and commit the file.'
  await expect(`{\n${lines.join(',\n')}\n}\n`, remedy).toMatchFileSnapshot('./emitted-events.snapshot.json')
})
