import type { LocalService } from '../local-service.ts'
import { REQUEST_KINDS, type RequestKind } from './requests.ts'

/** Milliseconds in the database, by kind of request. */
export type ServiceTimes = Record<string, number[]>

const ROUNDS = 4
const REQUESTS_PER_ROUND = 100
const BULK_REQUESTS_PER_ROUND = 20

/** The database's part of the header Server-Timing, in whole milliseconds. */
async function sendTimed(service: LocalService, kind: RequestKind, n: number): Promise<number> {
  const { method, path, body } = kind.request(n)
  const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const response = await service.send(path, { ...init, headers: { 'content-type': 'application/json' } })
  await response.arrayBuffer()
  const time = /d1;dur=(\d+)/.exec(response.headers.get('server-timing') ?? '')?.[1]
  if (time === undefined) throw new Error(`${kind.id} has no time of the database.`)
  return Number(time)
}

export const meanOf = (times: readonly number[]) => times.reduce((sum, time) => sum + time, 0) / times.length

/**
 * Sends one request at a time, in turn to each service. The round with the least mean is kept for each kind, because
 * other programs on the machine only lengthen times.
 */
export async function measureTimes<Name extends string>(
  services: Record<Name, LocalService>,
): Promise<Record<Name, ServiceTimes>> {
  const names = Object.keys(services) as Name[]
  const least = new Map<string, number[]>()
  let number = 0
  // Bulk requests come last, because they make the workspace larger for all other requests.
  const phases = [REQUEST_KINDS.filter(({ share }) => share > 0), REQUEST_KINDS.filter(({ share }) => share === 0)]
  for (const kinds of phases.flatMap((phase) => Array<readonly RequestKind[]>(ROUNDS).fill(phase))) {
    for (const kind of kinds) {
      const measured = names.map((): number[] => [])
      const last = number + (kind.share ? REQUESTS_PER_ROUND : BULK_REQUESTS_PER_ROUND)
      for (; number < last; number++)
        for (const [at, name] of names.entries()) measured[at]?.push(await sendTimed(services[name], kind, number))
      for (const [at, times] of measured.entries()) {
        const key = `${names[at]} ${kind.id}`
        const kept = least.get(key)
        if (!kept || meanOf(times) < meanOf(kept)) least.set(key, times)
      }
    }
  }
  const timesOf = (name: Name): ServiceTimes =>
    Object.fromEntries(REQUEST_KINDS.map(({ id }) => [id, least.get(`${name} ${id}`) ?? []]))
  return Object.fromEntries(names.map((name) => [name, timesOf(name)])) as Record<Name, ServiceTimes>
}
