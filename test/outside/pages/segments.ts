// Works with the segments and the people of the console in Chromium, by mouse and by keyboard alone, at two widths, light and dark.
import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { readClock } from '../../clock.ts'
import { waitFor } from './backlog-items.ts'
import { DESK, driveConsole, lookInGerman, signInAs } from './drive.ts'
import { createPerson, open, type SignedIn } from './ideas-page.ts'
import { check, inspect, lookEverywhere, serviceUrl } from './inspect.ts'
import { call, signIn } from './session.ts'

interface Sample {
  /** Of the attribute `crew`, which only people of this run have. */
  crew: string
  dynamic: number
  manual: number
}

/** The events may name a segment before its page is left. */
const REMOVED = /\/segments\/\d+$/
const NAMES = ['Maren Voss', 'Tobias Lind', 'Priya Raman', 'Sam Okafor', 'Elif Demir']
const rulesOf = (crew: string) => ({
  match: 'all',
  conditions: [
    { attribute: 'attributes.crew', operator: 'eq', value: crew },
    { attribute: 'attributes.plan', operator: 'in', value: ['pro', 'team'] },
  ],
})

async function createSample(): Promise<Sample> {
  const crew = `c${readClock()}`
  const people = NAMES.map((name, n) => {
    const [firstName = '', lastName = ''] = name.split(' ')
    const attributes = { crew, plan: ['pro', 'team', 'free'][n % 3], seats: n + 1 }
    return { firstName, lastName, email: `${firstName.toLowerCase()}.${crew}@example.com`, attributes }
  })
  await call('POST', '/api/v2/idea-manager/members/bulk-create?invite=false', people)
  const { id: dynamic } = await call<{ id: number }>('POST', '/api/v2/segments', {
    ...{ name: `Paid ${crew}`, type: 'dynamic', description: 'People on paid plans.', rules: rulesOf(crew) },
  })
  const { id: manual } = await call<{ id: number }>('POST', '/api/v2/segments', { name: `Beta ${crew}` })
  const members = people.slice(0, 2).map(({ email }) => ({ email }))
  await call('POST', `/api/v2/segments/${manual}/bulk-create-users`, members)
  return { crew, dynamic, manual }
}

const linkOf = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const rowOf = (page: Page, text: string) => page.getByRole('row', { name: new RegExp(text) }).first()
const countOf = (page: Page) => page.getByRole('region', { name: 'People who match' }).getByRole('status')
const conditionOf = (page: Page, n: number) => page.getByRole('group', { name: `Condition ${n}`, exact: true })
const waitForCount = (page: Page, count: number) =>
  countOf(page)
    .getByText(new RegExp(`^${count}$`))
    .and(page.locator(':not(.muted)'))
    .waitFor()

const readSegment = (id: number) =>
  call<{ name: string; userCount: number; rules: { match: string; conditions: { value: unknown }[] } | null }>(
    'GET',
    `/api/v2/segments/${id}`,
  )

const lookAtSegments = (browser: Browser, storageState: SignedIn, sample: Sample): Promise<void> =>
  lookEverywhere(browser, { storageState }, async ({ context, look }) => {
    const page = await open(context, '/segments')
    await linkOf(page, `Paid ${sample.crew}`).waitFor()
    await look(page, 'the segments')
    await page.goto(`${serviceUrl}/console/segments/${sample.dynamic}`)
    await waitForCount(page, 4)
    await rowOf(page, 'Maren Voss').waitFor()
    await look(page, 'a segment with rules')
    await page.getByRole('radio', { name: 'any' }).check({ force: true })
    await page.getByRole('button', { name: 'Discard' }).waitFor()
    await look(page, 'a change that is not saved')
    await page.goto(`${serviceUrl}/console/segments/${sample.manual}`)
    await rowOf(page, 'Maren Voss').waitFor()
    await look(page, 'a segment by hand')
    await page.getByRole('button', { name: 'Add people' }).click()
    await page.getByRole('searchbox', { name: 'Find people' }).fill('Priya')
    await page.getByRole('button', { name: 'Add Priya Raman' }).first().click()
    await look(page, 'the dialog for more people')
    await page.keyboard.press('Escape')
    await page.goto(`${serviceUrl}/console/segments/new`)
    await page.getByRole('textbox', { name: 'Name' }).waitFor()
    await look(page, 'a new segment')
    await page.goto(`${serviceUrl}/console/people?segment=${sample.dynamic}`)
    await rowOf(page, 'Maren Voss').waitFor()
    await look(page, 'the people')
    await page.getByRole('button', { name: 'Edit Maren Voss' }).click()
    await page.getByRole('textbox', { name: 'First name' }).waitFor()
    await look(page, 'a person')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add a person' }).click()
    await page.locator('#member-email:focus').waitFor()
    await look(page, 'the dialog for a new person')
  })

/** Builds rules while the count follows, saves the segment, changes it, and removes and restores it. */
async function buildByMouse(context: BrowserContext, { crew }: Sample): Promise<void> {
  const page = await open(context, '/segments')
  await page.getByRole('link', { name: 'New segment' }).click()
  await page.locator('#segment-name:focus').waitFor()
  const create = page.getByRole('button', { name: 'Create the segment' })
  check(await create.isDisabled(), 'A segment without a name can be created')
  await page.getByRole('textbox', { name: 'Name' }).fill(`Crew ${crew}`)
  await conditionOf(page, 1).getByRole('combobox', { name: 'Attribute' }).selectOption('crew')
  await page.getByText('Complete every condition to count the people.').waitFor()
  await conditionOf(page, 1).getByRole('combobox', { name: 'Value' }).fill(crew)
  await waitForCount(page, 5)
  await page.getByRole('button', { name: 'Condition', exact: true }).click()
  await conditionOf(page, 2).getByRole('combobox', { name: 'Attribute' }).selectOption('plan')
  await conditionOf(page, 2).getByRole('combobox', { name: 'Operator' }).selectOption('is none of')
  const values = conditionOf(page, 2).getByRole('combobox', { name: 'Add a value' })
  await values.fill('free')
  await values.press('Enter')
  await waitForCount(page, 4)
  await page.getByText('-1 by your last change').waitFor()
  await conditionOf(page, 2)
    .getByText(/have no “plan”, and match this condition/)
    .waitFor()
  await rowOf(page, 'Elif Demir').waitFor()
  await inspect(page, 'rules that are not saved')
  await page.getByRole('radio', { name: 'any' }).check({ force: true })
  await create.click()
  await page.getByRole('heading', { level: 1, name: `Crew ${crew}` }).waitFor()
  const id = Number(new URL(page.url()).pathname.split('/').at(-1))
  await waitFor('The choice of any is not stored', async () => (await readSegment(id)).rules?.match === 'any')
  await page.getByRole('radio', { name: 'all' }).check({ force: true })
  await conditionOf(page, 2).getByRole('button', { name: 'Remove free' }).click()
  await page.getByText('Complete every condition to count the people.').waitFor()
  await conditionOf(page, 2).getByRole('combobox', { name: 'Operator' }).selectOption('is at least')
  await conditionOf(page, 2).getByRole('combobox', { name: 'Attribute' }).selectOption('seats')
  await conditionOf(page, 2)
    .getByRole('textbox', { name: 'Value' })
    .or(conditionOf(page, 2).getByRole('combobox', { name: 'Value' }))
    .fill('3')
  await waitForCount(page, 3)
  await page.getByText('Not saved').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Not saved').waitFor({ state: 'hidden' })
  const stored = await readSegment(id)
  check(stored.userCount === 3, 'The stored rules select other people')
  check(stored.rules?.conditions[1]?.value === 3, 'A number is not stored as a number')
  await page.getByRole('link', { name: 'Open 3 people in the list of people' }).click()
  await rowOf(page, 'Elif Demir').waitFor()
  check((await page.getByRole('row').count()) === 4, 'The list of people shows others than the segment')
  await page.goBack()
  // A page that has waited for long asks again, and the removal would answer that request with an error.
  await page.reload()
  await page.getByText('No mailing has gone to this segment.').waitFor()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText(`Crew ${crew} was removed.`).waitFor()
  await page.getByRole('heading', { level: 1, name: 'Segments' }).waitFor()
  await linkOf(page, `Crew ${crew}`).waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: /^Undo/ }).click()
  await linkOf(page, `Crew ${crew}`).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export' }).click(),
  ])
  check(readFileSync(await download.path(), 'utf8').includes(`Crew ${crew}`), 'The export lacks the segment')
  await page.close()
}

/** Names what the service does not take, at its condition. */
async function meetRefusal(context: BrowserContext, sample: Sample): Promise<void> {
  const page = await open(context, `/segments/${sample.dynamic}`)
  await waitForCount(page, 4)
  await conditionOf(page, 1).getByRole('combobox', { name: 'Operator' }).selectOption('is at least')
  await conditionOf(page, 1)
    .getByText(/Must be a number, or an ISO 8601 date/)
    .waitFor()
  await inspect(page, 'a condition that the service refuses')
  await page.getByRole('button', { name: 'Discard' }).click()
  await waitForCount(page, 4)
  await page.close()
}

async function buildByKeyboard(context: BrowserContext, { crew }: Sample): Promise<void> {
  const page = await open(context, '/segments')
  await linkOf(page, `Paid ${crew}`).waitFor()
  await page.keyboard.press('c')
  await page.locator('#segment-name:focus').waitFor()
  await page.keyboard.type(`Keys ${crew}`)
  await conditionOf(page, 1).getByRole('combobox', { name: 'Attribute' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('30')
  await page.getByRole('region', { name: 'Who is in it now' }).getByRole('table').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByRole('heading', { level: 1, name: `Keys ${crew}` }).waitFor()
  await page.getByText('Used by').waitFor()
  await page.keyboard.press('Backspace')
  await page.getByText(`Keys ${crew} was removed.`).waitFor()
  await page.keyboard.press('z')
  await linkOf(page, `Keys ${crew}`).waitFor()
  await linkOf(page, `Crew ${crew}`).focus()
  await page.keyboard.press('j')
  await page.locator('a:focus', { hasText: `Keys ${crew}` }).waitFor()
  await page.keyboard.press('Backspace')
  await linkOf(page, `Keys ${crew}`).waitFor({ state: 'hidden' })
  check((await page.locator('body:focus').count()) === 0, 'A removal of a segment loses the focus')
  await page.close()
}

/** Adds a known person and a new address, takes a person out, and puts the person back. */
async function fillByKeyboard(context: BrowserContext, { crew, manual }: Sample): Promise<void> {
  const page = await open(context, `/segments/${manual}`)
  await rowOf(page, 'Tobias Lind').waitFor()
  await page.keyboard.press('c')
  await page.locator('#find-people:focus').waitFor()
  await page.keyboard.type(`priya.${crew}`)
  await page.getByRole('button', { name: 'Add Priya Raman' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('#find-people:focus').waitFor()
  await page.keyboard.type(`new.${crew}@example.com`)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Add 2 people' }).focus()
  await page.keyboard.press('Enter')
  await rowOf(page, `new.${crew}@example.com`).waitFor()
  await waitFor('The people did not join the segment', async () => (await readSegment(manual)).userCount === 4)
  await page.getByRole('button', { name: 'Take Tobias Lind out of the segment' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Tobias Lind is no longer in the segment.').waitFor()
  await rowOf(page, 'Tobias Lind').waitFor({ state: 'hidden' })
  check((await page.locator('body:focus').count()) === 0, 'Taking a person out loses the focus')
  await page.keyboard.press('z')
  await rowOf(page, 'Tobias Lind').waitFor()
  await waitFor('The undo does not put the person back', async () => (await readSegment(manual)).userCount === 4)
  await page.close()
}

/** A segment that asks for a confirmation says who has not confirmed, and asks again after a question. */
async function askForConfirmations(context: BrowserContext, { crew }: Sample): Promise<void> {
  const asking = { name: `News ${crew}`, doubleOptIn: true }
  const { id } = await call<{ id: number }>('POST', '/api/v2/segments', asking)
  const page = await open(context, `/segments/${id}`)
  await page.getByText('Nobody is in the segment yet.').waitFor()
  await page.getByRole('button', { name: 'Add people' }).click()
  await page.getByText('New members get a mail that asks them to confirm.').waitFor()
  await page.getByRole('searchbox', { name: 'Find people' }).fill(`elif.${crew}`)
  await page.getByRole('button', { name: 'Add Elif Demir' }).click()
  await page.getByRole('button', { name: 'Add 1 person' }).click()
  await rowOf(page, 'Elif Demir').getByText('Not confirmed').waitFor()
  await page.getByRole('button', { name: 'Ask again…' }).click()
  await page.getByText('1 person gets the mail with the link again').waitFor()
  await inspect(page, 'the question before a mail')
  await page.getByRole('button', { name: 'Send the mail' }).click()
  await page.getByText(/asked again\.$/).waitFor()
  await page.close()
}

const readPerson = async (email: string) =>
  (
    await call<{ id: number; attributes: Record<string, unknown> }[]>(
      'GET',
      `/api/v2/idea-manager/members?email=${email}`,
    )
  )[0]

async function managePeopleByMouse(context: BrowserContext, { crew, manual }: Sample): Promise<void> {
  const email = `nora.${crew}@example.com`
  const page = await open(context, '/people')
  await page.getByRole('button', { name: 'Add a person' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'E-mail address' }).fill(email)
  await dialog.getByRole('textbox', { name: 'First name' }).fill('Nora')
  await dialog.getByRole('textbox', { name: 'Last name' }).fill('Newcomer')
  await dialog.getByRole('button', { name: 'Attribute', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('plan')
  await dialog.getByRole('textbox', { name: 'Value' }).fill('trial')
  await dialog.getByRole('checkbox', { name: `Beta ${crew}` }).check()
  await dialog.getByRole('button', { name: 'Add a person' }).click()
  await rowOf(page, email)
    .getByRole('link', { name: `Beta ${crew}` })
    .waitFor()
  await waitFor('The attribute is not stored', async () => (await readPerson(email))?.attributes.plan === 'trial')
  await page.getByRole('searchbox', { name: 'Search people' }).fill(`nora.${crew}`)
  await page.getByText('1 person', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Edit Nora Newcomer' }).click()
  await dialog.getByRole('textbox', { name: 'Last name' }).fill('Nord')
  await dialog.getByRole('textbox', { name: 'Value' }).fill('pro')
  await dialog.getByRole('button', { name: 'Save the person' }).click()
  await rowOf(page, 'Nora Nord').getByRole('link', { name: 'plan: pro' }).click()
  await page.getByRole('link', { name: 'Remove the filter plan: pro' }).waitFor()
  await page.getByRole('button', { name: 'Remove Nora Nord' }).click()
  await page.getByText('Nobody matches these filters').waitFor()
  await page.getByText('Nora Nord was removed.').waitFor()
  await page.getByRole('button', { name: /^Undo/ }).click()
  await rowOf(page, 'Nora Nord').waitFor()
  await page.getByRole('link', { name: 'Remove the filter plan: pro' }).click()
  await page.getByRole('searchbox', { name: 'Search people' }).fill('')
  await page.getByRole('combobox', { name: 'Segment' }).selectOption({ label: `Beta ${crew}` })
  await rowOf(page, 'Maren Voss').waitFor()
  check(page.url().includes(`segment=${manual}`), 'The filter is not in the address')
  await page.getByRole('link', { name: 'Import people' }).first().click()
  await page.getByRole('radio', { name: /^People/ }).waitFor()
  check(await page.getByRole('radio', { name: /^People/ }).isChecked(), 'The wizard does not begin with people')
  await page.close()
}

/** Edits and removes with the row that has the focus. Somebody else changes another attribute meanwhile. */
async function managePeopleByKeyboard(context: BrowserContext, { crew }: Sample): Promise<void> {
  const email = `sam.${crew}@example.com`
  const page = await open(context, '/people')
  await page.getByRole('table').waitFor()
  await page.keyboard.press('/')
  await page.locator('#people-search:focus').waitFor()
  await page.keyboard.type(`sam.${crew}`)
  await page.getByText('1 person', { exact: true }).waitFor()
  await page.locator('main').focus()
  await page.keyboard.press('j')
  await page.locator('tr:focus', { hasText: 'Sam Okafor' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'First name' }).waitFor()
  await page.getByRole('textbox', { name: 'First name' }).fill('Samuel')
  const { id = 0 } = (await readPerson(email)) ?? {}
  await call('PATCH', `/api/v2/idea-manager/members/${id}`, { attributes: { plan: 'team' } })
  await page.keyboard.press('Enter')
  await rowOf(page, 'Samuel Okafor').waitFor()
  check((await readPerson(email))?.attributes.plan === 'team', 'A change of another field is lost')
  await page.getByRole('button', { name: 'Edit Samuel Okafor' }).focus()
  await page.keyboard.press('e')
  await page.getByRole('textbox', { name: 'First name' }).waitFor()
  await page.getByRole('textbox', { name: 'First name' }).fill('Mine')
  await call('PATCH', `/api/v2/idea-manager/members/${id}`, { firstName: 'Theirs' })
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('First name').waitFor()
  await inspect(page, 'a conflict about a person')
  await page.getByRole('button', { name: 'Keep mine' }).focus()
  await page.keyboard.press('Enter')
  await rowOf(page, 'Mine Okafor').waitFor()
  await page.getByRole('button', { name: 'Edit Mine Okafor' }).focus()
  await page.keyboard.press('Backspace')
  await page.getByText('Nobody matches these filters').waitFor()
  check((await page.locator('body:focus').count()) === 0, 'A removal of a person loses the focus')
  await page.getByText('Mine Okafor was removed.').waitFor()
  await page.keyboard.press('z')
  await rowOf(page, 'Mine Okafor').waitFor()
  await page.close()
}

const readAsViewer = (browser: Browser, { dynamic, manual, crew }: Sample): Promise<void> =>
  lookInGerman(browser, '/segments', async ({ page, look }) => {
    const lookFor = async (what: string) => {
      const actions = /entfernen|bearbeiten|hinzufügen|Neues Segment|Speichern|importieren/
      const found = page.getByRole('button', { name: actions }).or(page.getByRole('link', { name: actions }))
      check((await found.count()) === 0, `A viewer sees an action of ${what}`)
      await look(what)
    }
    await linkOf(page, `Paid ${crew}`).waitFor()
    await lookFor('the segments')
    await page.goto(`${serviceUrl}/console/segments/${dynamic}`)
    await page.getByText(`crew ist ${crew} und plan ist eines von pro, team`).waitFor()
    await rowOf(page, 'Maren Voss').waitFor()
    await lookFor('a segment with rules')
    await page.goto(`${serviceUrl}/console/segments/${manual}`)
    await rowOf(page, 'Maren Voss').waitFor()
    await lookFor('a segment by hand')
    await page.goto(`${serviceUrl}/console/people?segment=${dynamic}`)
    await rowOf(page, 'Maren Voss').waitFor()
    await lookFor('the people')
  })

const signInAnew = (browser: Browser, firstName: string) =>
  signInAs(browser, [firstName, 'Segment', 'member'], { missing: REMOVED })

await driveConsole('The segments and the people of the console work', async (browser) => {
  const sample = await createSample()
  const first = await signInAnew(browser, 'Stella')
  await lookAtSegments(browser, await first.storageState(), sample)
  await readAsViewer(browser, sample)
  await buildByMouse(first, sample)
  const second = await signInAnew(browser, 'Sascha')
  await buildByKeyboard(second, sample)
  await fillByKeyboard(second, sample)
  await askForConfirmations(second, sample)
  await managePeopleByMouse(second, sample)
  // A browser reports the conflict and the refusal as errors, so nobody watches.
  const third = await browser.newContext(DESK)
  await signIn(third, await createPerson('Selma', 'Segment', 'member'))
  await managePeopleByKeyboard(third, sample)
  await meetRefusal(third, sample)
})
