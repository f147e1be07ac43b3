// Works through the incoming webhooks of the console in Chromium, by mouse and by keyboard alone, at two widths, light and dark.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { readClock } from '../../clock.ts'
import { DESK, driveConsole, type GermanLook, lookInGerman, readOnPhone, signInAs } from './drive.ts'
import { open, type SignedIn } from './ideas-page.ts'
import { check, lookEverywhere, serviceUrl } from './inspect.ts'
import { call } from './session.ts'

const PATH = '/webhooks/incoming'
/** A removal may overtake a read. */
const HOOK = /\/incoming-webhooks\/\d+/
const detail = (page: Page) => page.getByRole('region', { name: 'Incoming webhook', exact: true })
const titleOf = (page: Page, name: string) => detail(page).getByRole('heading', { level: 2, name, exact: true })
const rowOf = (page: Page, name: RegExp) => page.locator('[data-row]', { hasText: name }).first()
const stored = (page: Page) => page.getByRole('button', { name: 'I have stored them' })
const createButton = (page: Page) => page.getByRole('button', { name: 'Webhook', exact: true })
const received = (page: Page, result: string) =>
  detail(page).getByRole('table').last().getByRole('row').filter({ hasText: result })

async function createByMouse(page: Page): Promise<void> {
  await createButton(page).click()
  await page.getByLabel('Sender').selectOption('github')
  await page.getByRole('button', { name: 'Create the incoming webhook' }).click()
  await stored(page).waitFor()
  check((await page.getByLabel('Address', { exact: true }).inputValue()).includes('/api/hooks/'), 'No address is shown')
  check((await page.getByLabel('Secret', { exact: true }).inputValue()).length > 20, 'No secret is shown')
  await page.keyboard.press('Escape')
  check(await stored(page).isVisible(), 'Escape loses the secret')
  await stored(page).click()
  await titleOf(page, 'GitHub').waitFor()
  await detail(page).getByText('••••').waitFor()
}

async function testPayload(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Test the payload' }).click()
  await page.getByText('Would be handled').waitFor()
  await detail(page).getByText('Spelling error on the start page').last().waitFor()
  await page.getByLabel('Payload', { exact: true }).fill('{"action": ')
  await page.getByRole('button', { name: 'Test the payload' }).click()
  await page.getByText('The payload is not JSON').waitFor()
  await page.getByLabel('Payload', { exact: true }).fill('{"zen": "Keep it simple", "hook_id": 1}')
  await page.getByRole('button', { name: 'Test the payload' }).click()
  await page.getByText('Would be ignored').waitFor()
}

/** A sender whose payload nobody knows needs a mapping. */
async function sendWithoutMapping(page: Page): Promise<void> {
  await createButton(page).click()
  await page.getByLabel('Sender').selectOption('generic')
  await page.getByRole('button', { name: 'Create the incoming webhook' }).click()
  await page.getByText('Must have a path into the payload').waitFor()
}

const send = async (address: string, payload: object): Promise<void> => {
  const headers = { 'Content-Type': 'application/json' }
  const { status } = await fetch(address, { method: 'POST', headers, body: JSON.stringify(payload) })
  check(status === 202, `The address answers ${status}`)
}

/** A sender without a secret posts two payloads, and one has a wrong address. */
async function receive(page: Page): Promise<string> {
  await createButton(page).click()
  await page.getByLabel('Sender').selectOption('generic')
  await page.getByLabel('A payload becomes').selectOption('create_feedback')
  await page
    .getByRole('textbox', { name: 'Mapping' })
    .fill('title = $.title\nexternalId = $.id\nemail = $.email\ntags = =sent')
  await page.getByRole('button', { name: 'Create the incoming webhook' }).click()
  await stored(page).waitFor()
  const address = await page.getByLabel('Address', { exact: true }).inputValue()
  await stored(page).click()
  await titleOf(page, 'Another system').waitFor()
  await page.getByText('Nothing was received').waitFor()
  await send(address, { id: 'a', title: 'Sent by another system' })
  await received(page, 'Handled').filter({ hasText: 'IDEA-' }).waitFor()
  await send(address, { id: 'b', title: 'Sent by nobody', email: 'nobody' })
  await received(page, 'Failed').waitFor()
  await detail(page).getByRole('link', { name: 'Failed', exact: true }).click()
  await page.waitForURL('**status=failed')
  await received(page, 'Handled').waitFor({ state: 'detached' })
  await page.reload()
  await received(page, 'Failed').waitFor()
  return address
}

const saveMapping = async (page: Page, mapping: string): Promise<void> => {
  await detail(page).getByRole('button', { name: 'Edit' }).first().click()
  await page.getByRole('textbox', { name: 'Mapping' }).fill(mapping)
  await page.getByRole('button', { name: 'Save the incoming webhook' }).click()
  await page.locator('dialog').waitFor({ state: 'detached' })
}

const FAILING_MAPPING = 'title = $.title\nexternalId = $.id\nemail = $.email'

async function sendFailing(page: Page, address: string, id: string): Promise<void> {
  await saveMapping(page, FAILING_MAPPING)
  await send(address, { id, title: 'Sent by nobody again', email: 'nobody' })
  await received(page, 'Failed').getByRole('button', { name: 'Replay' }).waitFor()
}

/** The mapping is corrected, and failed deliveries are handled again: by keyboard, and by mouse. */
async function replayReceived(page: Page, address: string): Promise<void> {
  const button = received(page, 'Failed').getByRole('button', { name: 'Replay' })
  const handled = page.locator('.hook-receipts').getByText('Handled', { exact: true })
  await saveMapping(page, 'title = $.title\nexternalId = $.id')
  await detail(page).getByRole('link', { name: 'All', exact: true }).click()
  await handled.first().waitFor()
  await button.focus()
  await page.keyboard.press('Enter')
  await page.locator('#hook-receipts:focus').waitFor()
  await handled.nth(1).waitFor()
  await button.waitFor({ state: 'detached' })
  await sendFailing(page, address, 'c')
  await saveMapping(page, 'title = $.title\nexternalId = $.id')
  await button.click()
  await handled.nth(2).waitFor()
  check(
    (await detail(page).getByRole('button', { name: 'Replay' }).count()) === 0,
    'A handled delivery can be replayed',
  )
  await sendFailing(page, address, 'd')
}

async function changeByMouse(page: Page): Promise<void> {
  await detail(page).getByRole('button', { name: 'Edit' }).first().click()
  await page.getByRole('textbox', { name: 'Mapping' }).fill('title = $.name')
  await page.getByRole('button', { name: 'Save the incoming webhook' }).click()
  await detail(page).getByText('$.name').waitFor()
  await detail(page).getByRole('button', { name: 'More actions' }).click()
  await page.locator('#hook-more').getByRole('button', { name: 'Rotate' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate the address and the secret' }).click()
  await stored(page).click()
  await detail(page).getByRole('button', { name: 'More actions' }).click()
  await page.locator('#hook-more').getByRole('button', { name: 'Remove' }).click()
  await page.getByText(/Another system \d+ was removed/).waitFor()
  await rowOf(page, /Another system/).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Undo/ }).click()
  await titleOf(page, 'Another system').waitFor()
  await rowOf(page, /Another system/).waitFor()
}

async function workByKeyboard(context: BrowserContext): Promise<void> {
  const page = await open(context, PATH)
  await rowOf(page, /Another system/).waitFor()
  await page.keyboard.press('c')
  await page.locator('#hook-provider:focus').waitFor()
  await page.keyboard.type('Jira')
  await page.locator('#hook-mapping').focus()
  await page.keyboard.press('Shift+Tab')
  await page.locator('#hook-type:focus').waitFor()
  await page.locator('#hook-secret').focus()
  await page.keyboard.type('a secret of the sender')
  await page.keyboard.press('Enter')
  await stored(page).waitFor()
  await stored(page).focus()
  await page.keyboard.press('Enter')
  await titleOf(page, 'Jira').waitFor()
  await page.locator('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('j')
  await titleOf(page, 'Another system').waitFor()
  await page.keyboard.press('k')
  await titleOf(page, 'Jira').waitFor()
  await page.keyboard.press('Enter')
  await page.locator('#hook-title:focus').waitFor()
  await page.keyboard.press('e')
  await page.locator('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Backspace')
  await page.getByText(/Jira \d+ was removed/).waitFor()
  await titleOf(page, 'Another system').waitFor()
  await page.locator('[data-row]:focus').waitFor()
  await page.keyboard.press('z')
  await titleOf(page, 'Jira').waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(`**/console${PATH}`)
  await page.close()
}

const lookAtHooks = (browser: Browser, storageState: SignedIn): Promise<void> =>
  lookEverywhere(browser, { storageState, missingPath: '/api/v2/incoming-webhooks/999999' }, async (at) => {
    const { context, look } = at
    const page = await open(context, PATH)
    await rowOf(page, /GitHub/).waitFor()
    await look(page, 'the incoming webhooks')
    await createButton(page).click()
    await page.getByLabel('Sender').waitFor()
    await look(page, 'a new incoming webhook')
    await page.keyboard.press('Escape')
    await rowOf(page, /Another system/).click()
    await received(page, 'Failed').waitFor()
    await page.getByRole('button', { name: 'Test the payload' }).click()
    await page.getByText(/^Would /).waitFor()
    await look(page, 'an incoming webhook with a test')
    await page.goto(`${serviceUrl}/console${PATH}?hook=999999`)
    await page.getByText('This incoming webhook does not exist').waitFor()
    await look(page, 'a missing incoming webhook')
  })

/** A member reads and tests, and a viewer may not even that. */
async function readWithFewerRights(browser: Browser): Promise<void> {
  const member = { person: ['Moni', 'Member', 'member'], width: 1280 } as const
  const readInGerman = async ({ page, look, hasNoAction }: GermanLook) => {
    await rowOf(page, /GitHub/).click()
    await page.getByRole('button', { name: 'Sendung testen' }).click()
    await page.getByText('Würde verarbeitet').waitFor()
    await hasNoAction('Webhook', 'Bearbeiten', 'Weitere Aktionen')
    await look('an incoming webhook')
  }
  await lookInGerman(browser, PATH, readInGerman, member)
  const viewer = await signInAs(browser, ['Vicky', 'Viewer', 'viewer'])
  const page = await open(viewer, PATH)
  await page.getByText('Your role cannot see webhooks').waitFor()
  await viewer.close()
}

await driveConsole('The incoming webhooks of the console work', async (browser) => {
  await call('POST', '/api/initiatives', { name: `Receiver ${readClock()}` })
  const context = await signInAs(browser, ['Ina', 'Incoming', 'admin'], { missing: HOOK })
  const storageState = await context.storageState()
  const page = await open(context, PATH)
  await page.getByText('No incoming webhooks yet').waitFor()
  await createByMouse(page)
  await testPayload(page)
  await replayReceived(page, await receive(page))
  await changeByMouse(page)
  await page.close()
  // The browser reports each refusal as an error.
  const unwatched = await browser.newContext({ storageState, ...DESK })
  await sendWithoutMapping(await open(unwatched, PATH))
  await unwatched.close()
  await workByKeyboard(context)
  await lookAtHooks(browser, storageState)
  await readOnPhone(browser, storageState, {
    at: PATH,
    missing: HOOK,
    row: (list) => rowOf(list, /Another system/),
    detail: (shown) => received(shown, 'Failed'),
  })
  await readWithFewerRights(browser)
})
