// Works with the personas of the console in Chromium, by mouse and by keyboard alone, at two widths, light and dark.
import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { readClock } from '../../clock.ts'
import { waitFor } from './backlog-items.ts'
import { change, driveConsole, lookInGerman, signInAs } from './drive.ts'
import { open, type SignedIn } from './ideas-page.ts'
import { check, inspect, lookEverywhere, serviceUrl } from './inspect.ts'
import { call } from './session.ts'

interface Persona {
  externalKey: string
  name: string
  quote: string | null
  goals: string[]
  boardSegmentId: number | null
}

interface Sample {
  /** Ids of the segments. */
  clinic: number
  home: number
  nora: string
  omar: string
}

/** A PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const MARK = readClock()
const CLINIC = `Clinic ${MARK}`
const HOME = `Home ${MARK}`
const NO_SEGMENT = 'Without a segment'

async function createSample(): Promise<Sample> {
  const createSegment = async (name: string, color: string) =>
    (await call<{ id: number }>('POST', '/api/v2/persona-board/segments', { name, color })).id
  const createPersona = async (persona: object) => (await call<Persona>('POST', '/api/v2/persona', persona)).externalKey
  const [clinic, home] = [await createSegment(CLINIC, '#2a9d8f'), await createSegment(HOME, 'tomato')]
  const nora = await createPersona({
    ...{ name: 'Nora Night', occupation: 'Nurse', quote: 'I have ten seconds for this.', boardSegmentId: clinic },
    ...{ description: '<p>Works in <strong>shifts</strong>.</p>', goals: ['Hand over without paper'] },
    ...{ pains: ['Glare at night'], avatar: `${serviceUrl}/favicon.ico`, color: '#2a9d8f' },
  })
  const omar = await createPersona({
    name: 'Omar Office',
    occupation: 'Planner',
    avatar: 'https://example.com/omar.png',
  })
  return { clinic, home, nora, omar }
}

const readPersona = (key: string) => call<Persona>('GET', `/api/v2/persona/${key}`)
const titleOf = (page: Page, name: string) => page.locator('#persona-title', { hasText: name })
const rowOf = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const columnOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const cardOf = (page: Page, column: string, key: string) => columnOf(page, column).locator(`.work[data-key="${key}"]`)

const lookAtPersonas = (browser: Browser, storageState: SignedIn, { nora, omar }: Sample): Promise<void> =>
  lookEverywhere(browser, { storageState }, async ({ context, width, look }) => {
    const page = await open(context, '/personas')
    await rowOf(page, 'Nora Night').waitFor()
    await look(page, 'the personas')
    await page.goto(`${serviceUrl}/console/personas?persona=${nora}`)
    await titleOf(page, 'Nora Night').waitFor()
    await page.getByText('Glare at night').waitFor()
    await look(page, 'a persona')
    await page.getByRole('button', { name: 'Edit: Description' }).click()
    await page.getByRole('region', { name: 'Preview' }).waitFor()
    await look(page, 'the description of a persona')
    await page.goto(`${serviceUrl}/console/personas?view=board`)
    await cardOf(page, CLINIC, nora).waitFor()
    await look(page, 'the persona board')
    await page.getByRole('button', { name: `Edit the segment ${CLINIC}` }).click()
    await page.getByRole('textbox', { name: 'Color' }).waitFor()
    await look(page, 'a segment of the board')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Move Omar Office' }).click()
    await page.getByLabel('Segment of the board').waitFor()
    await look(page, `the move of ${omar} at ${width} px`)
  })

async function editByMouse(context: BrowserContext, { nora, omar, home }: Sample): Promise<void> {
  const page = await open(context, '/personas')
  await rowOf(page, 'Nora Night').click()
  await titleOf(page, 'Nora Night').waitFor()
  await page.locator('.pane img.portrait').waitFor()
  const path = `/api/v2/persona/${nora}`
  await page.getByRole('button', { name: 'Edit: Quote' }).click()
  await page.getByRole('textbox', { name: 'Quote' }).fill('Ten seconds, at most.')
  await change(page, 'PUT', path, () => page.getByRole('button', { name: 'Save', exact: true }).click())
  await page.getByRole('blockquote').getByText('Ten seconds, at most.').waitFor()
  await page.getByRole('button', { name: 'Edit: Goals' }).click()
  await page.getByRole('textbox', { name: 'Goals' }).fill('Hand over without paper\n\nSleep')
  await change(page, 'PUT', path, () => page.getByRole('button', { name: 'Save', exact: true }).click())
  await change(page, 'PUT', path, () => page.getByLabel('Segment', { exact: true }).selectOption(String(home)))
  const stored = await readPersona(nora)
  check(stored.quote === 'Ten seconds, at most.', 'The quote is not stored')
  check(stored.goals.join() === 'Hand over without paper,Sleep', `The goals are not stored: ${stored.goals}`)
  check(stored.boardSegmentId === home, 'The segment is not stored')
  await rowOf(page, 'Omar Office').click()
  await page.getByText('Initials stand in for the picture.').waitFor()
  const picture = { name: 'omar.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') }
  await change(page, 'PUT', `/api/v2/persona/${omar}`, () => page.getByLabel('Upload a picture').setInputFiles(picture))
  await page.getByText('Initials stand in for the picture.').waitFor({ state: 'hidden' })
  const isPictureShown = `document.querySelector('.pane img.portrait')?.naturalWidth > 0`
  await waitFor('The uploaded picture is not shown', async () => Boolean(await page.evaluate(isPictureShown)))
  await page.getByLabel('Segment of the board').selectOption('none')
  await rowOf(page, 'Nora Night').waitFor({ state: 'hidden' })
  check(new URL(page.url()).searchParams.get('segment') === 'none', 'The address does not hold the filter')
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText(`${omar} was removed.`).waitFor()
  await rowOf(page, 'Omar Office').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await rowOf(page, 'Omar Office').waitFor()
  await page.close()
}

/** Somebody else changes the name while the person types another, and then another field. */
async function settleConflict(context: BrowserContext, { omar }: Sample): Promise<void> {
  const page = await open(context, `/personas?persona=${omar}`)
  await page.getByRole('button', { name: 'Edit: Occupation' }).click()
  await page.getByRole('textbox', { name: 'Occupation' }).fill('Planner of shifts')
  await call('PUT', `/api/v2/persona/${omar}`, { occupation: 'Head of planning' })
  await page.keyboard.press('Enter')
  await page.getByText('changed this meanwhile: Occupation').waitFor()
  await page.getByRole('button', { name: 'Compare' }).click()
  await inspect(page, 'a conflict of a persona')
  await page.getByText('Planner of shifts').waitFor()
  const path = `/api/v2/persona/${omar}`
  await change(page, 'PUT', path, () => page.getByRole('button', { name: 'Keep mine' }).click())
  await page.getByText('changed this meanwhile').waitFor({ state: 'hidden' })
  await waitFor('The kept value is not stored', async () => {
    const { occupation } = await call<{ occupation: string }>('GET', path)
    return occupation === 'Planner of shifts'
  })
  await page.close()
}

async function dragCard(page: Page, from: string, key: string, to: string): Promise<void> {
  const start = await cardOf(page, from, key).boundingBox()
  const end = await columnOf(page, to).boundingBox()
  if (!start || !end) return check(false, 'The board shows no card or no column')
  await page.mouse.move(start.x + 20, start.y + start.height - 4)
  await page.mouse.down()
  await page.mouse.move(start.x + 30, start.y + start.height, { steps: 4 })
  await page.mouse.move(end.x + 60, end.y + 200, { steps: 8 })
  await page.mouse.up()
}

async function workOnBoard(context: BrowserContext, { nora, clinic, home }: Sample): Promise<void> {
  const page = await open(context, '/personas?view=board')
  await cardOf(page, HOME, nora).waitFor()
  await change(page, 'PUT', `/api/v2/persona/${nora}`, () => dragCard(page, HOME, nora, CLINIC))
  await cardOf(page, CLINIC, nora).waitFor()
  check((await readPersona(nora)).boardSegmentId === clinic, 'A drag does not change the segment')
  await cardOf(page, CLINIC, nora).getByRole('link').focus()
  await page.keyboard.press('Space')
  await page.getByText(`Nora Night is lifted: ${CLINIC}`).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByText(`Moving Nora Night: ${HOME}`).waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('Nora Night is back in its place').waitFor()
  await page.keyboard.press('Space')
  await page.getByText(`Nora Night is lifted: ${CLINIC}`).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByText(`Moving Nora Night: ${HOME}`).waitFor()
  await change(page, 'PUT', `/api/v2/persona/${nora}`, () => page.keyboard.press('Enter'))
  await cardOf(page, HOME, nora).waitFor()
  check((await readPersona(nora)).boardSegmentId === home, 'The keys do not change the segment')
  await waitFor(
    'A moved card loses the focus',
    async () => (await page.evaluate('document.activeElement.id')) === `card-${nora}`,
  )
  await page.keyboard.press('m')
  await page.getByRole('dialog', { name: 'Move Nora Night' }).waitFor()
  await page.getByLabel('Segment of the board').selectOption('')
  await change(page, 'PUT', `/api/v2/persona/${nora}`, () => page.getByRole('button', { name: 'Move here' }).click())
  await cardOf(page, NO_SEGMENT, nora).waitFor()
  await page.close()
}

/** Two people move one card: the second learns where the first has put it. */
async function settleMove(context: BrowserContext, { nora, clinic, home }: Sample): Promise<void> {
  const page = await open(context, '/personas?view=board')
  await cardOf(page, NO_SEGMENT, nora).waitFor()
  const overtake = async (route: Route) => {
    await call('PUT', `/api/v2/persona/${nora}`, { boardSegmentId: home })
    await route.continue()
  }
  await page.route(`**/api/v2/persona/${nora}`, overtake, { times: 1 })
  await page.getByRole('button', { name: 'Move Nora Night' }).click()
  await page.getByLabel('Segment of the board').selectOption(String(clinic))
  await page.getByRole('button', { name: 'Move here' }).click()
  await page.getByText('changed this meanwhile: Segment').waitFor()
  await cardOf(page, HOME, nora).waitFor()
  await change(page, 'PUT', `/api/v2/persona/${nora}`, () => page.getByRole('button', { name: 'Keep mine' }).click())
  await cardOf(page, CLINIC, nora).waitFor()
  await page.close()
}

async function workOnSegments(context: BrowserContext, { nora, clinic }: Sample): Promise<void> {
  const page = await open(context, '/personas?view=board')
  await cardOf(page, CLINIC, nora).waitFor()
  await page.getByRole('button', { name: 'New segment' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(`Field ${MARK}`)
  await page.getByRole('button', { name: 'Create the segment' }).click()
  await columnOf(page, `Field ${MARK}`).waitFor()
  await page.getByRole('button', { name: `Edit the segment ${CLINIC}` }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(`Ward ${MARK}`)
  await call('PUT', `/api/v2/persona-board/segments/${clinic}`, { name: `Hospital ${MARK}` })
  await page.getByRole('button', { name: 'Save the segment' }).click()
  await page.getByText('changed this meanwhile: Name').waitFor()
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await cardOf(page, `Ward ${MARK}`, nora).waitFor()
  await page.getByRole('button', { name: `Edit the segment Ward ${MARK}` }).click()
  await page.getByRole('button', { name: 'Remove the segment. The personas stay.' }).click()
  await cardOf(page, NO_SEGMENT, nora).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await cardOf(page, `Ward ${MARK}`, nora).waitFor()
  await page.close()
}

async function workByKeyboard(context: BrowserContext): Promise<void> {
  const page = await open(context, '/personas')
  await rowOf(page, 'Nora Night').waitFor()
  await page.keyboard.press('c')
  await page.locator('dialog input[name=name]:focus').waitFor()
  await page.keyboard.type('Ada Alarm')
  await page.keyboard.press('Enter')
  await titleOf(page, 'Ada Alarm').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await rowOf(page, 'Ada Alarm').waitFor()
  await page.keyboard.press('e')
  await page.locator('input[aria-label="Name"]:focus').waitFor()
  await page.keyboard.press('End')
  await page.keyboard.type(' Clock')
  await page.keyboard.press('Enter')
  await titleOf(page, 'Ada Alarm Clock').waitFor()
  await rowOf(page, 'Ada Alarm Clock').waitFor()
  await page.keyboard.press('Backspace')
  await page.getByText(/^PE-\d+ was removed\.$/).waitFor()
  await rowOf(page, 'Ada Alarm Clock').waitFor({ state: 'hidden' })
  await page.keyboard.press('z')
  await rowOf(page, 'Ada Alarm Clock').waitFor()
  await rowOf(page, 'Ada Alarm Clock').focus()
  await page.keyboard.press('Enter')
  await titleOf(page, 'Ada Alarm Clock').waitFor()
  await page.keyboard.press('j')
  await titleOf(page, 'Omar Office').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'No persona is selected' }).waitFor()
  await page.close()
}

const readAsViewer = (browser: Browser, { nora }: Sample): Promise<void> =>
  lookInGerman(browser, `/personas?persona=${nora}`, async ({ page, look, hasNoAction }) => {
    await page.locator('#persona-title').waitFor()
    await hasNoAction(/^Bearbeiten/, 'Entfernen', 'Neue Persona')
    await look('a persona')
    await page.goto(`${serviceUrl}/console/personas?view=board`)
    await page.locator(`.work[data-key="${nora}"]`).waitFor()
    await hasNoAction('Neues Segment', 'Nora Night verschieben')
    await look('the persona board')
  })

/** The service refuses a change of an outdated record, and a removal may overtake a read. */
const signInAnew = (browser: Browser, name: string) =>
  signInAs(browser, [name, 'Persona', 'member'], { missing: /\/(?:persona|segments)\/[A-Z\d-]+/ })

await driveConsole('The personas of the console work', async (browser) => {
  const sample = await createSample()
  const first = await signInAnew(browser, 'Ines')
  await lookAtPersonas(browser, await first.storageState(), sample)
  await readAsViewer(browser, sample)
  const second = await signInAnew(browser, 'Jana')
  await workByKeyboard(second)
  await editByMouse(second, sample)
  await settleConflict(second, sample)
  const third = await signInAnew(browser, 'Karl')
  await workOnBoard(third, sample)
  await settleMove(third, sample)
  await workOnSegments(third, sample)
})
