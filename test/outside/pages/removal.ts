// Removals name their consequence and stay undoable on the next page, and histories show former values.
import type { BrowserContext, Page } from 'playwright-core'
import { readClock } from '../../clock.ts'
import { pollFor } from '../../poll.ts'
import { open } from './ideas-page.ts'
import { apiKey, check, inspect, isTooWide, NARROWEST, serviceUrl } from './inspect.ts'
import { call } from './session.ts'

interface Tree {
  product: string
  epic: string
  feature: string
  stories: readonly string[]
  leaf: string
}

interface Created {
  externalKey: string
  epicId: number
  featureId: number
}

/** An epic with a feature and two stories, and an epic without items below. */
async function createTree(): Promise<Tree> {
  const product = `RT-${readClock().toString(36).toUpperCase()}`
  await call('POST', '/api/initiatives', { name: 'Consequences', externalKey: product })
  const create = (path: string, json: object) => call<Created>('POST', `/api/initiatives/${product}/${path}`, json)
  const epic = await create('epics', { summary: 'Parent' })
  const feature = await create('features', { summary: 'Below', epicId: epic.epicId })
  const stories = []
  for (const summary of ['First story', 'Second story'])
    stories.push((await create('storyMap/card', { summary, featureId: feature.featureId })).externalKey)
  const leaf = await create('epics', { summary: 'Alone' })
  return {
    ...{ product, epic: epic.externalKey, feature: feature.externalKey },
    ...{ stories, leaf: leaf.externalKey },
  }
}

const rowOf = (page: Page, key: string) => page.locator(`tr[data-key="${key}"]`)
const dialogOf = (page: Page) => page.getByRole('dialog')
const toastOf = (page: Page) => page.locator('.toast')

async function openTree(context: BrowserContext, { product, epic }: Tree): Promise<Page> {
  const page = await open(context, `/backlog?product=${product}`)
  await rowOf(page, epic).waitFor()
  return page
}

/** An item without others below goes at once, also with a filter that hides the items below of others. */
async function removeByKeyboard(context: BrowserContext, tree: Tree): Promise<void> {
  const { epic, feature, stories, leaf } = tree
  const page = await openTree(context, tree)
  await rowOf(page, leaf).focus()
  await page.keyboard.press('Backspace')
  await toastOf(page).getByText(`${leaf} was removed`).waitFor()
  await page.keyboard.press('z')
  await rowOf(page, leaf).waitFor()
  await rowOf(page, epic).focus()
  await page.keyboard.press('Backspace')
  await dialogOf(page).getByText(`Below ${epic}: 1 feature, 2 stories.`).waitFor()
  await inspect(page, 'the question about the items below')
  await page.keyboard.press('Escape')
  await dialogOf(page).waitFor({ state: 'detached' })
  await rowOf(page, epic).focus()
  await page.keyboard.press('Backspace')
  await page.locator('input[name=below]:focus').waitFor()
  await page.keyboard.press('Enter')
  await toastOf(page).getByText('4 items were removed').waitFor()
  for (const key of [epic, feature, ...stories]) await rowOf(page, key).waitFor({ state: 'detached' })
  await page.keyboard.press('z')
  for (const key of [epic, feature]) await rowOf(page, key).waitFor()
  await page.goto(`${serviceUrl}/console/backlog?product=${tree.product}&q=Parent`)
  await rowOf(page, epic).focus()
  await page.keyboard.press('Backspace')
  await dialogOf(page).getByText(`Below ${epic}: 1 feature, 2 stories.`).waitFor()
  await page.keyboard.press('ArrowDown')
  await dialogOf(page).getByRole('button', { name: 'Remove 1 item' }).waitFor()
  await page.keyboard.press('Enter')
  await toastOf(page).getByText(`${epic} was removed`).waitFor()
  await call('GET', `/api/initiatives/${tree.product}/features/${feature}`)
  await page.keyboard.press('z')
  await rowOf(page, epic).waitFor()
  await page.close()
}

/** The selection counts each item once, and the undo works after the way to another page. */
async function removeByMouse(context: BrowserContext, tree: Tree): Promise<void> {
  const { epic, feature, leaf, product } = tree
  const page = await openTree(context, tree)
  for (const key of [epic, feature, leaf]) {
    await rowOf(page, key).focus()
    await page.keyboard.press('x')
  }
  await page.getByRole('toolbar', { name: '3 items selected' }).getByRole('button', { name: 'Remove' }).click()
  await dialogOf(page).getByText('Below 3 items: 2 stories.').waitFor()
  await page.setViewportSize({ width: NARROWEST, height: 700 })
  check(!(await isTooWide(page)), 'The question about the items below scrolls sideways')
  await page.setViewportSize({ width: 1280, height: 900 })
  await dialogOf(page).getByRole('button', { name: 'Remove 5 items' }).click()
  await page.getByRole('link', { name: 'Versions', exact: true }).click()
  await page.waitForURL('**/console/versions**')
  await toastOf(page).getByText('5 items were removed').waitFor()
  // A page that opens before the answer would not find the item.
  const restored = page.waitForResponse((response) => response.url().includes('/restore'))
  await toastOf(page).getByRole('button', { name: /Undo/ }).click()
  await restored
  await toastOf(page).waitFor({ state: 'detached' })
  await page.goto(`${serviceUrl}/console/backlog/${epic}?product=${product}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await dialogOf(page).getByText(`Below ${epic}: 1 feature, 2 stories.`).waitFor()
  await dialogOf(page).getByRole('button', { name: 'Remove 4 items' }).click()
  await page.waitForURL(`**/console/backlog?product=${product}`)
  await toastOf(page).getByRole('button', { name: /Undo/ }).click()
  await rowOf(page, epic).waitFor()
  await page.close()
}

async function readHistoryOfItem(context: BrowserContext, tree: Tree): Promise<void> {
  const { product, feature, leaf, epic } = tree
  const at = `/api/initiatives/${product}`
  const { id } = await call<{ id: number }>('GET', `${at}/epics/${leaf}`)
  await call('PUT', `${at}/features/${feature}`, { progress: 'in-progress', epicId: id, startDate: '2026-12-01' })
  const page = await open(context, `/backlog/${feature}?product=${product}`)
  await page.getByRole('tab', { name: 'History' }).click()
  const history = page.locator('#item-history')
  await history.getByText(`moved the item from ${epic} to ${leaf}`).waitFor()
  await history.getByText(/Progress: To do → ?to In progress/).waitFor()
  await history.getByText(/Start: – → ?to Dec 1, 2026/).waitFor()
  await call('PUT', `${at}/features/${feature}`, { summary: 'Renamed below' })
  await history.getByText(/Title: Below → ?to Renamed below/).waitFor()
  await inspect(page, 'the history with former values')
  await page.close()
}

interface Idea {
  external_key: string
}

async function importIdea(product: string): Promise<void> {
  const form = new FormData()
  form.set('file', new Blob(['title\nImported wish\n'], { type: 'text/csv' }), 'jira.csv')
  const response = await fetch(`${serviceUrl}/api/feedback-items/import?product=${product}`, {
    ...{ method: 'POST', headers: { Authorization: `Bearer ${apiKey}` }, body: form },
  })
  check(response.ok, `The import of an idea failed: ${response.status} ${await response.text()}`)
}

async function readHistoryOfIdea(context: BrowserContext, { product }: Tree): Promise<void> {
  const create = (title: string) => call<Idea>('POST', '/api/feedback-items', { title, product })
  const { external_key: key } = await create('Old wish')
  const { external_key: other } = await create('Same wish')
  const [first, second] = await call<{ id: number; name: string }[]>('GET', '/api/feedback-items/statuses')
  const at = `/api/feedback-items/${key}`
  await call('PUT', at, { title: 'New wish', status_id: first?.id, notify: 'none' })
  const message = 'We begin.'
  await call('POST', `${at}/status-updates`, { status: second?.id, message, notify: 'none' })
  await call('POST', `/api/feedback-items/${other}/merge`, { into: key })
  const page = await open(context, `/ideas?idea=${key}`)
  const activity = page.getByRole('region', { name: 'Activity' })
  await activity.getByText(`merged ${other} into this idea`).waitFor()
  await activity.getByText(`changed the status from ${first?.name} to ${second?.name}`).waitFor()
  await activity.getByText(/Title: Old wish → ?to New wish/).waitFor()
  await inspect(page, 'the history of an idea')
  await importIdea(product)
  const search = `/api/feedback-items?q=imported&product=${product}`
  const imported = await pollFor('The import of the idea', async () => (await call<Idea[]>('GET', search))[0])
  await page.goto(`${serviceUrl}/console/ideas?idea=${imported.external_key}`)
  await activity.getByText('imported from jira.csv').waitFor()
  await page.close()
}

export async function removeAndReadHistories(context: BrowserContext): Promise<void> {
  const tree = await createTree()
  await removeByKeyboard(context, tree)
  await removeByMouse(context, tree)
  await readHistoryOfItem(context, tree)
  await readHistoryOfIdea(context, tree)
}
