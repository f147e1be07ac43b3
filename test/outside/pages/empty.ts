// Looks at a workspace without data in Chromium: each screen names the next step. Creates the first records, by mouse and by keyboard alone.
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import type { BrowserContext, Page } from 'playwright-core'
import { root, UserProblem } from '../../../scripts/wrangler.ts'
import { readClock } from '../../clock.ts'
import { DESK, drive } from './drive.ts'
import { open } from './ideas-page.ts'
import { check, lookEverywhere, serviceUrl, watch } from './inspect.ts'
import { waitForMail } from './outbox.ts'

const PRODUCT_SCREENS = [
  '/backlog',
  '/board',
  '/story-map',
  '/versions',
  '/kpis',
  '/experiments',
  '/documents',
  '/imports/new?kind=backlog',
]

/** Each screen with its next steps. */
const NEXT_STEPS: readonly (readonly [path: string, ...names: string[]])[] = [
  ['/ideas', 'Import ideas', 'Set up the portal and the widget'],
  ['/changelog', 'Write the first entry', 'Release a version'],
  ['/personas', 'Create the first persona'],
  ['/documents/templates', 'Write the first template'],
  ['/segments', 'Create the first segment', 'Import people'],
  ['/mailings', 'Write the first mailing'],
  ['/suppressions', 'Go to the mailings'],
  ['/imports', 'Bring in the first file'],
  ['/webhooks', 'Create the first endpoint'],
  ['/webhooks/incoming', 'Create the first webhook'],
  ['/settings/people?group=portal', 'Set up the portal and the widget'],
  ['/settings/teams', 'Create the first team'],
]

/** Answers a key of the new workspace. */
function createWorkspace(email: string): string {
  const name = `Empty ${readClock()}`
  const state = ['--state', process.env.GROUNDWORK_STATE ?? '']
  const args = ['--name', 'empty', '--scopes', '*', '--new-workspace', name, '--email', email]
  const { stdout, stderr } = spawnSync(process.execPath, ['scripts/run.mjs', 'service/key', ...state, ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  const [key] = /eyJ\S+/.exec(stdout) ?? []
  if (!key) throw new UserProblem(`The workspace was not created: ${stderr}`)
  return key
}

async function signIn({ request }: BrowserContext, email: string, key: string): Promise<void> {
  await request.post(`${serviceUrl}/api/v2/sign-in`, { data: { email } })
  const [code] = /\b\d{6}\b/.exec(await waitForMail('sign_in', email, key)) ?? []
  const answer = await request.post(`${serviceUrl}/api/v2/sign-in/code`, { data: { email, code } })
  if (!answer.ok()) throw new Error(`Signing in as ${email} failed: ${await answer.text()}`)
}

const action = (page: Page, name: string) =>
  page
    .locator('main')
    .getByRole('link', { name, exact: true })
    .or(page.locator('main').getByRole('button', { name, exact: true }))

async function readEmptyScreens(page: Page): Promise<void> {
  for (const path of PRODUCT_SCREENS) {
    await page.goto(`${serviceUrl}/console${path}`)
    await page.getByText('No product yet').waitFor()
    await action(page, 'Create a product').waitFor()
  }
  for (const [path, ...names] of NEXT_STEPS) {
    await page.goto(`${serviceUrl}/console${path}`)
    for (const name of names) await action(page, name).waitFor()
  }
}

/** A button without a name yet says what is missing. */
async function createByMouse(page: Page): Promise<void> {
  await page.goto(`${serviceUrl}/console/versions`)
  await action(page, 'Create a product').click()
  const product = page.getByRole('dialog', { name: 'Create a product' })
  await product.getByText('Fill in: Name of the product').waitFor()
  check(await product.getByRole('button', { name: 'Create a product' }).isDisabled(), 'A product without a name')
  await product.getByRole('textbox', { name: 'Name of the product' }).fill('Tides')
  await product.getByRole('button', { name: 'Create a product' }).click()
  await action(page, 'Plan in the backlog').waitFor()
  await action(page, 'Create the first version').click()
  const version = page.getByRole('dialog', { name: 'New version' })
  await version.getByText('Fill in: Name').waitFor()
  await version.getByRole('textbox', { name: 'Name' }).fill('Spring tide')
  await version.getByRole('button', { name: 'Create the version' }).click()
  await page.getByText(/^SV-\d+ was created\.$/).waitFor()
  await page.goto(`${serviceUrl}/console/changelog`)
  await action(page, 'Write the first entry').click()
  const entry = page.getByRole('dialog', { name: 'New entry' })
  check(await entry.getByRole('button', { name: 'Create the draft' }).isDisabled(), 'An entry without a title')
  await entry.getByRole('textbox', { name: 'Title' }).fill('Higher tides')
  await entry.getByRole('button', { name: 'Create the draft' }).click()
  await page.getByText(/^CL-\d+ was created\.$/).waitFor()
  await page.getByRole('link', { name: 'Ideas', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Ideas' }).waitFor()
  await page.getByRole('link', { name: 'Open', exact: true }).click()
  await page
    .locator('#entry-title')
    .or(page.getByRole('heading', { name: 'Higher tides' }))
    .first()
    .waitFor()
}

async function createByKeyboard(page: Page): Promise<void> {
  for (const [path, first, title] of [
    ['/kpis', 'Create the first KPI', 'Boats at sea'],
    ['/experiments', 'Create the first experiment', 'Later alarms'],
    ['/documents', 'Write the first document', 'Talk with a captain'],
    ['/personas', 'Create the first persona', 'Captain'],
  ] as const) {
    await page.goto(`${serviceUrl}/console${path}`)
    await action(page, first).focus()
    await page.keyboard.press('Enter')
    await page.locator('dialog input:focus').waitFor()
    await page.getByText(/^Fill in: /).waitFor()
    await page.keyboard.type(title)
    await page.getByText(/^Fill in: /).waitFor({ state: 'hidden' })
    await page.keyboard.press('Enter')
    await page.getByText(/^[A-Z]+-\d+ was created\.$/).waitFor()
    await page.getByRole('link', { name: 'Open', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: title }).first().waitFor()
  }
}

await drive(async (browser) => {
  const email = `first-${readClock()}@example.com`
  const key = createWorkspace(email)
  const context = await browser.newContext(DESK)
  watch(context)
  await signIn(context, email, key)
  await lookEverywhere(browser, { storageState: await context.storageState() }, async ({ context: other, look }) => {
    const page = await open(other, '/versions')
    await page.getByText('No product yet').waitFor()
    await look(page, 'a workspace without a product')
    await page.goto(`${serviceUrl}/console/ideas`)
    await action(page, 'Import ideas').waitFor()
    await look(page, 'a workspace without ideas')
  })
  const page = await open(context, '/')
  await page.waitForURL(/\/console\/imports/)
  await readEmptyScreens(page)
  await createByMouse(page)
  await createByKeyboard(page)
  return 'An empty workspace names the next step on each screen, and its first records are created by mouse and by keyboard.'
})
