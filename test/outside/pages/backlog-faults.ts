// The network fails and returns, and the session ends, while a person works in the backlog and on the board.
import type { Browser, BrowserContext } from 'playwright-core'
import { type Keys, openBacklog, row, SMALL, waitFor } from './backlog-items.ts'
import { createPerson } from './ideas-page.ts'
import { check, inspect, serviceUrl } from './inspect.ts'
import { readCode } from './outbox.ts'
import { call, signIn } from './session.ts'

const NETWORK = ['**/api/**', '**/health']
const UNREACHABLE = 'The service cannot be reached'
const WAITING = 'Waits for the network'

const readSummary = async (key: string) =>
  (await call<{ summary: string }>('GET', `/api/initiatives/${SMALL}/epics/${key}`)).summary

const cut = async (context: BrowserContext): Promise<void> => {
  for (const path of NETWORK) await context.route(path, (route) => route.abort())
}
const join = async (context: BrowserContext): Promise<void> => {
  for (const path of NETWORK) await context.unroute(path)
}

async function editWithoutNetwork(context: BrowserContext, { other }: Keys): Promise<void> {
  const page = await openBacklog(context)
  await row(page, other).focus()
  await cut(context)
  await page.keyboard.press('e')
  await page.getByRole('textbox', { name: `Summary of ${other}` }).fill('Written in a tunnel')
  await page.keyboard.press('Enter')
  await row(page, other).getByText('Written in a tunnel').waitFor()
  await row(page, other).getByText(WAITING).waitFor({ state: 'attached' })
  await page.getByText(UNREACHABLE).waitFor()
  await inspect(page, 'the backlog without a network')
  await join(context)
  await page.getByText(UNREACHABLE).waitFor({ state: 'hidden' })
  await row(page, other).getByText(WAITING).waitFor({ state: 'detached' })
  await waitFor('A change is lost with the network', async () => (await readSummary(other)) === 'Written in a tunnel')
  check((await page.getByRole('alert').count()) === 0, 'A change that waited shows a failure')
  await page.close()
}

async function moveWithoutNetwork(context: BrowserContext, { stories }: Keys): Promise<void> {
  const second = stories[1] ?? ''
  const path = `/api/initiatives/${SMALL}/storyMap/card/${second}`
  await call('PUT', path, { progress: 'to-do' })
  const page = await context.newPage()
  await page.goto(`${serviceUrl}/console/board?product=${SMALL}`)
  const inProgress = page.getByRole('region', { name: 'In progress', exact: true }).locator(`[data-key="${second}"]`)
  await page.locator(`#card-${second}`).focus()
  await cut(context)
  await page.keyboard.press('Space')
  await page.getByText(`${second} is lifted: To do`).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByText(`Moving ${second}: In progress`).waitFor()
  await page.keyboard.press('Enter')
  await inProgress.getByText(WAITING).waitFor({ state: 'attached' })
  await page.getByText(UNREACHABLE).waitFor()
  await inspect(page, 'the board without a network')
  await join(context)
  await page.getByText(UNREACHABLE).waitFor({ state: 'hidden' })
  await waitFor(
    'A moved card is lost with the network',
    async () => (await call<{ progress: string }>('GET', path)).progress === 'in-progress',
  )
  await inProgress.waitFor()
  await page.close()
}

/** The typed title waits while the person signs in again. */
async function editAfterSession(context: BrowserContext, email: string, { other }: Keys): Promise<void> {
  const page = await openBacklog(context)
  await row(page, other).focus()
  await page.keyboard.press('e')
  const field = page.getByRole('textbox', { name: `Summary of ${other}` })
  await field.waitFor()
  const { data } = await (await context.request.get(`${serviceUrl}/api/v2/sessions?limit=1`)).json()
  await call('DELETE', `/api/v2/sessions/${data[0].id}`)
  await field.fill('Written after the session')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor()
  await page.getByRole('button', { name: 'Send the code' }).click()
  await page.getByRole('textbox', { name: 'Code' }).waitFor()
  await page.getByRole('textbox', { name: 'Code' }).fill(await readCode(email))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor({ state: 'hidden' })
  await row(page, other).getByText('Written after the session').waitFor()
  await waitFor(
    'A change is lost with the session',
    async () => (await readSummary(other)) === 'Written after the session',
  )
  await page.close()
}

/** Requests fail on purpose, so nobody watches the console of the browser. */
export async function loseConnections(browser: Browser, keys: Keys): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const email = await createPerson('Tom', 'Tunnel', 'member')
  await signIn(context, email)
  await editWithoutNetwork(context, keys)
  await moveWithoutNetwork(context, keys)
  await editAfterSession(context, email, keys)
  await context.close()
}
