// Reads the usage, exports, erases a person, and schedules and cancels the erasure of the workspace, at two widths, light and dark.
import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { readClock } from '../../clock.ts'
import { DESK, driveConsole, type GermanLook, lookInGerman, lookNarrow, signInAs } from './drive.ts'
import { open, type SignedIn } from './ideas-page.ts'
import { check, inspect, isTooWide, lookEverywhere, NARROWEST, serviceUrl } from './inspect.ts'
import { call } from './session.ts'

const DATA = '/settings/data'
const WORKSPACE = '/settings/workspace'

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

const lookAtPages = (browser: Browser, storageState: SignedIn): Promise<void> =>
  lookEverywhere(browser, { storageState }, async ({ context, look }) => {
    const page = await open(context, WORKSPACE)
    await page.getByText('No limit').first().waitFor()
    await page.getByRole('textbox', { name: 'Address of an idea in mail' }).waitFor()
    await look(page, 'the workspace')
    await page.goto(`${serviceUrl}/console${DATA}`)
    await page.getByRole('button', { name: 'Export the workspace' }).waitFor()
    await look(page, 'the exports and erasures')
    await page.getByRole('button', { name: /^Erase / }).click()
    await page.getByText('After seven days').waitFor()
    await look(page, 'the question before an erasure')
  })

interface Limits {
  limits: Record<'mailingsPerHour' | 'unitsPerMinute', { limit: number; used: number | null }>
}

/** The numbers are those of the service. */
async function readUsage(context: BrowserContext): Promise<void> {
  const page = await open(context, WORKSPACE)
  const { limits } = await call<Limits>('GET', '/api/v2/me')
  const { limit, used } = limits.mailingsPerHour
  await page.getByText(`${used} of ${limit} ·`).waitFor()
  const bar = page.getByRole('progressbar', { name: 'Mailings this hour' })
  check((await bar.getAttribute('max')) === String(limit), 'The bar of the mailings has another limit')
  await page.getByText(limits.unitsPerMinute.limit.toLocaleString('en'), { exact: true }).waitFor()
  await page.close()
}

async function changeSettings(context: BrowserContext): Promise<void> {
  const page = await open(context, WORKSPACE)
  const origin = `https://app-${readClock()}.example.com`
  await page.getByRole('textbox', { name: /^Pages that can call/ }).fill(`${origin}\n\n`)
  await page.getByRole('button', { name: 'Save the settings' }).click()
  await page.getByText('The settings were changed.').waitFor()
  const { cors } = await call<{ cors: string[] }>('GET', '/api/v2/settings')
  check(cors.length === 1 && cors[0] === origin, `The settings list ${cors}`)
  await page.getByRole('textbox', { name: 'Address of an idea in mail' }).fill('no address')
  await page.getByRole('button', { name: 'Save the settings' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('The settings were not changed').waitFor()
  await inspect(page, 'settings that the service refuses')
  await page.close()
}

async function exportByMouse(context: BrowserContext): Promise<void> {
  const page = await open(context, DATA)
  await page.getByRole('button', { name: 'Export the workspace' }).click()
  await page.getByRole('checkbox', { name: 'The log of events' }).check()
  await inspect(page, 'the dialog for an export')
  await page.getByRole('dialog').getByRole('button', { name: 'Export the workspace' }).click()
  const row = rowOf(page, 'The log of events').first()
  await row.getByText('Export: Completed').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    row.getByRole('link', { name: /^Download the export of/ }).click(),
  ])
  check(
    readFileSync(await download.path())
      .subarray(0, 2)
      .toString() === 'PK',
    'The export is no ZIP file',
  )
  await inspect(page, 'the exports')
  await page.close()
}

async function exportByKeyboard(context: BrowserContext): Promise<void> {
  const page = await open(context, DATA)
  await page.getByRole('table').first().waitFor()
  const rows = await page.getByText('Export: Completed').count()
  await page.getByRole('button', { name: 'Export the workspace' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('checkbox').first().waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Export the workspace' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Export: Completed').nth(rows).waitFor()
  await page.close()
}

/** The workspace is not empty, so that the service refuses before it stores anything. */
async function refuseRestore(context: BrowserContext): Promise<void> {
  const page = await open(context, DATA)
  await page
    .getByLabel('Choose a ZIP file')
    .setInputFiles({ name: 'old.zip', mimeType: 'application/zip', buffer: Buffer.from('PK') })
  await page.getByText('The service checks the whole file').waitFor()
  await page.getByRole('button', { name: 'Restore the export' }).click()
  await page.getByRole('alert').getByText('The export was not restored').waitFor()
  await inspect(page, 'a restore that the service refuses')
  await page.close()
}

async function erasePerson(context: BrowserContext): Promise<void> {
  const email = `gina-${readClock()}@example.com`
  await call('POST', '/api/v2/users', { email, firstName: 'Gina', lastName: `Gone ${readClock()}`, role: 'viewer' })
  const page = await open(context, DATA)
  await page.getByRole('searchbox', { name: 'Name or address' }).focus()
  await page.keyboard.type(email.split('@')[0] ?? '')
  await page.keyboard.press('Enter')
  await rowOf(page, email).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /^Download the data of Gina/ }).click(),
  ])
  const { member } = JSON.parse(readFileSync(await download.path(), 'utf8')) as { member: { email: string } }
  check(member.email === email, `The file is about ${member.email}`)
  await page.getByRole('button', { name: /^Erase Gina/ }).focus()
  await page.keyboard.press('Enter')
  const act = page.getByRole('button', { name: 'Erase the person for good' })
  await page.getByRole('textbox', { name: /to confirm$/ }).fill(email.slice(1))
  check(await act.isDisabled(), 'Another address confirms the erasure')
  await page.getByRole('textbox', { name: /to confirm$/ }).fill(email)
  await inspect(page, 'the question before the erasure of a person')
  await page.keyboard.press('Enter')
  await page.getByText(/was erased\.$/).waitFor()
  await rowOf(page, email).waitFor({ state: 'hidden' })
  check((await page.locator('body:focus').count()) === 0, 'An erasure loses the focus')
  const left = await call<object[]>('GET', `/api/v2/idea-manager/members?email=${email}&removed=include`)
  check(left.length === 0, 'An erased person is still listed')
  await page.close()
}

/** Nothing can be changed until the erasure is canceled. */
async function eraseWorkspace(context: BrowserContext): Promise<void> {
  const { workspace } = await call<{ workspace: { name: string } }>('GET', '/api/v2/me')
  const page = await open(context, DATA)
  await page.getByRole('button', { name: `Erase ${workspace.name}` }).click()
  const act = page.getByRole('button', { name: 'Erase the workspace in seven days' })
  await page.getByRole('textbox', { name: /to confirm$/ }).fill(workspace.name.toUpperCase())
  check(await act.isDisabled(), 'Another name confirms the erasure')
  await page.getByRole('textbox', { name: /to confirm$/ }).fill(workspace.name)
  await act.click()
  await page
    .getByText(/^The workspace is erased on/)
    .first()
    .waitFor()
  await inspect(page, 'a scheduled erasure')
  const refused = await call('POST', '/api/v2/teams', { name: 'Late' }).then(
    () => false,
    () => true,
  )
  check(refused, 'A workspace that is to be erased can be changed')
  await page.goto(`${serviceUrl}/console/kpis`)
  const link = page.getByRole('link', { name: 'Go to the erasure' })
  await link.waitFor()
  await inspect(page, 'a page of a workspace that is erased soon')
  await page.setViewportSize({ width: NARROWEST, height: 700 })
  check(!(await isTooWide(page)), `The banner of the erasure at ${NARROWEST} px scrolls sideways`)
  await page.setViewportSize({ width: 1280, height: 900 })
  await link.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**${DATA}`)
  await page.getByRole('button', { name: 'Cancel the erasure' }).waitFor()
  await link.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Cancel the erasure' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('The erasure was canceled.').waitFor()
  await page.getByRole('button', { name: `Erase ${workspace.name}` }).waitFor()
  await page.close()
}

async function lookByRole(browser: Browser): Promise<void> {
  const lookAsViewer = async ({ page, look, hasNoAction }: GermanLook) => {
    await page.getByRole('searchbox', { name: 'Name oder Adresse' }).fill('Olga')
    await page.getByRole('button', { name: 'Personen suchen' }).click()
    const download = page.getByRole('link', { name: /^Daten herunterladen: Olga/ })
    await download.first().waitFor()
    await look('the erasures')
    await hasNoAction(/löschen|exportieren/)
    await page.goto(`${serviceUrl}/console${WORKSPACE}`)
    await page.getByText('Inhaber und Admins ändern die Einstellungen').waitFor()
    await page.getByText('Keine Grenze').first().waitFor()
    await look('the workspace')
    check((await page.locator('main fieldset :enabled').count()) === 0, 'A viewer can change the settings')
  }
  await lookInGerman(browser, DATA, lookAsViewer, { width: 1280 })
}

await driveConsole('Usage, exports and erasures of the console work', async (browser) => {
  const context = await signInAs(browser, ['Olga', 'Owner', 'owner'])
  const storageState = await context.storageState()
  await readUsage(context)
  await exportByMouse(context)
  await exportByKeyboard(context)
  await lookAtPages(browser, storageState)
  await erasePerson(context)
  await lookByRole(browser)
  const faulty = await browser.newContext({ storageState, ...DESK })
  await changeSettings(faulty)
  await refuseRestore(faulty)
  await eraseWorkspace(context)
  const shown = (page: Page) => page.getByRole('heading', { level: 2 }).nth(1)
  await lookNarrow(browser, storageState, { [DATA]: shown, [WORKSPACE]: shown })
})
