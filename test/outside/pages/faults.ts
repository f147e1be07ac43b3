// On every screen of the console the network is lost and returns, and the session ends: the page says so, keeps its
// content and what was typed, and goes on without a reload.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { stamp, waitFor } from './backlog-items.ts'
import { DESK, drive } from './drive.ts'
import { createPerson } from './ideas-page.ts'
import { check, serviceUrl } from './inspect.ts'
import { readCode } from './outbox.ts'
import { isStored, textOf, type } from './screen-edits.ts'
import { createScreens, type Screen } from './screens.ts'
import { call, signIn } from './session.ts'

/** Screens whose pages share a session: five pages that wait are all that a browser sends to one host at once. */
const SCREENS_OF_A_SESSION = 5

interface Place {
  screen: Screen
  page: Page
  /** The path after the shell has settled, as the first page leads on. */
  url: string
}

async function openAll(context: BrowserContext, screens: readonly Screen[]): Promise<Place[]> {
  const opened = screens.map(async (screen) => {
    const page = await context.newPage()
    await page.goto(`${serviceUrl}/console${screen.path}`)
    await page.locator(screen.shown).first().waitFor()
    return { screen, page, url: page.url() }
  })
  return Promise.all(opened)
}

const wordsOf = ({ screen }: Place, fault: string) => `${fault} ${screen.name} ${stamp}`

/** The next page takes the focus, so a field that saves then is filled at the end. */
async function typeBefore(place: Place, fault: string): Promise<void> {
  const { page, screen } = place
  const { edit } = screen
  if (edit && !edit.savesOnLeave) await type(page, edit, textOf(edit, wordsOf(place, fault)))
  if (screen.draft) await screen.draft(page).fill(wordsOf(place, fault))
}

/** Saves what was typed; a page that edits nothing searches. */
async function act(place: Place, fault: string): Promise<void> {
  const { page, screen } = place
  const { edit } = screen
  if (edit?.savesOnLeave) await type(page, edit, textOf(edit, wordsOf(place, fault)))
  if (edit) return edit.save(page)
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').getByRole('combobox').fill(fault)
}

const NEVER_STORED = 'No edit'

/** Whether the page or one of its fields has the text. */
async function shows(page: Page, text: string): Promise<boolean> {
  if ((await page.getByText(text).count()) > 0) return true
  const values = await page
    .locator('input, textarea')
    .evaluateAll((fields) => fields.map((field) => (field as unknown as { value: string }).value))
  return values.includes(text)
}

async function checkKept(place: Place, fault: string): Promise<void> {
  const { page, screen } = place
  const words = wordsOf(place, fault)
  const text = screen.edit ? textOf(screen.edit, words) : screen.draft ? words : NEVER_STORED
  // A form may close a moment before the page shows its text.
  await waitFor(`${screen.name}: ${fault} loses what was typed`, async () => {
    if (text === NEVER_STORED || (await shows(page, text))) return true
    return shows(page, screen.edit?.stored.toStored?.(text) ?? text)
  })
  check(page.url() === place.url, `${screen.name}: ${fault} leads to ${page.url()}`)
  check((await page.locator('main').textContent()) !== '', `${screen.name}: ${fault} empties the page`)
}

/** What was typed is stored, and the screen is there. */
async function checkGoesOn(place: Place, fault: string): Promise<void> {
  const { page, screen } = place
  const { edit } = screen
  if (edit) {
    const text = textOf(edit, wordsOf(place, fault))
    await waitFor(`${screen.name}: the change is lost after ${fault}`, () => isStored(edit, text))
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  } else await page.keyboard.press('Escape')
  await checkKept(place, fault)
  await page.locator(screen.shown).first().waitFor()
  const alerts = await page.getByRole('alert').allInnerTexts()
  check(alerts.length === 0, `${screen.name}: after ${fault} the page says ${alerts.join()}`)
}

async function loseNetwork(context: BrowserContext, places: readonly Place[]): Promise<void> {
  const fault = 'the network'
  for (const place of places) await typeBefore(place, fault)
  await context.setOffline(true)
  for (const place of places) {
    await act(place, fault)
    await place.page.getByText('The service cannot be reached').waitFor()
    await checkKept(place, fault)
  }
  await context.setOffline(false)
  for (const place of places) {
    await place.page.getByText('The service cannot be reached').waitFor({ state: 'hidden' })
    await checkGoesOn(place, fault)
  }
}

const askedAgain = (page: Page) => page.getByRole('heading', { name: 'Sign in again' })

async function endSession(context: BrowserContext, places: readonly Place[], email: string): Promise<void> {
  const fault = 'the end of the session'
  for (const place of places) await typeBefore(place, fault)
  const { data } = await (await context.request.get(`${serviceUrl}/api/v2/sessions?limit=1`)).json()
  await call('DELETE', `/api/v2/sessions/${data[0].id}`)
  for (const place of places) {
    // A page that waits for events asks by itself, and takes no click then. The click comes after the sign-in.
    const asked = askedAgain(place.page).waitFor()
    const hasActed = await Promise.race([act(place, fault).then(() => true), asked.then(() => false)])
    await asked
    if (hasActed || !place.screen.edit?.savesOnLeave) await checkKept(place, fault)
  }
  const [first] = places
  if (!first) return
  await first.page.getByRole('button', { name: 'Send the code' }).click()
  const field = first.page.getByRole('textbox', { name: 'Code' })
  await field.waitFor()
  await field.fill(await readCode(email))
  await first.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  for (const place of places) {
    await askedAgain(place.page).waitFor({ state: 'hidden' })
    await checkGoesOn(place, fault)
  }
}

/** A screen that is opened without a network loads when the network is back. */
async function openWithoutNetwork(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${serviceUrl}/console/imports`)
  await page.getByRole('heading', { level: 1, name: 'Imports' }).waitFor()
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Personas' }).click()
  await page.getByText('The page could not be loaded').waitFor()
  await context.setOffline(false)
  await page.getByRole('heading', { level: 1, name: 'Personas' }).waitFor()
  await page.close()
}

/** Requests fail on purpose, so nobody watches the console of the browser. */
async function tryFaults(browser: Browser, screens: readonly Screen[], name: string): Promise<void> {
  const context = await browser.newContext(DESK)
  const email = await createPerson(name, 'Fault', 'owner')
  await signIn(context, email)
  if (name === 'Person0') await openWithoutNetwork(context)
  const places = await openAll(context, screens)
  await loseNetwork(context, places)
  await endSession(context, places, email)
  await context.close()
}

await drive(async (browser) => {
  const screens = await createScreens()
  for (let first = 0; first < screens.length; first += SCREENS_OF_A_SESSION)
    await tryFaults(browser, screens.slice(first, first + SCREENS_OF_A_SESSION), `Person${first}`)
  const edited = screens.filter(({ edit }) => edit).length
  return `${screens.length} screens, of which ${edited} edit, outlast the loss of the network and the end of the session.`
})
