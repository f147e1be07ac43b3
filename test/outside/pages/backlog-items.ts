// The items that the drives of the backlog, of the board and of an item work on.
import type { BrowserContext, Page } from 'playwright-core'
import { readClock } from '../../clock.ts'
import { pollUntil } from '../../poll.ts'
import { check, serviceUrl } from './inspect.ts'
import { call } from './session.ts'

export const stamp = readClock().toString(36).toUpperCase()
export const SMALL = `BL-S${stamp}`

export const row = (page: Page, key: string) => page.locator(`tr[data-key="${key}"]`)
export const focused = (page: Page) =>
  page.evaluate('document.activeElement?.dataset.key ?? document.activeElement?.tagName')

/** Keys of the items in the order that the page shows. */
export const shownKeys = (page: Page): Promise<string[]> =>
  page.locator('tr[data-key]').evaluateAll((rows) => rows.map((one) => one.getAttribute('data-key') ?? ''))

/** `problem` says what is wrong when the condition never holds. */
export async function waitFor(problem: string, isMet: () => Promise<boolean>): Promise<void> {
  await pollUntil(problem, isMet).catch(() => check(false, problem))
}

export interface Keys {
  epic: string
  feature: string
  stories: string[]
  other: string
}

/** An epic with a feature of three stories, and a second epic. */
export async function createItems(): Promise<Keys> {
  await call('POST', '/api/initiatives', { name: 'Inspect', externalKey: SMALL })
  const at = `/api/initiatives/${SMALL}`
  const create = (path: string, json: object) =>
    call<{ externalKey: string; epicId: number; featureId: number }>('POST', `${at}/${path}`, json)
  const epic = await create('epics', { summary: 'Work without a network', progress: 'in-progress' })
  const feature = await create('features', { summary: 'Queue of photos', epicId: epic.epicId })
  const stories: string[] = []
  for (const [n, summary] of ['Keep photos', 'Count photos', 'Send photos'].entries()) {
    const json = { summary, featureId: feature.featureId, storyPoint: String(n + 1), progress: n ? 'to-do' : 'done' }
    stories.push((await create('storyMap/card', json)).externalKey)
  }
  const other = await create('epics', { summary: 'Reports' })
  const kpi = await call<{ externalKey: string }>('POST', `${at}/kpi`, { title: 'Photos that were lost' })
  await call('PUT', `${at}/features/${feature.externalKey}`, { kpis: [kpi.externalKey] })
  await call('POST', `${at}/solution-versions`, { name: 'Spring', items: [stories[0]] })
  return { epic: epic.externalKey, feature: feature.externalKey, stories, other: other.externalKey }
}

export const openBacklog = async (context: BrowserContext, query = ''): Promise<Page> => {
  const page = await context.newPage()
  await page.goto(`${serviceUrl}/console/backlog?product=${SMALL}${query}`)
  await page.getByRole('treegrid', { name: 'Backlog' }).waitFor()
  return page
}
