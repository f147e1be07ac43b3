// Reads the event log of the console in Chromium, by mouse and by keyboard alone, at two widths, light and dark.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { readClock } from '../../clock.ts'
import { driveConsole, type GermanLook, lookInGerman, readOnPhone, signInAs } from './drive.ts'
import { open, type SignedIn } from './ideas-page.ts'
import { check, lookEverywhere, serviceUrl } from './inspect.ts'
import { call } from './session.ts'

interface Sample {
  product: string
  /** An epic that was renamed. */
  epic: string
  feature: string
}

async function createSample(): Promise<Sample> {
  const { externalKey: product } = await call<{ externalKey: string }>('POST', '/api/initiatives', {
    name: `Log ${readClock()}`,
  })
  const at = `/api/initiatives/${product}`
  const { externalKey: epic } = await call<{ externalKey: string }>('POST', `${at}/epics`, { summary: 'Old name' })
  await call('PUT', `${at}/epics/${epic}`, { summary: 'New name' })
  const { externalKey: feature } = await call<{ externalKey: string }>('POST', `${at}/features`, { summary: 'Other' })
  return { product, epic, feature }
}

const rowOf = (page: Page, name: string) => page.getByRole('region', { name: 'Events' }).getByRole('link', { name })
const detail = (page: Page) => page.getByRole('region', { name: 'Event', exact: true })
const titleOf = (page: Page, name: string) => detail(page).getByRole('heading', { level: 2, name })
const keyField = (page: Page) => page.getByLabel('Key or id of the record')

/** Finds what happened to a record, and opens the record. */
async function followRecord(context: BrowserContext, { product, epic }: Sample): Promise<void> {
  const page = await open(context, '/events')
  await keyField(page).fill(epic)
  await keyField(page).press('Enter')
  await page.waitForURL(`**key=${epic}`)
  await rowOf(page, `Epic: changed ${epic}`).first().click()
  await titleOf(page, `Epic: changed ${epic}`).waitFor()
  const changes = detail(page).getByRole('row', { name: 'summary Old name New name' })
  await changes.waitFor()
  await page.reload()
  await changes.waitFor()
  check((await rowOf(page, 'Feature').count()) === 0, 'The filter by record shows another record')
  await detail(page).getByRole('link', { name: 'Open the record' }).click()
  await page.waitForURL(`**/console/backlog/${epic}?product=${product}`)
  await page.getByText('New name').first().waitFor()
  await page.close()
}

async function filterByMouse(context: BrowserContext, { feature, epic, product }: Sample): Promise<void> {
  const page = await open(context, '/events')
  await page.getByLabel('Type of the record').selectOption({ label: 'Feature' })
  await page.waitForURL('**type=feature.*')
  await rowOf(page, `Feature: created ${feature}`).waitFor()
  check((await rowOf(page, 'Epic').count()) === 0, 'The filter by type shows another type')
  const [owner] = await call<{ id: number }[]>('GET', '/api/v2/users?role=owner&limit=1')
  await page.getByLabel('Person').selectOption(String(owner?.id))
  await page.waitForURL(`**person=${owner?.id}`)
  await rowOf(page, `Feature: created ${feature}`).waitFor()
  await page.getByLabel('From').fill('2030-01-01')
  await page.getByText('No event matches these filters').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).last().click()
  await page.waitForURL('**/console/events')
  await rowOf(page, `Epic: created ${epic}`).waitFor()
  await page.goto(`${serviceUrl}/console/events?type=epic.created&key=${epic}`)
  await rowOf(page, `Epic: created ${epic}`).waitFor()
  check((await rowOf(page, 'Epic: changed').count()) === 0, 'An address with a single type shows another type')
  await call('POST', `/api/initiatives/${product}/epics`, { summary: 'Another epic' })
  await page.goto(`${serviceUrl}/console/events?type=userstory.*`)
  await page.getByText('No event matches these filters').or(rowOf(page, 'User story').first()).first().waitFor()
  await call('POST', `/api/initiatives/${product}/storyMap/card`, { summary: 'A story for the log' })
  await page.getByRole('button', { name: /new events?$/ }).click()
  await rowOf(page, 'User story: created').first().waitFor()
  await page.close()
}

async function readByKeyboard(context: BrowserContext, { epic }: Sample): Promise<void> {
  const page = await open(context, `/events?key=${epic}`)
  await rowOf(page, `Epic: created ${epic}`).waitFor()
  await page.keyboard.press('j')
  await titleOf(page, `Epic: changed ${epic}`).waitFor()
  await page.locator('[data-row]:focus').waitFor()
  await page.keyboard.press('j')
  await titleOf(page, `Epic: created ${epic}`).waitFor()
  await page.keyboard.press('k')
  await titleOf(page, `Epic: changed ${epic}`).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('#event-title:focus').waitFor()
  await page.keyboard.press('Tab')
  await detail(page).locator('a:focus', { hasText: 'Open the record' }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(`**/console/events?key=${epic}`)
  await page.locator('[data-row]:focus').waitFor()
  await keyField(page).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/console/events')
  await page.close()
}

const lookAtLog = (browser: Browser, storageState: SignedIn, { epic }: Sample): Promise<void> =>
  lookEverywhere(browser, { storageState }, async ({ context, look }) => {
    const page = await open(context, '/events')
    await page.locator('[data-row]').nth(3).waitFor()
    await look(page, 'the event log')
    await page.goto(`${serviceUrl}/console/events?key=${epic}`)
    await rowOf(page, `Epic: changed ${epic}`).click()
    await titleOf(page, `Epic: changed ${epic}`).waitFor()
    await look(page, 'an event')
    await page.goto(`${serviceUrl}/console/events?event=999999999`)
    await page.getByText('This event does not exist').waitFor()
    await look(page, 'a missing event')
  })

/** A member reads the log, and a viewer does not. */
async function readWithFewerRights(browser: Browser, { epic }: Sample): Promise<void> {
  const member = { person: ['Max', 'Member', 'member'], width: 1280 } as const
  const readInGerman = async ({ page, look }: GermanLook) => {
    await page.getByRole('link', { name: `Epic: geändert ${epic}` }).click()
    await page.getByRole('row', { name: 'summary Old name New name' }).waitFor()
    await look('an event')
  }
  await lookInGerman(browser, `/events?key=${epic}`, readInGerman, member)
  const viewer = await signInAs(browser, ['Vito', 'Viewer', 'viewer'])
  const page = await open(viewer, '/events')
  await page.getByText('Your role cannot read the event log').waitFor()
  check((await page.getByRole('link', { name: 'Event log' }).count()) === 0, 'A viewer is led to the event log')
  await viewer.close()
}

await driveConsole('The event log of the console works', async (browser) => {
  const sample = await createSample()
  const context = await signInAs(browser, ['Eva', 'Events', 'admin'])
  const storageState = await context.storageState()
  await followRecord(context, sample)
  await filterByMouse(context, sample)
  await readByKeyboard(context, sample)
  await lookAtLog(browser, storageState, sample)
  const name = `Epic: changed ${sample.epic}`
  await readOnPhone(browser, storageState, {
    at: `/events?key=${sample.epic}`,
    row: (page) => rowOf(page, name),
    detail: (page) => titleOf(page, name),
  })
  await readWithFewerRights(browser, sample)
})
