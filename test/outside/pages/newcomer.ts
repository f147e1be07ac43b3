// The first hour of a new user with `npm start` alone: import, drag, release, see who is mailed, and draw a KPI.
import process from 'node:process'
import type { Page } from 'playwright-core'
import '../../../scripts/leash.ts'
import { runMain } from '../../../scripts/wrangler.ts'
import { check, inspect, inspectWithBrowser, serviceUrl, watch } from './inspect.ts'
import { call } from './session.ts'

const signInUrl = process.env.GROUNDWORK_SIGN_IN ?? ''

const JIRA = `Summary,Issue key,Issue id,Issue Type,Status,Story Points,Parent
Mobile reports,REP-1,101,Epic,In Progress,,
Photos,REP-2,102,Epic,To Do,,
Work without a network,REP-3,103,Story,Done,5,101
Print a report,REP-4,104,Story,Done,3,101
`
const VALUES = `date,value
2026-09-01,61
2026-10-01,70
2026-11-01,82
`
const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

const row = (page: Page, summary: string) => page.locator('tr[data-key]', { hasText: summary })

async function importFromJira(page: Page): Promise<void> {
  await page.goto(signInUrl)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/console\/ideas/)
  await page.getByRole('link', { name: 'Imports' }).click()
  await page.getByRole('link', { name: 'Import a file' }).click()
  await page.getByRole('radio', { name: /^Work items/ }).check()
  await page.setInputFiles('input[type=file]', file('jira.csv', JIRA))
  await page.getByText('This looks like a file of Jira').waitFor()
  await page.getByRole('button', { name: 'Show the dry run' }).click()
  await page.getByRole('button', { name: 'Import 4 rows' }).click()
  await page.getByText('4 created').waitFor()
}

/** A story goes below another epic, and into a version. */
async function planRelease(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Versions' }).click()
  await page.getByRole('button', { name: 'New version' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('First reports')
  await page.getByRole('button', { name: 'Create the version' }).click()
  await page.locator('#version-title', { hasText: 'First reports' }).waitFor()
  await page.getByRole('link', { name: 'Backlog', exact: true }).click()
  const [story, epic] = [row(page, 'Print a report'), row(page, 'Photos')]
  await story.waitFor()
  const [from, to] = [await story.boundingBox(), await epic.boundingBox()]
  if (!from || !to) return check(false, 'The imported items are not shown')
  await page.mouse.move(from.x + 500, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(from.x + 510, from.y + from.height / 2 + 6, { steps: 4 })
  await page.mouse.move(to.x + 500, to.y + to.height / 2, { steps: 8 })
  await page.locator('tr[data-drop="into"]', { hasText: 'Photos' }).waitFor()
  const moved = page.waitForResponse((response) => response.url().includes('/move') && response.ok())
  await page.mouse.up()
  await moved
  await row(page, 'Print a report').getByRole('checkbox').check()
  await page.keyboard.press('v')
  const stored = page.waitForResponse(
    (response) => response.request().method() === 'PUT' && response.url().includes('/solution-versions/'),
  )
  await page.getByRole('button', { name: 'First reports' }).click()
  await stored
}

async function release(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Versions' }).click()
  await page.getByRole('link', { name: 'First reports', exact: true }).click()
  await page.getByText('3 of 3 points').waitFor()
  await page.getByRole('button', { name: 'Release…' }).click()
  await page.getByRole('button', { name: 'Release, mail nobody' }).click()
  await page.getByText('First reports was released. Nobody gets mail.').waitFor()
  await inspect(page, 'the released version')
}

/** Says before the click how many people are mailed. */
async function seeWhoIsMailed(page: Page): Promise<void> {
  const [idea] = await call<{ external_key: string }[]>('GET', '/api/feedback-items?limit=1')
  for (const email of ['maren@example.com', 'tom@example.com'])
    await call('POST', `/api/feedback-items/${idea?.external_key}/subscription`, { email })
  await page.goto(`${serviceUrl}/console/ideas?idea=${idea?.external_key}`)
  await page.getByRole('button', { name: '2 people will be mailed' }).waitFor()
  await page.getByRole('combobox', { name: 'New status' }).selectOption('Planned')
  await page.getByRole('button', { name: 'Set to Planned and mail 2 people' }).waitFor()
}

async function drawKpi(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'KPIs' }).click()
  await page.getByRole('button', { name: 'New KPI' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Reports without rework')
  await page.getByRole('spinbutton', { name: 'Target' }).fill('90')
  await page.getByRole('button', { name: 'Create the KPI' }).click()
  await page.locator('#kpi-title', { hasText: 'Reports without rework' }).waitFor()
  await page.setInputFiles('input[type=file]', file('values.csv', VALUES))
  const dialog = page.getByRole('dialog', { name: 'Add the values of values.csv' })
  await dialog.getByRole('button', { name: /^Add \d+ values$/ }).click()
  await page
    .getByRole('group', { name: /^Chart of/ })
    .locator('canvas')
    .waitFor()
  await page.getByText('82').first().waitFor()
}

await runMain(() =>
  inspectWithBrowser(async (browser) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    watch(context)
    const page = await context.newPage()
    await importFromJira(page)
    await planRelease(page)
    await release(page)
    await seeWhoIsMailed(page)
    await drawKpi(page)
    return 'A new user imports, drags, releases, sees who is mailed and draws a KPI.'
  }),
)
