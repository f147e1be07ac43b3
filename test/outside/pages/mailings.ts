// Writes, previews, sends, schedules and cancels mailings of the console in Chromium, and manages suppressions, by mouse
// and by keyboard alone, at two widths, light and dark.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { readClock } from '../../clock.ts'
import { DESK, driveConsole, type GermanLook, lookInGerman, signInAs } from './drive.ts'
import { createPerson, open, type SignedIn } from './ideas-page.ts'
import { check, inspect, lookEverywhere, serviceUrl, watch } from './inspect.ts'
import { waitForMail } from './outbox.ts'
import { call, signIn } from './session.ts'

interface Sample {
  segmentId: number
  name: string
  /** Subject of a mailing that was sent before. */
  before: string
  ada: string
  ben: string
  /** Gets no mail. */
  gone: string
}

/** A segment of three people, of whom one has unsubscribed by hand and one has no name. */
async function createSample(): Promise<Sample> {
  const mark = readClock()
  const name = `Beta ${mark}`
  const [ada, ben, gone] = ['ada', 'ben', 'gone'].map((who) => `${who}-${mark}@example.com`) as [string, string, string]
  const { id: segmentId } = await call<{ id: number }>('POST', '/api/v2/segments', { name })
  await call('POST', `/api/v2/segments/${segmentId}/bulk-create-users`, [
    { email: ada, firstName: 'Ada', attributes: { plan: 'pro' } },
    { email: ben, attributes: { plan: 'free' } },
    { email: gone, firstName: 'Gone' },
  ])
  await call('POST', '/api/v2/suppressions', { email: gone })
  return { segmentId, name, before: `Sent before ${mark}`, ada, ben, gone }
}

const message = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const subject = (page: Page) => page.getByRole('textbox', { name: 'Subject' })
const titleOf = (page: Page, text: string) => page.locator('#mailing-title', { hasText: text })
const filterOf = (page: Page, name: string) => page.getByRole('group', { name: 'Recipients to show' }).getByText(name)
const preview = (page: Page) => page.getByRole('complementary', { name: 'Preview' })
const rowOf = (page: Page, text: string) => page.getByRole('row', { name: new RegExp(text) }).first()
const answerOf = (page: Page, path: string) =>
  page.waitForResponse((response) => response.url().includes(path) && response.ok())

/** A mailing as another program sends it. */
async function sendMail({ segmentId }: Sample, fields: object): Promise<void> {
  await call('POST', `/api/v2/segments/${segmentId}/email`, { html: '<p>Hello {{firstName}},</p>', ...fields })
}

const lookAtMailings = (browser: Browser, storageState: SignedIn, sample: Sample): Promise<void> =>
  lookEverywhere(browser, { storageState }, async ({ context, look }) => {
    const page = await open(context, '/mailings')
    await page.getByRole('link', { name: sample.before }).waitFor()
    await look(page, 'the mailings')
    await page.getByRole('link', { name: sample.before }).click()
    await rowOf(page, sample.ada).getByText('Sent', { exact: true }).waitFor()
    await look(page, 'a mailing')
    await page.getByRole('button', { name: `Show the message to ${sample.ada}` }).click()
    await page.getByRole('dialog').getByText('Hello Ada,').first().waitFor()
    await look(page, 'the message of a person')
    await page.keyboard.press('Escape')
    await page.goto(`${serviceUrl}/console/mailings/new?segment=${sample.segmentId}`)
    await page.getByText('2 people get it.').waitFor()
    await subject(page).fill('{{firstName}}, try it')
    await message(page).fill('Hello {{firstName}},')
    await preview(page).getByText('Ada, try it').waitFor()
    await look(page, 'the composer')
    await page.getByRole('button', { name: 'Review and send' }).click()
    await page.getByRole('heading', { name: 'Mail 2 people?' }).waitFor()
    await look(page, 'the question before a mailing')
    await page.keyboard.press('Escape')
    await page.goto(`${serviceUrl}/console/suppressions`)
    await rowOf(page, sample.gone).waitFor()
    await look(page, 'the suppressions')
    await page.getByRole('button', { name: `Allow mail to ${sample.gone}` }).click()
    await page.getByText('Find out why before you allow it.').waitFor()
    await look(page, 'the question before a removal')
  })

/** Writes with variables, looks at the message of each person, sends a test and the mailing. */
async function composeByMouse(context: BrowserContext, sample: Sample, own: string): Promise<void> {
  const page = await open(context, '/mailings')
  await page.getByRole('link', { name: 'New mailing' }).click()
  await page.getByRole('combobox', { name: 'To' }).selectOption(`${sample.name} · 3`)
  await page.getByText('2 people get it. 1 stopped by your team.').waitFor()
  await page.getByText('Show who is skipped').click()
  await page.getByText(sample.gone).first().waitFor()
  check(
    await page.getByRole('button', { name: 'Review and send' }).isDisabled(),
    'A mailing without a text can be sent',
  )
  await subject(page).fill('News for ')
  await page.getByRole('button', { name: 'Insert variable' }).first().click()
  await page.getByRole('button', { name: '{{firstName}}' }).click()
  await message(page).click()
  await page.keyboard.type('Hello ')
  await page.getByRole('button', { name: 'Insert variable' }).last().click()
  await page.getByRole('button', { name: '{{firstName}}' }).click()
  await page.keyboard.type(', you are on ')
  await page.getByRole('button', { name: 'Bold' }).click()
  await page.getByRole('button', { name: 'Bold', pressed: true }).waitFor()
  await page.getByRole('button', { name: 'Insert variable' }).last().click()
  await page.getByRole('button', { name: '{{attributes.plan}}' }).click()
  await page.getByRole('button', { name: 'Bold' }).click()
  await page.keyboard.type('. Read the plan')
  for (const _ of 'the plan') await page.keyboard.press('Shift+ArrowLeft')
  await page.getByRole('button', { name: 'Link', exact: true }).click()
  await page.getByRole('textbox', { name: 'Address of the link' }).fill('example.com/beta')
  await page.getByRole('button', { name: 'Set the link' }).click()
  const shown = preview(page)
  await shown.getByText('News for Ada').waitFor()
  await shown.getByText('Hello Ada, you are on pro. Read the plan').first().waitFor()
  check((await shown.locator('strong').last().textContent()) === 'pro', 'The preview loses what is bold')
  await shown.locator('a[title="https://example.com/beta"]', { hasText: 'the plan' }).waitFor()
  await shown.getByText('1 person has no first name').waitFor()
  await shown.getByRole('combobox', { name: 'As seen by' }).selectOption(sample.ben)
  await shown.getByText('Hello , you are on free. Read the plan').first().waitFor()
  await shown.getByRole('combobox').selectOption(`${sample.gone} (skipped)`)
  await shown.getByText(`${sample.gone} gets no mail: stopped by your team`).waitFor()
  await inspect(page, 'the preview for a skipped person')
  await page.reload()
  await shown.getByText('News for Ada').waitFor()
  await page.getByRole('button', { name: 'Send a test' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send a test' })
  check((await dialog.getByRole('textbox').inputValue()) === own, 'A test does not go to the own address')
  await dialog.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText(`A test is on its way to ${own}.`).waitFor()
  check((await waitForMail('test', own)).includes('Hello Greta'), 'The test has not the own name')
  await page.getByRole('button', { name: 'Review and send' }).click()
  await page.getByRole('heading', { name: 'Mail 2 people?' }).waitFor()
  await page.getByRole('button', { name: 'Send to 2 people' }).click()
  await titleOf(page, 'News for {{firstName}}').waitFor()
  await rowOf(page, sample.ada).getByText('Sent', { exact: true }).waitFor()
  const sent = await waitForMail('segment', sample.ada)
  check(sent.includes('Hello Ada, you are on pro'), `The mail differs from its preview: ${sent}`)
  await page.getByRole('button', { name: `Show the message to ${sample.ben}` }).click()
  await page.getByRole('dialog').getByText('Hello , you are on free.').first().waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  check((await page.getByRole('row', { name: new RegExp(sample.gone) }).count()) === 0, 'A suppressed person is mailed')
  await filterOf(page, 'Not delivered').click()
  await page.getByText('No message failed.').waitFor()
  await page.close()
}

async function refuseUnknownVariable(context: BrowserContext, { segmentId }: Sample): Promise<void> {
  const page = await open(context, `/mailings/new?segment=${segmentId}`)
  await page.getByText('2 people get it.').waitFor()
  await message(page).fill('Hello')
  await subject(page).fill('{{nickname}}')
  await page.getByText('{{nickname}} is not a variable').first().waitFor()
  check(await page.getByRole('button', { name: 'Review and send' }).isDisabled(), 'An unknown variable can be sent')
  await page.getByRole('button', { name: 'Discard the draft' }).click()
  await page.getByText('The draft was discarded.').waitFor()
  await page.close()
}

/** A person who leaves before a scheduled mailing does is skipped, with the reason. */
async function skipWhoLeft(context: BrowserContext, sample: Sample): Promise<void> {
  const name = `Late ${readClock()}`
  await sendMail(sample, { subject: name, scheduledAt: new Date(readClock() + 8_000).toISOString() })
  await call('POST', '/api/v2/suppressions', { email: sample.ben, segmentId: sample.segmentId })
  const page = await open(context, '/mailings')
  await page.getByRole('link', { name }).click()
  await rowOf(page, sample.ben).getByText('Unsubscribed before the mail was sent.').waitFor()
  await filterOf(page, 'Skipped').click()
  await rowOf(page, sample.ada).waitFor({ state: 'hidden' })
  await rowOf(page, sample.ben).waitFor()
  await inspect(page, 'the skipped people of a mailing')
  await page.close()
}

const inAnHour = () => {
  const at = new Date(readClock() + 3_600_000)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** Writes, schedules and cancels without a pointer. */
async function scheduleByKeyboard(context: BrowserContext, sample: Sample): Promise<void> {
  const page = await open(context, '/mailings')
  await page.getByRole('link', { name: sample.before }).waitFor()
  await page.keyboard.press('c')
  await page.getByRole('combobox', { name: 'To' }).focus()
  await page.keyboard.type(sample.name)
  await page.getByText('get it.').or(page.getByText('gets it.')).waitFor()
  await subject(page).focus()
  await page.keyboard.type('Later')
  await message(page).focus()
  await page.keyboard.type('Hello ')
  await page.getByRole('button', { name: 'Insert variable' }).last().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: '{{email}}' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('#mail-message', { hasText: 'Hello {{email}}' }).waitFor()
  await preview(page).getByText(`Hello ${sample.ada}`).first().waitFor()
  await page.getByRole('radio', { name: 'Now' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByLabel('Date and time').fill(inAnHour())
  await page.getByRole('button', { name: 'Review and schedule', disabled: false }).waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await titleOf(page, 'Later').waitFor()
  await page.getByRole('region', { name: 'Mailing', exact: true }).getByText('Scheduled').waitFor()
  await page.getByRole('button', { name: 'Cancel the mailing' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('will not get the mail').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the mailing' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('The mailing was canceled.').waitFor()
  await rowOf(page, sample.ada).getByText('Canceled').waitFor()
  await page.locator('#mailing-title:focus').waitFor()
  await page.keyboard.press('j')
  await titleOf(page, 'Later').waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'No mailing is selected' }).waitFor()
  await page.close()
}

async function suppressByMouse(context: BrowserContext, { segmentId, name, gone }: Sample): Promise<void> {
  const email = `stop-${readClock()}@example.com`
  const page = await open(context, '/suppressions')
  await page.getByRole('button', { name: 'Add a suppression' }).click()
  await page.getByRole('textbox', { name: 'Address' }).fill(email)
  await page.getByText('No mailing, invitation or news').waitFor()
  await page.getByRole('combobox', { name: 'What stops' }).selectOption(`Mail of ${name}`)
  await page.getByText(`Mailings to ${name} leave the address out.`).waitFor()
  await inspect(page, 'the dialog for a suppression')
  await page.getByRole('button', { name: 'Stop the mail' }).click()
  await rowOf(page, email).getByText(`Mail of ${name}`).waitFor()
  await page.getByRole('searchbox', { name: 'Address' }).fill(email)
  await page.getByRole('button', { name: 'Find' }).click()
  await rowOf(page, gone).waitFor({ state: 'hidden' })
  await page.reload()
  await rowOf(page, email).waitFor()
  await page.getByRole('combobox', { name: 'Reason' }).selectOption('Complained')
  await page.getByText('No suppression matches these filters.').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  const removed = answerOf(page, '/api/v2/suppressions/')
  await page.getByRole('button', { name: `Allow mail to ${email}` }).click()
  await page.getByRole('button', { name: 'Allow mail again' }).click()
  await removed
  await rowOf(page, email).waitFor({ state: 'hidden' })
  const left = await call<{ email: string }[]>('GET', `/api/v2/suppressions?segmentId=${segmentId}`)
  check(!left.some((one) => one.email === email), 'The removal of a suppression is not stored')
  await page.close()
}

async function suppressByKeyboard(context: BrowserContext): Promise<void> {
  const email = `key-${readClock()}@example.com`
  const page = await open(context, '/suppressions')
  await page.getByRole('table').waitFor()
  await page.keyboard.press('c')
  await page.locator('input[name=email]:focus').waitFor()
  await page.keyboard.type(email)
  await page.keyboard.press('Enter')
  await rowOf(page, email).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: `Allow mail to ${email}` }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await rowOf(page, email).waitFor({ state: 'hidden' })
  await page.locator('main:focus').waitFor()
  await page.close()
}

/** A member reads mail and sends none. A viewer sees neither. */
async function lookByRole(browser: Browser, sample: Sample): Promise<void> {
  const lookAsMember = async ({ page, look }: GermanLook) => {
    await page.getByRole('link', { name: sample.before }).click()
    await page.locator('#mailing-title').waitFor()
    check((await page.getByRole('link', { name: 'Neues Mailing' }).count()) === 0, 'A member can begin a mailing')
    await look('a mailing')
    await page.goto(`${serviceUrl}/console/suppressions`)
    await page.getByText(sample.gone).waitFor()
    check((await page.getByRole('button', { name: /sperren|erlauben/ }).count()) === 0, 'A member changes suppressions')
    await page.goto(`${serviceUrl}/console/mailings/new`)
    await page.getByText('Ihre Rolle kann keine Mails senden.').waitFor()
  }
  await lookInGerman(browser, '/mailings', lookAsMember, { person: ['Mia', 'Member', 'member'] })
  const viewer = await signInAs(browser, ['Vera', 'Viewer', 'viewer'])
  const page = await open(viewer, '/mailings')
  await page.getByText('Your role cannot see mailings.').waitFor()
  check((await page.getByRole('link', { name: 'Mailings' }).count()) === 0, 'A viewer sees the link to the mailings')
  await viewer.close()
}

await driveConsole('The mailings and suppressions of the console work', async (browser) => {
  const sample = await createSample()
  await sendMail(sample, { subject: sample.before })
  const own = await createPerson('Greta', 'Groups', 'admin')
  const context = await browser.newContext(DESK)
  // The preview of an unknown variable is refused.
  watch(context, /\/email\/preview$/)
  await signIn(context, own)
  await waitForMail('segment', sample.ada)
  await lookAtMailings(browser, await context.storageState(), sample)
  await composeByMouse(context, sample, own)
  await refuseUnknownVariable(context, sample)
  await scheduleByKeyboard(context, sample)
  await suppressByMouse(context, sample)
  await suppressByKeyboard(context)
  await lookByRole(browser, sample)
  await skipWhoLeft(context, sample)
})
