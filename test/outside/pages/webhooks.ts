// Works through the webhooks of the console in Chromium, by mouse and by keyboard alone, at two widths, light and dark.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { DESK, driveConsole, type GermanLook, lookInGerman, readOnPhone, signInAs } from './drive.ts'
import { open, type SignedIn } from './ideas-page.ts'
import { check, lookEverywhere, serviceUrl } from './inspect.ts'
import { call } from './session.ts'

interface Receiver {
  url: string
  /** Status of the answers from now on. */
  answer: (status: number) => void
  close: () => void
}

/** An endpoint on this machine. */
async function startReceiver(): Promise<Receiver> {
  let status = 200
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status).end(`answered ${status}`))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    answer: (next) => {
      status = next
    },
    close: () => server.close(),
  }
}

/** A removal may overtake a read. */
const WEBHOOK = /\/webhooks\/\d+/
const detail = (page: Page) => page.getByRole('region', { name: 'Endpoint', exact: true })
const titleOf = (page: Page, name: string) => detail(page).getByRole('heading', { level: 2, name, exact: true })
const rowOf = (page: Page, name: string) => page.locator('#list').getByRole('link', { name, exact: true })
const stateOf = (page: Page, state: string) => detail(page).locator('header .badge', { hasText: state }).first()
const deliveries = (page: Page, result: string) =>
  detail(page).getByRole('row').filter({ hasText: 'webhook.tested' }).filter({ hasText: result })
const storeSecret = (page: Page) => page.getByRole('button', { name: 'I have stored the secret' })

async function chooseMore(page: Page, action: string): Promise<void> {
  await detail(page).getByRole('button', { name: 'More actions' }).click()
  await page.locator('#webhook-more').getByRole('button', { name: action }).click()
}

/** Creates an endpoint and tests it. */
async function createByMouse(page: Page, { url }: Receiver): Promise<void> {
  await page.getByRole('button', { name: 'Endpoint', exact: true }).click()
  await page.getByLabel('URL').fill(url)
  await page.getByLabel('Name').fill('Chat bridge')
  await page.getByLabel('Events', { exact: true }).fill('epic.*\nwebhook.tested')
  await page.getByRole('button', { name: 'Create the endpoint' }).click()
  await storeSecret(page).waitFor()
  const secret = await page.getByLabel('Secret', { exact: true }).inputValue()
  check(secret.startsWith('whsec_'), 'The dialog shows no secret')
  await page.keyboard.press('Escape')
  check(await storeSecret(page).isVisible(), 'Escape loses the secret')
  await storeSecret(page).click()
  await titleOf(page, 'Chat bridge').waitFor()
  await detail(page).getByText('epic.*', { exact: true }).waitFor()
}

async function readDelivery(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.waitForURL('**delivery=*')
  await deliveries(page, 'Delivered').waitFor()
  await detail(page).getByText('answered 200', { exact: true }).waitFor()
  await detail(page).getByText('"webhook.tested"').waitFor()
  await page.reload()
  await detail(page).getByText('answered 200', { exact: true }).waitFor()
  await detail(page).getByRole('link', { name: 'Failed', exact: true }).click()
  await page.waitForURL('**result=failed')
  await page.getByText('No failed deliveries.').waitFor()
  await detail(page).getByRole('link', { name: 'All', exact: true }).click()
  await deliveries(page, 'Delivered').waitFor()
}

/** An answer of 410 disables the endpoint; the team resumes it and replays what failed. */
async function replayFailed(page: Page, receiver: Receiver): Promise<void> {
  receiver.answer(410)
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('This endpoint is disabled').waitFor()
  await deliveries(page, 'Failed').waitFor()
  await detail(page).getByText('answered 410', { exact: true }).waitFor()
  receiver.answer(200)
  await page.getByRole('button', { name: 'Resume' }).first().click()
  await stateOf(page, 'Active').waitFor()
  await page.getByRole('button', { name: 'Replay…' }).click()
  await page.getByRole('button', { name: 'Replay the events' }).click()
  await page.getByText('The matching events are on their way.').waitFor()
  await deliveries(page, 'Failed').waitFor({ state: 'detached' })
  await deliveries(page, 'Delivered').nth(1).waitFor()
  const replayed = page.waitForResponse((response) => response.url().endsWith('/replay'))
  await deliveries(page, 'Delivered')
    .first()
    .getByRole('button', { name: /^Replay/ })
    .click()
  check((await replayed).ok(), 'A single delivery was not replayed')
  await page.getByText('is on its way again.').waitFor()
  await detail(page).getByRole('heading', { level: 4, name: '3 attempts' }).waitFor()
}

async function changeByMouse(page: Page): Promise<void> {
  await chooseMore(page, 'Pause')
  await stateOf(page, 'Paused').waitFor()
  check(await page.getByRole('button', { name: 'Send a test' }).isDisabled(), 'A paused endpoint takes a test')
  await chooseMore(page, 'Resume')
  await stateOf(page, 'Active').waitFor()
  await chooseMore(page, 'Edit')
  await page.getByLabel('Name').fill('Chat bridge 2')
  await page.getByRole('button', { name: 'Save the endpoint' }).click()
  await titleOf(page, 'Chat bridge 2').waitFor()
  await rowOf(page, 'Chat bridge 2').waitFor()
  await chooseMore(page, 'Rotate the secret')
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click()
  await storeSecret(page).click()
  await chooseMore(page, 'Remove')
  await page.getByText('Chat bridge 2 was removed.').waitFor()
  await rowOf(page, 'Chat bridge 2').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Undo/ }).click()
  await titleOf(page, 'Chat bridge 2').waitFor()
}

async function workByKeyboard(context: BrowserContext, receiver: Receiver): Promise<void> {
  const page = await open(context, '/webhooks')
  await rowOf(page, 'Chat bridge 2').waitFor()
  await page.keyboard.press('c')
  await page.locator('#webhook-url:focus').waitFor()
  await page.keyboard.type(receiver.url)
  await page.keyboard.press('Tab')
  await page.keyboard.type('Warehouse')
  await page.keyboard.press('Enter')
  await storeSecret(page).waitFor()
  await page.keyboard.press('Tab')
  await page.locator('dialog .primary:focus').waitFor()
  await page.keyboard.press('Enter')
  await titleOf(page, 'Warehouse').waitFor()
  await page.keyboard.press('t')
  await deliveries(page, 'Delivered').first().waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(/webhooks\?webhook=\d+$/)
  await page.keyboard.press('e')
  await page.locator('#webhook-url:focus').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('End')
  await page.keyboard.type(' 2')
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
  await page.keyboard.press('Enter')
  await saved
  await titleOf(page, 'Warehouse 2').waitFor()
  await page.locator('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Backspace')
  await page.getByText('Warehouse 2 was removed.').waitFor()
  await page.locator('[data-webhook]:focus').waitFor()
  await titleOf(page, 'Chat bridge 2').waitFor()
  await page.keyboard.press('z')
  await titleOf(page, 'Warehouse 2').waitFor()
  await rowOf(page, 'Warehouse 2').waitFor()
  await page.keyboard.press('j')
  await titleOf(page, 'Chat bridge 2').waitFor()
  await page.keyboard.press('Enter')
  await page.locator('#webhook-title:focus').waitFor()
  await page.keyboard.press('r')
  await page.getByRole('button', { name: 'Replay the events' }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await page.waitForURL('**/console/webhooks')
  await page.close()
}

const lookAtWebhooks = (browser: Browser, storageState: SignedIn, delivery: string): Promise<void> =>
  lookEverywhere(browser, { storageState, missingPath: '/api/v2/webhooks/999999' }, async ({ context, look }) => {
    const page = await open(context, '/webhooks')
    await rowOf(page, 'Chat bridge 2').waitFor()
    await look(page, 'the webhooks')
    await page.getByRole('button', { name: 'Endpoint', exact: true }).click()
    await page.getByLabel('URL').waitFor()
    await look(page, 'a new endpoint')
    await page.goto(delivery)
    await detail(page).getByText('answered 200', { exact: true }).first().waitFor()
    await look(page, 'a delivery')
    await page.getByRole('button', { name: 'Replay…' }).click()
    await page.getByRole('button', { name: 'Replay the events' }).waitFor()
    await look(page, 'the replay')
    await page.goto(`${serviceUrl}/console/webhooks?webhook=999999`)
    await page.getByText('This endpoint does not exist').waitFor()
    await look(page, 'a missing endpoint')
  })

async function readWithFewerRights(browser: Browser): Promise<void> {
  const member = { person: ['Mia', 'Member', 'member'], width: 1280 } as const
  const readInGerman = async ({ page, look, hasNoAction }: GermanLook) => {
    await rowOf(page, 'Chat bridge 2').click()
    await page.getByRole('heading', { level: 3, name: 'Zustellungen' }).waitFor()
    await page.getByRole('row').filter({ hasText: 'webhook.tested' }).first().waitFor()
    await hasNoAction('Endpunkt', 'Test senden', /^Wiederholen/, 'Weitere Aktionen')
    await look('a webhook')
  }
  await lookInGerman(browser, '/webhooks', readInGerman, member)
  const viewer = await signInAs(browser, ['Vera', 'Viewer', 'viewer'])
  const page = await open(viewer, '/webhooks')
  await page.getByText('Your role cannot see webhooks').waitFor()
  check((await page.getByRole('link', { name: 'Webhooks' }).count()) === 0, 'A viewer is led to the webhooks')
  await viewer.close()
}

/** An endpoint with a key of its own outlives the session in which it was created. */
async function outliveSession(browser: Browser, { url }: Receiver): Promise<void> {
  const context = await signInAs(browser, ['Lara', 'Leaves', 'admin'], { missing: WEBHOOK })
  const page = await open(context, '/webhooks')
  await page.getByRole('button', { name: 'Endpoint', exact: true }).click()
  await page.getByLabel('URL').fill(url)
  await page.getByLabel('Name').fill('Lasting')
  await page.getByText('A new API key of its own').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Create the endpoint' }).click()
  await storeSecret(page).click()
  await titleOf(page, 'Lasting').waitFor()
  await chooseMore(page, 'Pause')
  await stateOf(page, 'Paused').waitFor()
  await chooseMore(page, 'Resume')
  await stateOf(page, 'Active').waitFor()
  await page.getByRole('button', { name: /^Workspace/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in?**')
  await context.close()
  const webhooks = await call<{ name: string; status: string; id: number }[]>('GET', '/api/v2/webhooks?limit=100')
  const lasting = webhooks.find(({ name }) => name === 'Lasting')
  check(lasting?.status === 'active', 'The endpoint pauses with the session of its creator')
  await call('DELETE', `/api/v2/webhooks/${lasting?.id}`)
}

async function sendWrongUrl(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Endpoint', exact: true }).click()
  await page.getByLabel('URL').fill('http://example.com/hooks')
  await page.getByRole('button', { name: 'Create the endpoint' }).click()
  await page.getByText('Must begin with https://').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
}

/** A change of somebody else to the same name asks which name stays. */
async function renameTogether(page: Page): Promise<void> {
  const endpoints = await call<{ id: number; name: string }[]>('GET', '/api/v2/webhooks?limit=100')
  const id = endpoints.find(({ name }) => name === 'Chat bridge 2')?.id
  let isRenamed = false
  await page.route('**/api/v2/webhooks/*', async (route) => {
    if (route.request().method() === 'PUT' && !isRenamed) {
      isRenamed = true
      await call('PUT', `/api/v2/webhooks/${id}`, { name: 'Bridge of another' })
    }
    await route.continue()
  })
  await chooseMore(page, 'Edit')
  await page.getByLabel('Name').fill('Bridge of mine')
  await page.getByRole('button', { name: 'Save the endpoint' }).click()
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await titleOf(page, 'Bridge of mine').waitFor()
  await page.getByRole('button', { name: 'Keep mine' }).waitFor({ state: 'detached' })
  await page.unrouteAll({ behavior: 'wait' })
  await call('PUT', `/api/v2/webhooks/${id}`, { name: 'Chat bridge 2' })
  await titleOf(page, 'Chat bridge 2').waitFor()
}

await driveConsole('The webhooks of the console work', async (browser) => {
  const receiver = await startReceiver()
  try {
    const context = await signInAs(browser, ['Anna', 'Admin', 'admin'], { missing: WEBHOOK })
    const storageState = await context.storageState()
    const page = await open(context, '/webhooks')
    await page.getByText('No endpoints yet').waitFor()
    await createByMouse(page, receiver)
    await readDelivery(page)
    await replayFailed(page, receiver)
    const delivery = page.url()
    await changeByMouse(page)
    await page.close()
    // The browser reports each refusal as an error.
    const unwatched = await browser.newContext({ storageState, ...DESK })
    const refused = await open(unwatched, '/webhooks')
    await sendWrongUrl(refused)
    await rowOf(refused, 'Chat bridge 2').click()
    await titleOf(refused, 'Chat bridge 2').waitFor()
    await renameTogether(refused)
    await unwatched.close()
    await workByKeyboard(context, receiver)
    await lookAtWebhooks(browser, storageState, delivery)
    await outliveSession(browser, receiver)
    await readOnPhone(browser, storageState, {
      at: '/webhooks',
      missing: WEBHOOK,
      row: (list) => rowOf(list, 'Chat bridge 2'),
      detail: (shown) => deliveries(shown, 'Delivered'),
    })
    await readWithFewerRights(browser)
  } finally {
    receiver.close()
  }
})
