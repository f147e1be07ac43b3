import type { BrowserContext } from 'playwright-core'
import { apiKey, serviceUrl } from './inspect.ts'
import { readCode } from './outbox.ts'

export async function call<D>(method: string, path: string, json?: object): Promise<D> {
  const response = await fetch(serviceUrl + path, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    ...(json && { body: JSON.stringify(json) }),
  })
  const { data, message } = (await response.json()) as { data: D; message?: string }
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${message}`)
  return data
}

/** Signs a browser in as the person, with the code of the mail: at most five times an hour for an address. */
export async function signIn(context: BrowserContext, email: string): Promise<void> {
  const { request } = context
  await request.post(`${serviceUrl}/api/v2/sign-in`, { data: { email } })
  const code = await readCode(email)
  const answer = await request.post(`${serviceUrl}/api/v2/sign-in/code`, { data: { email, code } })
  if (!answer.ok()) throw new Error(`Signing in as ${email} failed: ${await answer.text()}`)
}
