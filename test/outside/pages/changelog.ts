// Works with the changelog of the console in Chromium, by mouse and by keyboard alone, at two widths, light and dark.
import { Buffer } from 'node:buffer'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { readClock } from '../../clock.ts'
import { driveConsole, lookInGerman, signInAs } from './drive.ts'
import { open, type SignedIn } from './ideas-page.ts'
import { check, inspect, lookEverywhere, serviceUrl } from './inspect.ts'
import { call } from './session.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

interface Sample {
  /** Makes the titles of a run its own. */
  stamp: string
  idea: string
  /** Key of a published entry. */
  published: string
  /** Key of a draft. */
  draft: string
}

interface Portal {
  products: string[]
}

/** Two people follow the changelog, and the portal shows the product. */
async function createSample(): Promise<Sample> {
  const stamp = String(readClock())
  const { externalKey: product } = await call<{ externalKey: string }>('POST', '/api/initiatives', {
    name: `Reports ${stamp}`,
  })
  const { products } = await call<Portal>('GET', '/api/v2/settings/portal')
  await call('PUT', '/api/v2/settings/portal', { products: [...products, product], changelog: true })
  const idea = `Sign on the tablet ${stamp}`
  const asked = await call<{ external_key: string }>('POST', '/api/feedback-items', { title: idea, product })
  const versions = `/api/initiatives/${product}/solution-versions`
  const spring = await call<{ externalKey: string }>('POST', versions, { name: 'Spring' })
  await call('POST', `${versions}/${spring.externalKey}/release`)
  for (const name of ['ada', 'ben'])
    await call('POST', '/api/v2/changelog/subscription', { email: `${name}-${stamp}@example.com` })
  const create = async (entry: object) =>
    (await call<{ externalKey: string }>('POST', '/api/v2/changelog', { product, ...entry })).externalKey
  const published = await create({
    ...{ title: `Clients sign on site ${stamp}`, labels: ['New'], ideas: [asked.external_key] },
    ...{
      content: '<p>Turn the tablet, done.</p><ul><li>Several people sign.</li></ul>',
      versions: [spring.externalKey],
    },
  })
  await call('POST', `/api/v2/changelog/${published}/publish`, { notify: 'none' })
  return { stamp, idea, published, draft: await create({ title: `Faster reports ${stamp}` }) }
}

const titleOf = (page: Page, title: string) => page.locator('#entry-title', { hasText: title })
const rowOf = (page: Page, title: string) => page.getByRole('link', { name: title, exact: true })
const shownEntry = (page: Page) => page.getByRole('region', { name: 'As readers see it' })

const readEntry = (key: string) =>
  call<{ status: string; notify: string; labels: string[]; cover: number | null }>('GET', `/api/v2/changelog/${key}`)

const lookAtChangelog = (
  browser: Browser,
  storageState: SignedIn,
  { published, draft, idea, stamp }: Sample,
): Promise<void> =>
  lookEverywhere(browser, { storageState }, async ({ context, look }) => {
    const page = await open(context, '/changelog')
    await rowOf(page, `Faster reports ${stamp}`).waitFor()
    await look(page, 'the changelog')
    await page.goto(`${serviceUrl}/console/changelog?entry=${published}`)
    await shownEntry(page).getByText(idea).waitFor()
    await look(page, 'an entry of the changelog')
    await page.goto(`${serviceUrl}/console/changelog?entry=${draft}`)
    await page.getByRole('button', { name: 'Publish…' }).click()
    await page.getByText(/(person gets|people get) mail\./).waitFor()
    await look(page, 'the publication of an entry')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('textbox', { name: 'Text' }).waitFor()
    await look(page, 'the text of an entry')
    await page.close()
  })

/** Writes the draft: text, label, picture, idea and version. */
async function writeByMouse(page: Page, { stamp, idea }: Sample): Promise<void> {
  await rowOf(page, `Faster reports ${stamp}`).click()
  await titleOf(page, 'Faster reports').waitFor()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Text' }).fill('<p>A report takes <strong>eleven seconds</strong>.</p>')
  await page.getByRole('region', { name: 'Preview of the text' }).getByText('eleven seconds').waitFor()
  await page.getByRole('button', { name: 'Save the entry' }).click()
  await shownEntry(page).locator('strong', { hasText: 'eleven seconds' }).waitFor()
  await page.getByRole('button', { name: 'Add a label' }).click()
  await page.getByRole('combobox', { name: 'Label' }).fill('Improved')
  await page.keyboard.press('Enter')
  await shownEntry(page).getByText('Improved').waitFor()
  await page.locator('input[type=file]').setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer: PIXEL })
  await shownEntry(page).locator('img').waitFor()
  await page.getByRole('button', { name: 'Link an idea' }).click()
  await page.getByRole('searchbox', { name: 'Find an idea' }).fill(idea)
  await page.getByRole('radio', { name: idea }).check()
  await page.getByRole('button', { name: /^Link IDEA-/ }).click()
  await shownEntry(page).getByText(idea).waitFor()
  await page.getByRole('combobox', { name: 'Link a version' }).selectOption({ label: 'Spring' })
  await shownEntry(page).getByText('Version Spring').waitFor()
  await inspect(page, 'a written entry')
}

/** Publishes after saying whom the entry mails, takes the entry back, and schedules it. */
async function publishByMouse(page: Page, { stamp, draft }: Sample): Promise<void> {
  const detail = page.getByRole('region', { name: 'Entry', exact: true })
  await page.getByRole('button', { name: 'Publish…' }).click()
  const dialog = page.getByRole('dialog', { name: `Publish “Faster reports ${stamp}”` })
  await dialog.getByText(/\d (person gets|people get) mail\./).waitFor()
  await dialog.getByRole('radio', { name: 'Mail nobody' }).check()
  await dialog.getByText('Nobody gets mail.').waitFor()
  await dialog.getByRole('button', { name: 'Publish, mail nobody' }).waitFor()
  await dialog.getByRole('radio', { name: /^Later/ }).check()
  await dialog.getByRole('button', { name: /^Publish and mail \d+ (person|people)$/ }).click()
  await page.getByText(new RegExp(`^${draft} was published\\. \\d+ (person gets|people get) mail\\.$`)).waitFor()
  check((await readEntry(draft)).status === 'published', 'The publication is not stored')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Publish…' }).click()
  await dialog.getByRole('radio', { name: 'At a time' }).check()
  await dialog.getByRole('radio', { name: 'Mail nobody' }).check()
  await dialog.getByRole('button', { name: 'Schedule, mail nobody' }).click()
  await page.getByText(/ will be published on .*\. Nobody gets mail\.$/).waitFor()
  await detail.getByText('Scheduled').waitFor()
  const { status, notify, labels, cover } = await readEntry(draft)
  check(status === 'scheduled' && notify === 'none', 'The schedule is not stored')
  check(labels[0] === 'Improved' && cover !== null, 'The label and the picture are not stored')
  await page.getByRole('button', { name: 'Do not publish' }).click()
  await detail.getByText('Draft', { exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'Status' }).selectOption('published')
  await rowOf(page, `Faster reports ${stamp}`).waitFor({ state: 'hidden' })
  await rowOf(page, `Clients sign on site ${stamp}`).click()
  await page.getByRole('button', { name: 'Take back' }).click()
  await detail.getByText('Draft', { exact: true }).waitFor()
}

async function workByMouse(context: BrowserContext, sample: Sample): Promise<void> {
  const page = await open(context, '/changelog')
  await writeByMouse(page, sample)
  await publishByMouse(page, sample)
  await page.close()
}

async function workByKeyboard(context: BrowserContext, { stamp, draft }: Sample): Promise<void> {
  const page = await open(context, '/ideas')
  await page.getByRole('heading', { level: 1, name: 'Ideas' }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('c')
  await rowOf(page, `Faster reports ${stamp}`).waitFor()
  await page.keyboard.press('c')
  await page.locator('input[name=title]:focus').waitFor()
  await page.keyboard.type(`Rotated photos ${stamp}`)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  const title = page.getByRole('textbox', { name: 'Title' })
  await title.waitFor()
  await page.locator('form input:focus').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type('<p>Photos keep their rotation.</p>')
  await page.keyboard.press('Tab')
  await page.locator('button:focus', { hasText: 'Save the entry' }).waitFor()
  await page.keyboard.press('Enter')
  await shownEntry(page).getByText('Photos keep their rotation.').waitFor()
  await page.locator('#entry-title:focus').waitFor()
  await page.keyboard.press('p')
  await page.getByRole('dialog', { name: /^Publish “Rotated/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await rowOf(page, `Rotated photos ${stamp}`).waitFor()
  await page.keyboard.press('Backspace')
  await page.getByText(/^CL-\d+ was removed\.$/).waitFor()
  await rowOf(page, `Rotated photos ${stamp}`).waitFor({ state: 'hidden' })
  await page.keyboard.press('z')
  await rowOf(page, `Rotated photos ${stamp}`).waitFor()
  await titleOf(page, 'Faster reports').waitFor()
  await page.keyboard.press('k')
  await titleOf(page, 'Rotated photos').waitFor()
  await page.keyboard.press('j')
  await titleOf(page, 'Faster reports').waitFor()
  check((await readEntry(draft)).status === 'draft', 'A key published the draft')
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'No entry is selected' }).waitFor()
  await page.close()
}

const readAsViewer = (browser: Browser, { published, idea }: Sample): Promise<void> =>
  lookInGerman(browser, `/changelog?entry=${published}`, async ({ page, look, hasNoAction }) => {
    await page.getByRole('region', { name: 'Wie Leser ihn sehen' }).getByText(idea).waitFor()
    await hasNoAction('Bearbeiten', 'Entfernen', 'Zurücknehmen', 'Neuer Eintrag', 'Schlagwort hinzufügen')
    await look('an entry')
  })

await driveConsole('The changelog of the console works', async (browser) => {
  const sample = await createSample()
  const context = await signInAs(browser, ['Nina', 'News', 'member'], { missing: /\/changelog\/CL-\d+/ })
  await lookAtChangelog(browser, await context.storageState(), sample)
  await readAsViewer(browser, sample)
  await workByKeyboard(context, sample)
  await workByMouse(context, sample)
})
