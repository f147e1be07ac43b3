// What the drives of two people share: the other person works with the key of the tests.
import type { BrowserContext } from 'playwright-core'
import { call } from './session.ts'

/** The name of the person of the key, as the console shows it. */
export async function readOtherName(): Promise<string> {
  const { user } = await call<{ user: { firstName: string; lastName: string; email: string } }>('GET', '/api/v2/me')
  return `${user.firstName} ${user.lastName}`.trim() || user.email
}

/** Changes of other people stay unknown to the page until the page saves. Reads of the history of one record pass. */
export async function hideEvents(context: BrowserContext): Promise<void> {
  await context.route(
    (url) => url.pathname === '/api/v2/events' && !url.searchParams.has('key'),
    // Without an answer.
    () => undefined,
  )
}
