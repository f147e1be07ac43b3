// The frame of the drives of the console: signing in, the look in German, the look at the narrowest width, and phones.
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import '../../../scripts/leash.ts'
import { runMain } from '../../../scripts/wrangler.ts'
import { createPerson, open, type SignedIn } from './ideas-page.ts'
import { check, inspect, inspectWithBrowser, isTooWide, NARROWEST, watch } from './inspect.ts'
import { signIn } from './session.ts'

/** First name, last name and role. */
type Person = readonly [string, string, string]

export const DESK = { viewport: { width: 1280, height: 900 } }

interface SignInOptions extends BrowserContextOptions {
  /** Records whose changes and reads the service may refuse, see `watch`. */
  missing?: string | RegExp
}

/** A browser of a new person. A session has a thousand units of the rate limit in a minute, so long drives have several. */
export async function signInAs(
  browser: Browser,
  [firstName, lastName, role]: Person,
  { missing, ...options }: SignInOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ ...DESK, ...options })
  watch(context, missing)
  await signIn(context, await createPerson(firstName, lastName, role))
  return context
}

/** Runs a drive, which returns its report. */
export const drive = (run: (browser: Browser) => Promise<string>): Promise<void> =>
  runMain(() => inspectWithBrowser(run))

/** Runs the drive of a screen. The subject has its verb: "The personas of the console work". */
export const driveConsole = (subject: string, run: (browser: Browser) => Promise<void>): Promise<void> =>
  drive(async (browser) => {
    await run(browser)
    return `${subject} by mouse and by keyboard, at both widths, light and dark.`
  })

export interface GermanLook {
  page: Page
  /** Inspects what the page shows now. */
  look: (what: string) => Promise<void>
  /** No button has one of the names. */
  hasNoAction: (...names: readonly (string | RegExp)[]) => Promise<void>
}

interface GermanOptions {
  person?: Person
  width?: number
}

/** Looks at a place in German, as a viewer on a desk at 400 % unless the options name another. */
export async function lookInGerman(
  browser: Browser,
  at: string,
  run: (look: GermanLook) => Promise<void>,
  { person = ['Vera', 'Viewer', 'viewer'], width = NARROWEST }: GermanOptions = {},
): Promise<void> {
  const context = await signInAs(browser, person, { locale: 'de-DE', viewport: { width, height: 900 } })
  const page = await open(context, at)
  const look = (what: string) => inspect(page, `${what} in German at ${width} px`)
  const hasNoAction = async (...names: readonly (string | RegExp)[]) => {
    for (const name of names) {
      const count = await page.getByRole('button', { name }).count()
      check(count === 0, `${page.url()}: a ${person[2]} sees the action ${name}`)
    }
  }
  await run({ page, look, hasNoAction })
  await context.close()
}

/** Looks at places at the narrowest width, each once its locator is there. */
export async function lookNarrow(
  browser: Browser,
  storageState: SignedIn,
  places: Readonly<Record<string, (page: Page) => Locator>>,
): Promise<void> {
  const context = await browser.newContext({ storageState, viewport: { width: NARROWEST, height: 700 } })
  for (const [at, shown] of Object.entries(places)) {
    const page = await open(context, at)
    await shown(page).first().waitFor()
    check(!(await isTooWide(page)), `${at} at ${NARROWEST} px scrolls sideways`)
  }
  await context.close()
}

interface PhoneOptions {
  at: string
  missing?: RegExp
  row: (page: Page) => Locator
  /** Is there once the detail is shown. */
  detail: (page: Page) => Locator
}

/** On a phone, a list beside its detail becomes two steps. */
export async function readOnPhone(
  browser: Browser,
  storageState: SignedIn,
  { at, missing, row, detail }: PhoneOptions,
): Promise<void> {
  const context = await browser.newContext({ storageState, viewport: { width: 390, height: 800 }, hasTouch: true })
  watch(context, missing)
  const page = await open(context, at)
  await row(page).first().click()
  await detail(page).first().waitFor()
  await page.setViewportSize({ width: NARROWEST, height: 700 })
  check(!(await isTooWide(page)), `A detail of ${at} at ${NARROWEST} px scrolls sideways`)
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await row(page).first().waitFor()
  check(!(await isTooWide(page)), `${at} at ${NARROWEST} px scrolls sideways`)
  await context.close()
}

/** Waits for the answer to a request that `act` sends. */
export async function change(page: Page, method: string, path: string, act: () => Promise<unknown>): Promise<void> {
  const answer = page.waitForResponse(
    (response) => response.request().method() === method && new URL(response.url()).pathname === path,
  )
  await act()
  const response = await answer
  check(response.ok(), `${method} ${path} was refused: ${response.status()}`)
}
