// A customer signs in, votes, comments and submits: by mouse, by keyboard and without scripts.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { readClock } from '../../clock.ts'
import {
  check,
  inspect,
  RULES_IN_THE_DARK,
  SCHEMES,
  serviceUrl,
  showsFocus,
  WIDTHS,
  waitUntilLoaded,
  watch,
} from './inspect.ts'
import { readCode } from './outbox.ts'
import type { SamplePortal } from './sample-portal.ts'
import { call } from './session.ts'

let customers = 0
export const createAddress = (): string => `customer-${++customers}-${readClock().toString(36)}@example.com`

/** From the page with the field for the address. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Mail me a code' }).click()
  await page.getByLabel('Six-digit code').fill(await readCode(email))
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** A comment on the page; the form to change it holds the same text. */
export const saidIn = (page: Page, text: string) => page.locator('.comment .prose').getByText(text)

const voteOf = (page: Page, title: string) => page.getByRole('button', { name: new RegExp(`[Vv]ote: ${title}`) })

async function voteByMouse(context: BrowserContext, { base, title }: SamplePortal): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${serviceUrl}${base}?sort=top`)
  const button = voteOf(page, title)
  const before = Number(await button.getAttribute('data-votes'))
  await button.click()
  await page.getByText('Your vote counts as soon as you are signed in.').waitFor()
  await inspect(page, 'the sign-in')
  await signIn(page, createAddress())
  await page.waitForURL('**?sort=top')
  check(Number(await button.getAttribute('data-votes')) === before + 1, 'The vote did not count after the sign-in')
  check((await button.getAttribute('aria-pressed')) === 'true', 'The vote is not shown after the sign-in')
  let loads = 0
  page.on('load', () => loads++)
  await button.click()
  await page.locator('button.vote[aria-pressed="true"]').waitFor({ state: 'detached' })
  await page.locator(`button.vote[aria-label="Vote: ${title}, ${before} votes"]`).waitFor()
  check(loads === 0, 'A vote loads the page again')
  await page.route('**/vote', (route) => route.abort())
  await button.click()
  await page.getByRole('alert').waitFor()
  check((await button.getAttribute('aria-pressed')) === 'false', 'A vote that failed stays')
  await inspect(page, 'a vote that failed')
  await page.unroute('**/vote')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator(`button.vote[aria-label="Remove your vote: ${title}, ${before + 1} votes"]`).waitFor()
  check(!(await page.getByRole('alert').isVisible()), 'The problem stays after a vote')
  await page.close()
}

async function takePartByKeyboard(context: BrowserContext, { base, title }: SamplePortal): Promise<void> {
  const page = await context.newPage()
  await page.goto(serviceUrl + base)
  await page.getByRole('link', { name: title }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await page
    .getByRole('button', { name: 'Follow this idea' })
    .or(page.getByRole('button', { name: 'You follow' }))
    .focus()
  check(await showsFocus(page), 'The button to follow shows no focus')
  await page.getByLabel('Your comment').focus()
  await page.keyboard.type('Typed without a mouse')
  await page.keyboard.press('Tab')
  check(await showsFocus(page), 'The button to comment shows no focus')
  await page.keyboard.press('Enter')
  await page.waitForURL('**#comment-*')
  await saidIn(page, 'Typed without a mouse').waitFor()
  await page.getByText('Edit', { exact: true }).focus()
  await page.keyboard.press('Enter')
  await inspect(page, 'an own comment that is open')
  await page.getByRole('button', { name: 'Remove', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**#comments')
  check(!(await saidIn(page, 'Typed without a mouse').isVisible()), 'The comment was not removed')
  const account = page.getByRole('button', { name: /^Account of/ })
  await account.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Profile' }).waitFor()
  await inspect(page, 'the open menu of the account')
  await page.keyboard.press('Escape')
  check(await account.evaluate((one) => one.matches(':focus')), 'Escape does not return the focus to the account')
  await page.close()
}

async function submitByMouse(context: BrowserContext, { base, title }: SamplePortal): Promise<void> {
  const page = await context.newPage()
  await page.goto(serviceUrl + base)
  await page.getByRole('link', { name: 'Submit an idea' }).click()
  await page.getByLabel('Title').pressSequentially('Work offline everywhere')
  await page.locator('#similar').getByRole('link', { name: title }).waitFor()
  await inspect(page, 'the form with similar ideas')
  await page.getByLabel('Description').fill('Also in the car.\n\nAnd in a lift.')
  await page.getByLabel('Category').selectOption({ label: 'Reports' })
  await page.getByLabel('Files').setInputFiles([
    { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('A plan') },
    { name: 'photo.png', mimeType: 'image/png', buffer: await page.screenshot() },
  ])
  await page.getByRole('button', { name: 'Submit the idea' }).click()
  await page.getByText('Your idea is here').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Work offline everywhere' }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'plan.txt' }).click(),
  ])
  check(download.suggestedFilename() === 'plan.txt', 'A file of a new idea has another name')
  await page.getByRole('link', { name: 'photo.png' }).waitFor()
  await inspect(page, 'a new idea')
  await page.close()
}

async function takePartWithoutScripts(browser: Browser, { base, title }: SamplePortal): Promise<void> {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${serviceUrl}${base}/submit`)
  await signIn(page, createAddress())
  await page.waitForURL('**/submit')
  const file = { name: 'ship.csv', mimeType: 'text/csv', buffer: Buffer.from('port,day\n') }
  await page.getByLabel('Title').fill('Work offline on a ship')
  await page.getByLabel('Files').setInputFiles(file)
  await page.getByRole('button', { name: 'Submit the idea' }).click()
  await page.locator('#similar').getByRole('link', { name: title }).waitFor()
  await page.getByText('Choose your files again').waitFor()
  await page.getByLabel('Files').setInputFiles(file)
  await page.getByRole('button', { name: 'Submit the idea' }).click()
  await page.getByText('Your idea is here').waitFor()
  await page.getByRole('link', { name: 'ship.csv' }).waitFor()
  await page.getByLabel('Your comment').fill('It rolls a lot.')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await saidIn(page, 'It rolls a lot.').waitFor()
  await page.locator('summary', { hasText: 'Reply' }).click()
  await page.getByRole('textbox', { name: 'Reply to Anonymous' }).fill('Really.')
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  await page.getByText('2 comments').waitFor()
  await page.goto(serviceUrl + base)
  await voteOf(page, title).click()
  check((await voteOf(page, title).getAttribute('aria-pressed')) === 'true', 'A vote needs scripts')
  await page.goto(`${serviceUrl}${base}/profile`)
  await page.getByLabel('First name').fill('Sam')
  await page.getByRole('button', { name: 'Save the name' }).click()
  await page.getByText('Your name is saved.').waitFor()
  await page.getByLabel('once a day').check()
  await page.getByRole('button', { name: 'Save the choice' }).click()
  await page.getByText('Your choice of mail is saved.').waitFor()
  check(await page.getByLabel('once a day').isChecked(), 'The choice of mail is not shown')
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor()
  await context.close()
}

/** The form to change an idea that waits for an approval, without scripts too. */
async function changeOwnIdea(browser: Browser, { base }: SamplePortal): Promise<void> {
  for (const width of WIDTHS)
    for (const colorScheme of SCHEMES) {
      const context = await browser.newContext({
        ...{ viewport: { width, height: 900 }, colorScheme, javaScriptEnabled: colorScheme === 'dark' },
      })
      const page = await context.newPage()
      await page.goto(`${serviceUrl}${base}/submit`)
      await signIn(page, createAddress())
      await page.waitForURL('**/submit')
      await page.getByLabel('Title').fill(`Paint a bridge ${width} ${colorScheme}`)
      await page.getByLabel('Description').fill('It rusts.\n\nFast.')
      await page.getByRole('button', { name: 'Submit the idea' }).click()
      if (!page.url().includes('?submitted')) await page.getByRole('button', { name: 'Submit the idea' }).click()
      await page.getByText('Your idea is here').waitFor()
      const path = new URL(page.url()).pathname
      await call('PUT', `/api/feedback-items/${path.split('/').at(-1)}`, { visibility_level: 'pending' })
      await page.goto(serviceUrl + path)
      await page.getByText('Only you see this idea until').waitFor()
      const rules = colorScheme === 'dark' ? RULES_IN_THE_DARK : {}
      const look = (name: string) => inspect(page, `${name} at ${width} px, ${colorScheme}`, rules)
      if (colorScheme === 'dark') await look('an idea that waits')
      await page.getByRole('link', { name: 'Change your idea' }).click()
      check((await page.getByLabel('Description').inputValue()) === 'It rusts.\n\nFast.', 'The form lost the text')
      if (colorScheme === 'dark') await look('the form to change an idea')
      await page.getByLabel('Title').fill('Paint the bridge')
      await page.getByLabel('Category').selectOption({ label: 'Reports' })
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Your changes are saved.').waitFor()
      await page.getByRole('heading', { level: 1, name: 'Paint the bridge' }).waitFor()
      await context.close()
    }
}

/** Pages that only a person who signed in sees, and the steps of the sign-in. */
async function lookAtOwnPages(browser: Browser, { base, paths }: SamplePortal): Promise<void> {
  const idea = paths.find((path) => path.includes('/ideas/')) ?? ''
  for (const width of WIDTHS) {
    for (const colorScheme of SCHEMES) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, hasTouch: width < 500 })
      watch(context)
      const page = await context.newPage()
      const rules = colorScheme === 'dark' ? RULES_IN_THE_DARK : {}
      const look = (name: string) => inspect(page, `${name} at ${width} px, ${colorScheme}`, rules)
      await page.goto(`${serviceUrl}${base}/sign-in`)
      await look('the sign-in')
      const email = createAddress()
      await page.getByLabel('E-mail').fill(email)
      await page.getByRole('button', { name: 'Mail me a code' }).click()
      await page.getByLabel('Six-digit code').waitFor()
      await look('the field for the code')
      await page.getByLabel('Six-digit code').fill(await readCode(email))
      await page.getByRole('button', { name: 'Sign in' }).click()
      for (const path of [base, idea, `${base}/submit`, `${base}/profile`, `${base}/de/profile`, `${base}/changelog`]) {
        await page.goto(serviceUrl + path)
        await waitUntilLoaded(page)
        await look(path)
      }
      await context.close()
    }
  }
}

export async function takePart(browser: Browser, sample: SamplePortal): Promise<void> {
  await lookAtOwnPages(browser, sample)
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  await voteByMouse(context, sample)
  await takePartByKeyboard(context, sample)
  await submitByMouse(context, sample)
  await context.close()
  await takePartWithoutScripts(browser, sample)
  await changeOwnIdea(browser, sample)
}
