// Creates, fills, removes and restores teams in the settings of the console, by mouse and by keyboard alone, at two widths, light and dark.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { readClock } from '../../clock.ts'
import { DESK, driveConsole, type GermanLook, lookInGerman, lookNarrow } from './drive.ts'
import { createPerson, open, type SignedIn } from './ideas-page.ts'
import { check, inspect, lookEverywhere, serviceUrl, watch } from './inspect.ts'
import { call, signIn } from './session.ts'

const PATH = '/settings/teams'

interface Team {
  id: number
  name: string
  members: number[]
}

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

const lookAtTeams = (browser: Browser, storageState: SignedIn, { id, name }: Team): Promise<void> =>
  lookEverywhere(browser, { storageState }, async ({ context, look }) => {
    const page = await open(context, PATH)
    await rowOf(page, name).waitFor()
    await look(page, 'the teams')
    await page.getByRole('button', { name: 'Create a team' }).click()
    await page.locator('input[name=name]:focus').waitFor()
    await look(page, 'the dialog for a new team')
    await page.keyboard.press('Escape')
    await page.goto(`${serviceUrl}/console${PATH}/${id}`)
    await page.getByRole('combobox', { name: 'Add a person to the team' }).waitFor()
    await rowOf(page, 'Olga Owner').waitFor()
    await look(page, 'a team')
  })

const readTeam = async (page: Page): Promise<Team> =>
  call('GET', `/api/v2/teams/${new URL(page.url()).pathname.split('/').at(-1)}`)

async function manageByMouse(context: BrowserContext): Promise<void> {
  const name = `Payments ${readClock()}`
  const page = await open(context, PATH)
  await page.getByRole('button', { name: 'Create a team' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('dialog').getByRole('button', { name: 'Create a team' }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  const person = page.getByRole('combobox', { name: 'Add a person to the team' })
  for (const one of ['Olga Owner', 'Max Member']) {
    await person.selectOption({ label: one })
    await page.getByRole('button', { name: 'Add the person' }).click()
    await rowOf(page, one).waitFor()
  }
  await page.getByText('Max Member is in the team now.').waitFor()
  await page.getByRole('button', { name: 'Take Max Member out of the team' }).click()
  await rowOf(page, 'Max Member').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: /^Undo/ }).click()
  await rowOf(page, 'Max Member').waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill(`${name} and invoices`)
  await page.getByRole('button', { name: 'Save the team' }).click()
  await page.getByRole('heading', { level: 1, name: `${name} and invoices` }).waitFor()
  const team = await readTeam(page)
  check(team.members.length === 2, `The team has ${team.members.length} members`)

  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Teams' }).click()
  await page.getByRole('button', { name: `Remove ${name} and invoices` }).click()
  await rowOf(page, name).waitFor({ state: 'hidden' })
  await page.getByText('Its work items have no team now.').waitFor()
  await page.getByRole('button', { name: /^Undo/ }).click()
  await rowOf(page, name).waitFor()
  await page.close()
}

async function manageByKeyboard(context: BrowserContext): Promise<void> {
  const name = `Search ${readClock()}`
  const page = await open(context, PATH)
  await page.getByRole('table').waitFor()
  await page.keyboard.press('c')
  await page.locator('input[name=name]:focus').waitFor()
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name }).waitFor()
  const person = page.getByRole('combobox', { name: 'Add a person to the team' })
  await person.getByRole('option', { name: 'Max Member' }).first().waitFor({ state: 'attached' })
  await person.focus()
  await page.keyboard.type('Max')
  await page.locator('form').filter({ has: person }).locator('button:enabled').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await rowOf(page, 'Max Member').waitFor()
  await page.getByRole('button', { name: 'Take Max Member out of the team' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Max Member is not in the team anymore.').waitFor()
  check((await page.locator('body:focus').count()) === 0, 'The end of a membership loses the focus')
  await page.keyboard.press('z')
  await rowOf(page, 'Max Member').waitFor()
  await page.goto(`${serviceUrl}/console${PATH}`)
  await page.getByRole('button', { name: `Remove ${name}` }).focus()
  await page.keyboard.press('Enter')
  await rowOf(page, name).waitFor({ state: 'hidden' })
  check((await page.locator('body:focus').count()) === 0, 'A removal loses the focus')
  await page.close()
}

/** Somebody else renames the team while the form is open. */
async function editTogether(browser: Browser, storageState: SignedIn, { id }: Team): Promise<void> {
  const context = await browser.newContext({ storageState, ...DESK })
  const page = await open(context, `${PATH}/${id}`)
  await page.getByRole('textbox', { name: 'Name' }).fill(`Mine ${id}`)
  await call('PATCH', `/api/v2/teams/${id}`, { name: `Theirs ${id}` })
  await page.getByRole('button', { name: 'Save the team' }).click()
  await page.getByRole('alert').getByText('Name').waitFor()
  await page.getByRole('button', { name: 'Compare' }).click()
  await inspect(page, 'a conflict about a team')
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await page.getByRole('heading', { level: 1, name: `Mine ${id}` }).waitFor()
  await context.close()
}

async function lookAsViewer(browser: Browser, { id }: Team): Promise<void> {
  const lookAtTeam = async ({ page, look }: GermanLook) => {
    await page.getByText('Inhaber und Admins legen Teams an').waitFor()
    await rowOf(page, 'Mine').first().waitFor()
    await look('the teams')
    check((await page.locator('main').getByRole('button').count()) === 0, 'A viewer manages teams')
    await page.goto(`${serviceUrl}/console${PATH}/${id}`)
    await rowOf(page, 'Olga Owner').waitFor()
    check((await page.locator('main').getByRole('button').count()) === 0, 'A viewer changes a team')
  }
  await lookInGerman(browser, PATH, lookAtTeam, { width: 1280 })
}

await driveConsole('The teams of the console work', async (browser) => {
  const context = await browser.newContext(DESK)
  // A renaming may follow the change of the members before the page knows it, which is repeated then.
  watch(context, /\/teams\/\d+$/)
  const email = await createPerson('Olga', 'Owner', 'owner')
  const mail = await createPerson('Max', 'Member', 'member')
  await signIn(context, email)
  const storageState = await context.storageState()
  const [owner] = await call<{ id: number }[]>('GET', `/api/v2/users?email=${email}`)
  const team = await call<Team>('POST', '/api/v2/teams', { name: `Checkout ${mail}`, members: [owner?.id ?? 0] })
  await lookAtTeams(browser, storageState, team)
  await manageByMouse(context)
  await manageByKeyboard(context)
  await editTogether(browser, storageState, team)
  await lookAsViewer(browser, team)
  await lookNarrow(browser, storageState, { [`${PATH}/${team.id}`]: (page) => rowOf(page, 'Olga Owner') })
})
