import type { BrowserContext, Page } from 'playwright-core'
import { readClock } from '../../clock.ts'
import { serviceUrl } from './inspect.ts'
import { call } from './session.ts'

/** Cookies of a signed-in browser, for another. */
export type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>

export const open = async (context: BrowserContext, at: string): Promise<Page> => {
  const page = await context.newPage()
  await page.goto(`${serviceUrl}/console${at}`)
  return page
}

/** A person may ask for five codes an hour, so each run has its own people. */
export async function createPerson(firstName: string, lastName: string, role: string): Promise<string> {
  const email = `${firstName.toLowerCase()}-${readClock()}@example.com`
  await call('POST', '/api/v2/users', { email, firstName, lastName, role })
  return email
}

export const titleOf = (page: Page, title: string) =>
  page.getByRole('region', { name: /^(Idea|Idee)$/ }).getByRole('heading', { level: 2, name: title, exact: true })
export const rowOf = (page: Page, title: string) => page.getByRole('link', { name: new RegExp(`${title}$`) }).first()
export const CHECKLIST = 'Copy a checklist from one project to another'
