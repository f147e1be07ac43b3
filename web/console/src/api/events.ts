import type { Operations } from 'groundwork-client'
import { client } from './client'

export type LoggedEvent = Operations['listEvents']['data'][number]

/** Null for an event that the log no longer has, or that the person may not read. */
export async function readEvent(id: number): Promise<LoggedEvent | null> {
  const [event] = await client.listEvents({ after: id - 1, limit: 1 })
  return event?.id === id ? event : null
}
