// Uses the console in Chromium: each screen at two widths, light and dark, by mouse and by keyboard alone.
import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import '../../../scripts/leash.ts'
import { runMain } from '../../../scripts/wrangler.ts'
import { readClock } from '../../clock.ts'
import { lookAtBacklogAsViewer, tryBacklog } from './backlog.ts'
import {
  check,
  inspect,
  inspectWithBrowser,
  isTooWide,
  lookEverywhere,
  NARROWEST,
  serviceUrl,
  showsFocus,
  watch,
} from './inspect.ts'
import { readCode } from './outbox.ts'
import { call, signIn } from './session.ts'

const JIRA = `Summary,Issue key,Issue id,Issue Type,Status,Labels,Story Points,Assignee,Team name,Parent
Checkout,SHOP-1,1,Epic,In Progress,web,,somebody@example.com,Payments,
Pay by card,SHOP-2,2,Story,To Do,web,5,,Payments,1
Pay later,SHOP-3,3,Story,Done,,8,,,1
,SHOP-4,4,Story,Done,,3,,,1
`
const file = (name: string, text = JIRA) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

/** Cookies of a signed-in browser, for another. */
type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>

const open = async (context: BrowserContext, at: string): Promise<Page> => {
  const page = await context.newPage()
  await page.goto(`${serviceUrl}/console${at}`)
  return page
}

const lookAtScreens = (browser: Browser, storageState: SignedIn): Promise<void> =>
  lookEverywhere(browser, { storageState }, async ({ context, width, colorScheme, look }) => {
    const page = await open(context, '/imports')
    await page.getByRole('heading', { level: 1, name: 'Imports' }).waitFor()
    await look(page, 'the imports')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('import')
    await page.getByRole('option', { name: 'Import a file' }).waitFor()
    await look(page, 'the search')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('heading', { name: 'Keyboard' }).waitFor()
    await look(page, 'the keys')
    await checkKeyHelp(page)
    await page.keyboard.press('Escape')
    if (width < 840) {
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('navigation', { name: 'Main' }).waitFor()
      await look(page, 'the drawer')
      await page.getByRole('link', { name: 'Versions' }).click()
      await page.getByRole('heading', { level: 1, name: 'Versions' }).waitFor()
      await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'hidden' })
    }
    await page.goto(`${serviceUrl}/console/imports/new`)
    await page.getByText('What does the file hold?').waitFor()
    await look(page, 'the choice of a file')
    await page.setInputFiles('input[type=file]', file(`look-${width}-${colorScheme}.csv`))
    await page.getByRole('heading', { name: 'Columns' }).waitFor()
    await look(page, 'the columns')
    await page.getByRole('button', { name: 'Show the dry run' }).click()
    await page.getByRole('button', { name: /^Import 3 rows/ }).waitFor()
    await look(page, 'the dry run')
    await page.goto(`${serviceUrl}/console/nowhere`)
    await page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor()
    await look(page, 'a missing page')
  })

/** Names each action once, with the sign of its keys. */
async function checkKeyHelp(page: Page): Promise<void> {
  const labels = await page.locator('.keys dt').allTextContents()
  check(labels.includes('Go to Board'), 'The keys do not lead to the board')
  check(new Set(labels).size === labels.length, `The keys name an action twice: ${labels.join()}`)
  const keys = await page.locator('.keys kbd').allTextContents()
  check(!keys.some((key) => /ARROW|ESCAPE|BACKSPACE/i.test(key)), `The keys have raw names: ${keys.join()}`)
}

/** Brings a file of Jira, decides about a column and a value, looks at the dry run, imports and takes it back. */
async function importByMouse(context: BrowserContext): Promise<void> {
  const page = await open(context, '/imports')
  await page.getByRole('link', { name: 'Import a file' }).click()
  await page.getByRole('radio', { name: /^Work items/ }).check()
  await page.setInputFiles('input[type=file]', file('shop.csv'))
  await page.getByText('This looks like a file of Jira').waitFor()
  check(await page.getByText('4 rows').first().isVisible(), 'The wizard does not count the rows')
  await page.getByRole('button', { name: 'Not from Jira' }).click()
  await page.getByText('Columns are matched by their names alone').waitFor()
  await page.getByRole('button', { name: 'Detect the product' }).click()
  await page.getByText('This looks like a file of Jira').waitFor()
  const titles = await page.getByRole('heading', { level: 2 }).allTextContents()
  check(
    titles.indexOf('Values that need a decision') < titles.indexOf('Columns') && titles.includes('Columns'),
    `The values to decide do not come first: ${titles.join()}`,
  )
  await page.getByText('Without a decision: Kept as the attribute “assignee”').waitFor()
  const points = page.getByRole('combobox', { name: 'Field for column Story Points' })
  check((await points.locator('option:checked').textContent()) === 'Story points', 'A field has the name of the API')
  const checked = page.waitForResponse((response) => response.url().includes('dryRun=true'))
  await page.getByRole('combobox', { name: 'Field for column Labels' }).selectOption('Do not import')
  await checked
  await page.getByText('Changed by you').waitFor()
  const decided = page.waitForResponse((response) => response.url().includes('dryRun=true'))
  await page.getByRole('textbox', { name: 'somebody@example.com becomes' }).fill('ada@example.com')
  await page.keyboard.press('Tab')
  await decided
  await page.getByText('The rows get this value.').waitFor()
  await page.getByRole('button', { name: 'Show the dry run' }).click()
  await page.getByText('Nothing is imported yet').waitFor()
  check(await page.getByText('Must not be empty').isVisible(), 'The dry run does not name the rejected row')
  await page.getByRole('button', { name: 'Import 3 rows' }).click()
  await page.getByRole('heading', { level: 1, name: 'Import of shop.csv' }).waitFor()
  check(await page.getByText('3 created').isVisible(), 'The result does not count the created records')
  await page.getByText('1 column was left out: Labels').waitFor()
  const step = page.getByRole('list', { name: 'Steps' }).locator('[aria-current]')
  check((await step.textContent()) === 'Result', 'The result does not show its step')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Rejected rows (CSV)' }).click(),
  ])
  check(readFileSync(await download.path(), 'utf8').includes('SHOP-4'), 'The rejected row is not in its file')
  await inspect(page, 'the result of an import')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('Pay by card')
  await page
    .getByRole('option', { name: /^Pay by card/ })
    .first()
    .click()
  await page.getByRole('heading', { level: 2, name: 'Pay by card' }).waitFor()
  await inspect(page, 'a record')
  await page.goBack()
  await page.getByRole('link', { name: 'Open the backlog' }).click()
  await page
    .getByRole('row', { name: /Pay by card/ })
    .first()
    .waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Undo the import' }).click()
  await page.getByText('The import was undone.').waitFor()
  await page.getByText('is taken back').waitFor()
  await page.close()
}

async function tabTo(page: Page, what: string, matches: string): Promise<void> {
  for (let stop = 0; stop < 60; stop++) {
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(matches)})`)) return
    await page.keyboard.press('Tab')
    const isHidden = await page.evaluate('document.activeElement.matches("input.sr, body")')
    check(isHidden === true || (await showsFocus(page)), `Before ${what}, a stop of the keyboard shows no focus`)
  }
  check(false, `The keyboard does not reach ${what}`)
}

async function importByKeyboard(context: BrowserContext): Promise<void> {
  const page = await open(context, '')
  page.on('filechooser', (chooser) => chooser.setFiles(file('by-keyboard.csv')))
  // The sample workspace has ideas.
  await page.waitForURL('**/console/ideas')
  await page.getByRole('heading', { level: 1, name: 'Ideas' }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await page.waitForURL('**/console/imports')
  await page.getByRole('heading', { level: 1, name: 'Imports' }).waitFor()
  check(await page.locator('main').evaluate((main) => main.matches(':focus')), 'A new place does not get the focus')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('import a file')
  await page.getByRole('option', { name: 'Import a file' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('What does the file hold?').waitFor()
  await tabTo(page, 'the choice of a file', 'input[type=file]')
  await page.keyboard.press('Space')
  await page.getByRole('heading', { name: 'Columns' }).waitFor()
  await tabTo(page, 'a column', 'select')
  await tabTo(page, 'the dry run', '.actions .btn.primary')
  await page.keyboard.press('Enter')
  await page.getByText('Nothing is imported yet').waitFor()
  await page.getByRole('heading', { name: '1 value without a decision' }).waitFor()
  await tabTo(page, 'the import', '.actions .btn.primary')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Import of by-keyboard.csv' }).waitFor()
  await page.close()
}

const DROP = `(() => {
  const files = new DataTransfer()
  files.items.add(new File([${JSON.stringify(JIRA)}], 'dropped.csv', { type: 'text/csv' }))
  document.querySelector('.drop-zone').dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }))
})()`

async function dropWrongFile(context: BrowserContext): Promise<void> {
  const page = await open(context, '/imports/new')
  await page.getByRole('radio', { name: /^People/ }).check()
  await page.evaluate(DROP)
  await page.getByRole('alert').getByText('The file cannot be imported as it is').waitFor()
  await page.getByRole('radio', { name: /^Work items/ }).check()
  await page.evaluate(DROP)
  await page.getByText('This looks like a file of Jira').waitFor()
  await page.close()
}

/** An import of somebody else appears without a reload. */
async function followImports(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  // The page follows the events from its first read on.
  const followed = page.waitForResponse((response) => response.url().includes('order=newest'))
  await page.goto(`${serviceUrl}/console/imports`)
  await followed
  await call('POST', '/api/v2/idea-manager/members/import-users', [{ email: 'live@example.com' }])
  await page
    .getByRole('row', { name: /People/ })
    .first()
    .waitFor()
  await page.close()
}

async function loseNetwork(context: BrowserContext): Promise<void> {
  const page = await open(context, '/imports')
  await page.getByRole('heading', { level: 1, name: 'Imports' }).waitFor()
  await context.route('**/api/**', (route) => route.abort())
  await context.route('**/health', (route) => route.abort())
  await page.getByRole('row').nth(1).getByRole('link').click()
  await page.getByText('The service cannot be reached').waitFor()
  await inspect(page, 'the console without a network')
  await context.unroute('**/api/**')
  await context.unroute('**/health')
  await page.getByRole('heading', { level: 1, name: /^Import of/ }).waitFor()
  await page.getByText('The service cannot be reached').waitFor({ state: 'hidden' })
  await page.close()
}

/** The wizard keeps its file and choices while the person signs in again. */
async function endSession(context: BrowserContext, email: string): Promise<void> {
  const page = await open(context, '/imports/new')
  await page.setInputFiles('input[type=file]', file('kept.csv'))
  await page.getByRole('heading', { name: 'Columns' }).waitFor()
  const { data } = await (await context.request.get(`${serviceUrl}/api/v2/sessions?limit=1`)).json()
  await call('DELETE', `/api/v2/sessions/${data[0].id}`)
  await page.getByRole('combobox', { name: 'Field for column Labels' }).selectOption('Do not import')
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor()
  await inspect(page, 'the dialog after the end of a session')
  await page.route('**/api/v2/sign-in', (route) => route.abort())
  await page.getByRole('button', { name: 'Send the code' }).click()
  await page.getByText('The service did not answer').waitFor()
  await page.unroute('**/api/v2/sign-in')
  await page.getByRole('button', { name: 'Send the code' }).click()
  await page.getByRole('textbox', { name: 'Code' }).waitFor()
  await page.getByRole('textbox', { name: 'Code' }).fill('000000')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('The code is wrong').waitFor()
  await page.getByRole('textbox', { name: 'Code' }).fill(await readCode(email))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Changed by you').waitFor()
  check(await page.getByText('kept.csv').first().isVisible(), 'The end of the session lost the file')
  await page.close()
}

async function workAsViewer(browser: Browser): Promise<void> {
  const email = `viewer-${readClock()}@example.com`
  await call('POST', '/api/v2/users', { email, firstName: 'Vera', lastName: 'Viewer', role: 'viewer' })
  const context = await browser.newContext({ locale: 'de-DE' })
  watch(context)
  await signIn(context, email)
  const page = await open(context, '/imports')
  await page.getByRole('heading', { level: 1, name: 'Importe' }).waitFor()
  await page.getByRole('table').or(page.getByText('Noch keine Importe')).first().waitFor()
  check(
    (await page.getByRole('link', { name: 'Datei importieren' }).count()) === 0,
    'A viewer sees an action of members',
  )
  await page.goto(`${serviceUrl}/console/imports/new`)
  await page.getByText('Ihre Rolle kann Importe ansehen').waitFor()
  check((await page.locator('input[type=file]').count()) === 0, 'A viewer can choose a file')
  await lookAtBacklogAsViewer(context)
  await context.close()
}

async function goToSignIn(browser: Browser): Promise<void> {
  const page = await browser.newPage()
  await page.goto(`${serviceUrl}/console/imports?a=1`)
  await page.waitForURL(/\/sign-in\?next=%2Fconsole%2Fimports%3Fa%3D1$/)
  await page.close()
}

await runMain(() =>
  inspectWithBrowser(async (browser) => {
    const { user } = await call<{ user: { email: string } }>('GET', '/api/v2/me')
    await goToSignIn(browser)
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    watch(context)
    await signIn(context, user.email)
    const storageState = await context.storageState()
    await lookAtScreens(browser, storageState)
    await importByMouse(context)
    await importByKeyboard(context)
    await followImports(context)
    const faulty = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    await signIn(faulty, user.email)
    await dropWrongFile(faulty)
    await loseNetwork(faulty)
    await endSession(faulty, user.email)
    // Its products would make the wizard ask for a product.
    const report = await tryBacklog(browser, storageState)
    await workAsViewer(browser)
    const narrow = await browser.newContext({ storageState, viewport: { width: NARROWEST, height: 700 } })
    const page = await open(narrow, '/imports')
    await page.getByRole('heading', { level: 1, name: 'Imports' }).waitFor()
    check(!(await isTooWide(page)), `The imports at ${NARROWEST} px scroll sideways`)
    return `The console works by mouse and by keyboard, at both widths, light and dark. ${report}`
  }),
)
