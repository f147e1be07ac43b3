import { expect } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import type { Workspace } from '../factories'
import { countEvents, operationTable } from './table'

export interface LoggedEvent {
  id: number
  type: string
  productId: number | null
  resourceKey: string
  data: Record<string, unknown>
  previous: Record<string, unknown> | null
  cascade: Record<string, number> | null
}

export async function eventsDuring<T>(here: Workspace, act: () => Promise<T>): Promise<[T, LoggedEvent[]]> {
  const after = await countEvents(here)
  const result = await act()
  const { body } = await here.client<LoggedEvent[]>('GET', `/api/v2/events?after=${after}&limit=100`)
  expect(body.success).toBe(true)
  // `previous` has changed fields only, so a field that stays null must not appear.
  const unchanged = body.data.flatMap(({ type, data, previous }) =>
    Object.keys(previous ?? {}).flatMap((name) =>
      previous?.[name] === null && data[name] === null ? [type, name] : [],
    ),
  )
  expect(unchanged).toEqual([])
  return [result, body.data]
}

export const findReadOperation = (path: string): AnyOperation | undefined =>
  operationTable.find(
    (op) => op.method === 'get' && op.path.startsWith(`${path}/{`) && !op.path.slice(path.length + 1).includes('/'),
  )
