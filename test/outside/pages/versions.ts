// Works with the versions of the console in Chromium, by mouse and by keyboard alone, at two widths, light and dark.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { readClock } from '../../clock.ts'
import { waitFor } from './backlog-items.ts'
import { DESK, driveConsole, lookInGerman, signInAs } from './drive.ts'
import { open, type SignedIn } from './ideas-page.ts'
import { check, inspect, lookEverywhere, serviceUrl } from './inspect.ts'
import { call } from './session.ts'
import { hideEvents, readOtherName } from './two-people.ts'

interface Sample {
  product: string
  /** A version with an item that is done and an item that is not. */
  key: string
}

async function createSample(): Promise<Sample> {
  const name = `Inspect ${readClock()}`
  const { externalKey: product } = await call<{ externalKey: string }>('POST', '/api/initiatives', { name })
  const at = `/api/initiatives/${product}`
  const items: string[] = []
  for (const [summary, progress] of [['Keep photos', 'done'] as const, ['Send photos', 'to-do'] as const]) {
    const story = { summary, progress, storyPoint: '3' }
    items.push((await call<{ externalKey: string }>('POST', `${at}/storyMap/card`, story)).externalKey)
  }
  const spring = { name: 'Spring', items, releaseDate: '2027-03-01' }
  const { externalKey: key } = await call<{ externalKey: string }>('POST', `${at}/solution-versions`, spring)
  await call('POST', `${at}/solution-versions`, { name: 'Summer' })
  return { product, key }
}

const pathOf = ({ product, key }: Sample) => `/versions?product=${product}&version=${key}`
const titleOf = (page: Page, name: string) => page.locator('#version-title', { hasText: name })
const rowOf = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

const lookAtVersions = (browser: Browser, storageState: SignedIn, sample: Sample): Promise<void> =>
  lookEverywhere(browser, { storageState }, async ({ context, look }) => {
    const page = await open(context, `/versions?product=${sample.product}`)
    await rowOf(page, 'Spring').waitFor()
    await look(page, 'the versions')
    await page.goto(`${serviceUrl}/console${pathOf(sample)}`)
    await titleOf(page, 'Spring').waitFor()
    await look(page, 'a version')
    await page.getByRole('button', { name: 'Release…' }).click()
    await page.getByRole('dialog', { name: 'Release the version Spring' }).waitFor()
    await look(page, 'the release of a version')
  })

const statusOf = async ({ product, key }: Sample) =>
  (await call<{ status: string }>('GET', `/api/initiatives/${product}/solution-versions/${key}`)).status

async function releaseQuietly(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Release…' }).click()
  await page.getByRole('radio', { name: 'Mail nobody' }).check()
  await page.getByRole('checkbox', { name: 'Draft a changelog entry' }).uncheck()
  await page.getByRole('button', { name: 'Release, mail nobody' }).click()
  await page.getByRole('button', { name: 'Release with open items' }).click()
}

/** A refused undo says that nothing was undone, and tries again. */
async function failToUndo(page: Page): Promise<void> {
  const json = { success: false, message: 'The entry was published.', error: { code: 'conflict', issues: [] } }
  await page.route('**/unrelease', (route) => route.fulfill({ status: 409, json }))
  await page.getByRole('button', { name: 'Undo' }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'Not undone: Spring release was released.' })
  await notice.getByText('The entry was published.').waitFor()
  await inspect(page, 'an undo that failed')
  await page.unroute('**/unrelease')
  await notice.getByRole('button', { name: 'Try again' }).click()
  await notice.waitFor({ state: 'hidden' })
}

const itemsOf = async ({ product, key }: Sample) =>
  (await call<{ items: string[] }>('GET', `/api/initiatives/${product}/solution-versions/${key}`)).items

/** The list says what the items are. An item goes out and back to its place, and another one comes in. */
async function changeItems(page: Page, sample: Sample): Promise<void> {
  const items = await itemsOf(sample)
  const [first = '', second = ''] = items
  const list = page.getByRole('region', { name: /^\d+ items?$/ })
  const line = (key: string) => list.getByRole('listitem').filter({ hasText: key })
  await line(first).getByText('Keep photos').waitFor()
  await line(first).getByText('Done').waitFor()
  await line(second).getByText('To do').waitFor()
  await list.getByRole('button', { name: `Take ${first} out of the version` }).click()
  await page.getByText(`${first} was taken out of Spring.`).waitFor()
  check((await itemsOf(sample)).join() === second, 'A removed item is still in the version')
  await page.keyboard.press('z')
  await line(first).waitFor()
  check((await itemsOf(sample)).join() === items.join(), 'The undo does not put the item at its place')
  const story = { summary: 'Count photos', progress: 'done' }
  const { externalKey: third } = await call<{ externalKey: string }>(
    'POST',
    `/api/initiatives/${sample.product}/storyMap/card`,
    story,
  )
  await list.getByRole('button', { name: 'Add items' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add items to Spring' })
  await dialog.getByLabel('Words or a key').fill('count')
  await dialog.getByRole('button', { name: 'Count photos' }).waitFor()
  await inspect(page, 'the form that adds items to a version')
  await dialog.getByRole('button', { name: 'Count photos' }).press('Enter')
  await page.getByText(`${third} was added to Spring.`).waitFor()
  await page.keyboard.press('Escape')
  await line(third).waitFor()
  check((await itemsOf(sample)).join() === [...items, third].join(), 'An added item is not in the version')
}

/** Releases with an open item after a warning, takes the release back twice, and archives the last one. */
async function workByMouse(context: BrowserContext, sample: Sample): Promise<void> {
  const page = await open(context, `/versions?product=${sample.product}`)
  await rowOf(page, 'Spring').click()
  await page.getByText('3 of 6 points').waitFor()
  await changeItems(page, sample)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Spring release')
  await page.getByRole('button', { name: 'Save the version' }).click()
  await titleOf(page, 'Spring release').waitFor()
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByRole('region', { name: 'Version', exact: true }).getByText('In progress').waitFor()
  await page.getByRole('button', { name: 'Release…' }).click()
  await page.getByText('0 people will be mailed').waitFor()
  await page.getByRole('button', { name: 'Release, mail nobody' }).click()
  await page.getByText('Some items are not done').waitFor()
  check((await page.getByRole('alert').count()) === 1, 'A refused release says its reason twice')
  await inspect(page, 'a release with open items')
  check((await statusOf(sample)) === 'in-progress', 'A refused release changes the version')
  await page.getByRole('button', { name: 'Release with open items, mail nobody' }).click()
  await page.getByText('Spring release was released. Nobody gets mail.').waitFor()
  check((await statusOf(sample)) === 'released', 'The release is not stored')
  check(
    (await page.getByRole('button', { name: 'Edit', exact: true }).count()) === 0,
    'A released version can be edited',
  )
  await failToUndo(page)
  await releaseQuietly(page)
  await page.reload()
  await page.getByRole('button', { name: 'Take the release back' }).click()
  await releaseQuietly(page)
  await page.getByRole('button', { name: 'Archive' }).click()
  await page.getByRole('region', { name: 'Version', exact: true }).getByText('Archived').waitFor()
  check((await statusOf(sample)) === 'archived', 'The archiving is not stored')
  await page.getByRole('link', { name: 'Show the items in the backlog' }).click()
  await page.getByText('Keep photos').waitFor()
  await page.close()
}

async function workByKeyboard(context: BrowserContext, sample: Sample): Promise<void> {
  const page = await open(context, `/versions?product=${sample.product}`)
  await rowOf(page, 'Summer').waitFor()
  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'New version' }).getByRole('textbox', { name: 'Name' }).waitFor()
  await page.locator('input[name=name]:focus').waitFor()
  await page.keyboard.type('Autumn')
  await page.keyboard.press('Enter')
  await titleOf(page, 'Autumn').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await rowOf(page, 'Autumn').waitFor()
  await page.keyboard.press('Backspace')
  await page.getByText(/^SV-\d+ was removed\.$/).waitFor()
  await rowOf(page, 'Autumn').waitFor({ state: 'hidden' })
  await page.keyboard.press('z')
  await rowOf(page, 'Autumn').waitFor()
  await rowOf(page, 'Autumn').focus()
  await page.keyboard.press('Enter')
  await titleOf(page, 'Autumn').waitFor()
  await page.keyboard.press('j')
  await titleOf(page, 'Summer').waitFor()
  await page.getByText('No items yet. Add items here').waitFor()
  await page.getByRole('link', { name: 'Open the backlog' }).waitFor()
  await page.getByRole('button', { name: 'Release…' }).waitFor()
  await page.keyboard.press('r')
  await page.getByRole('dialog', { name: 'Release the version Summer' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'No version is selected' }).waitFor()
  await page.close()
}

/** Two people edit one version: the name is a question, and the date of the other person stays. */
async function editTogether(browser: Browser, storageState: SignedIn, sample: Sample): Promise<void> {
  const context = await browser.newContext({ storageState, ...DESK })
  await hideEvents(context)
  const path = `/api/initiatives/${sample.product}/solution-versions/${sample.key}`
  const read = () => call<{ name: string; startDate: string | null }>('GET', path)
  const page = await open(context, pathOf(sample))
  await titleOf(page, 'Spring').waitFor()
  const rename = async (name: string, meanwhile: object) => {
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(name)
    await call('PUT', path, meanwhile)
    await page.getByRole('button', { name: 'Save the version' }).click()
  }
  await rename('March', { startDate: '2027-01-10' })
  await titleOf(page, 'March').waitFor()
  await waitFor(
    'A change of another field of a version is lost',
    async () => (await read()).startDate?.startsWith('2027-01-10') === true,
  )
  await rename('April', { name: 'May' })
  const conflict = page.getByRole('alert').filter({ hasText: `${await readOtherName()} changed this meanwhile: Name` })
  await conflict.getByRole('button', { name: 'Compare' }).click()
  await conflict.getByText('May').waitFor()
  await inspect(page, 'a conflict of a version')
  const kept = page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok())
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await titleOf(page, 'April').waitFor()
  await kept
  await waitFor('The kept name of a version is not stored', async () => (await read()).name === 'April')
  await call('PUT', path, { name: 'Spring' })
  await context.close()
}

const readAsViewer = (browser: Browser, sample: Sample): Promise<void> =>
  lookInGerman(browser, pathOf(sample), async ({ page, look, hasNoAction }) => {
    await page.locator('#version-title').waitFor()
    await hasNoAction('Bearbeiten', 'Entfernen', 'Elemente aufnehmen', 'aus der Version nehmen')
    await hasNoAction('Veröffentlichen…', 'Neue Version')
    await look('a version')
  })

await driveConsole('The versions of the console work', async (browser) => {
  const sample = await createSample()
  // The service refuses to release open items at first.
  const missing = /\/solution-versions\/SV-\d+/
  const context = await signInAs(browser, ['Ines', 'Release', 'member'], { missing })
  const storageState = await context.storageState()
  await lookAtVersions(browser, storageState, sample)
  await editTogether(browser, storageState, sample)
  await readAsViewer(browser, sample)
  await workByKeyboard(context, sample)
  await workByMouse(context, sample)
})
