import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { app } from '../src/app'
import type { KeyClaims } from '../src/http/token'
import type { Workspace } from './factories'

/** Starts an export that is read in pieces, and counts the batches and the characters of the largest result. */
export async function openExport(here: Workspace, path: string, claims: Partial<KeyClaims> = {}) {
  const apiKey = await here.key(claims)
  const asked = { batches: 0, most: 0 }
  const counting = (session: D1DatabaseSession): D1DatabaseSession =>
    new Proxy(session, {
      get(target, property) {
        if (property === 'batch') {
          return async (statements: D1PreparedStatement[]) => {
            asked.batches++
            const results = await target.batch(statements)
            asked.most = Math.max(asked.most, ...results.map(({ results }) => JSON.stringify(results).length))
            return results
          }
        }
        const value = Reflect.get(target, property)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  const DB = new Proxy(env.DB, {
    get(target, property) {
      if (property === 'withSession') return (constraint: string) => counting(target.withSession(constraint))
      const value = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const request = new Request(`https://groundwork.test${path}`, { headers: { 'x-api-key': apiKey } })
  const context = createExecutionContext()
  const response = await app.fetch(request, { ...env, DB }, context)
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  return { response, asked, reader, ended: () => waitOnExecutionContext(context) }
}
