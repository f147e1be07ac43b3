// Sets up a provider and domains in the settings of the console, by mouse and by keyboard alone, at two widths, light and dark.
import type { Browser, BrowserContext } from 'playwright-core'
import { readClock } from '../../clock.ts'
import { DESK, driveConsole, type GermanLook, lookInGerman, lookNarrow, signInAs } from './drive.ts'
import { open, type SignedIn } from './ideas-page.ts'
import { check, inspect, lookEverywhere, serviceUrl } from './inspect.ts'
import { call } from './session.ts'

const PATH = '/settings/sign-in'
const DOMAIN = `corp-${readClock()}.example.com`

const lookAtSignIn = (browser: Browser, storageState: SignedIn): Promise<void> =>
  lookEverywhere(browser, { storageState }, async ({ context, look }) => {
    const page = await open(context, PATH)
    await page.getByText('Not verified yet').waitFor()
    await look(page, 'the sign-in')
  })

async function useDomains(context: BrowserContext): Promise<void> {
  const page = await open(context, PATH)
  await page.getByRole('textbox', { name: 'Domain' }).fill(DOMAIN)
  await page.getByRole('button', { name: 'Add the domain' }).click()
  const row = page.getByRole('row').filter({ hasText: DOMAIN })
  await row.getByText('Not verified yet').waitFor()
  const { workspace } = await call<{ workspace: { id: number } }>('GET', '/api/v2/me')
  await page.getByText(`groundwork-verification=${new URL(serviceUrl).host}/${workspace.id}`).waitFor()
  await page.getByRole('button', { name: 'Look up the records again' }).click()
  await page.getByText('A TXT record was not found.').waitFor()
  await inspect(page, 'a domain of sign-ins without its record')
  await page.getByRole('button', { name: `Remove ${DOMAIN}` }).focus()
  await page.keyboard.press('Enter')
  await row.first().waitFor({ state: 'hidden' })
  check((await page.locator('body:focus').count()) === 0, 'The removal of a domain loses the focus')
  await page.keyboard.press('z')
  await row.getByText('Not verified yet').waitFor()
  await page.close()
}

/** A provider without encryption could be read by others. */
async function refuseProvider(context: BrowserContext): Promise<void> {
  const page = await open(context, PATH)
  await page.getByRole('textbox', { name: 'Issuer' }).fill('http://login.example.com')
  await page.getByRole('textbox', { name: 'Client id' }).fill('groundwork')
  await page.getByRole('button', { name: 'Save the sign-in' }).click()
  await page.getByText('The settings of sign-ins were not changed').waitFor()
  await inspect(page, 'a provider that the service refuses')
  await page.getByRole('button', { name: 'Discard the changes' }).click()
  check((await page.getByRole('textbox', { name: 'Issuer' }).inputValue()) === '', 'The discarded provider stays')
  await page.close()
}

async function changeByKeyboard(context: BrowserContext): Promise<void> {
  const page = await open(context, PATH)
  const role = page.getByRole('combobox', { name: 'Role of new people' })
  await role.focus()
  await page.keyboard.type('View')
  await page.getByRole('button', { name: 'Save the sign-in' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('The settings of sign-ins were changed.').waitFor()
  const stored = await call<{ role: string; domains: string[] }>('GET', '/api/v2/settings/sign-in')
  check(stored.role === 'viewer' && stored.domains.includes(DOMAIN), `The settings are ${JSON.stringify(stored)}`)
  await page.close()
}

/** An admin reads; a viewer has no such page. */
async function lookByRole(browser: Browser): Promise<void> {
  const lookAsAdmin = async ({ page, look }: GermanLook) => {
    await page.getByText('Inhaber ändern, wie sich Personen anmelden.').waitFor()
    await page.getByText('Noch nicht bestätigt').waitFor()
    check((await page.locator('main').getByRole('button').count()) === 0, 'An admin sees an action of owners')
    await look('the sign-in')
  }
  await lookInGerman(browser, PATH, lookAsAdmin, { person: ['Adam', 'Admin', 'admin'], width: 1280 })
}

await driveConsole('The settings of sign-ins work', async (browser) => {
  const context = await signInAs(browser, ['Olga', 'Owner', 'owner'])
  const storageState = await context.storageState()
  await call('PATCH', '/api/v2/settings/sign-in', { issuer: null, clientId: null, domains: [], role: 'member' })
  await useDomains(context)
  await lookAtSignIn(browser, storageState)
  const faulty = await browser.newContext({ storageState, ...DESK })
  await refuseProvider(faulty)
  await changeByKeyboard(context)
  await lookByRole(browser)
  await lookNarrow(browser, storageState, { [PATH]: (page) => page.getByText('Not verified yet') })
  await call('PATCH', '/api/v2/settings/sign-in', { domains: [], role: 'member' })
})
