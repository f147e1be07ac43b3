// Changes the texts of mail in the settings of the console, by mouse and by keyboard alone, at two widths, light and dark.
import type { Browser, BrowserContext } from 'playwright-core'
import { DESK, driveConsole, type GermanLook, lookInGerman, lookNarrow, signInAs } from './drive.ts'
import { open, type SignedIn } from './ideas-page.ts'
import { check, inspect, lookEverywhere } from './inspect.ts'
import { call } from './session.ts'

const PATH = '/settings/mail'

interface Settings {
  mailTemplates: Record<string, Record<string, string>>
}

const lookAtTexts = (browser: Browser, storageState: SignedIn): Promise<void> =>
  lookEverywhere(browser, { storageState }, async ({ context, look }) => {
    const page = await open(context, PATH)
    await page.getByRole('region', { name: 'Preview' }).getByText('Ada').waitFor()
    await look(page, 'the texts of mail')
  })

async function changeByMouse(context: BrowserContext): Promise<void> {
  const page = await open(context, PATH)
  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.getByText('Ada').waitFor()
  await page.getByRole('combobox', { name: 'Mail about' }).selectOption('A released version')
  await page.waitForURL('**/settings/mail?kind=release')
  await page.getByRole('textbox', { name: 'Subject' }).fill('{{version}} is here')
  await preview.getByText(/ is here$/).waitFor()
  await page.getByRole('button', { name: 'Save the texts' }).click()
  await page.getByText('The texts were changed.').waitFor()
  const stored = await call<Settings>('GET', '/api/v2/settings')
  const { subject } = stored.mailTemplates.release ?? {}
  check(subject === '{{version}} is here', `The subject is ${subject}`)
  await page.close()
}

/** An empty field brings the text of the service back. */
async function changeByKeyboard(context: BrowserContext): Promise<void> {
  const page = await open(context, `${PATH}?kind=release`)
  await page.getByRole('textbox', { name: 'Subject' }).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page
    .getByRole('region', { name: 'Preview' })
    .getByText(/ is released$/)
    .first()
    .waitFor()
  await page.getByRole('textbox', { name: 'Subject' }).press('Enter')
  await page.getByText('The texts were changed.').waitFor()
  const { mailTemplates } = await call<Settings>('GET', '/api/v2/settings')
  check(mailTemplates.release?.subject === undefined, 'The emptied subject stays')
  await page.close()
}

async function refuseVariable(context: BrowserContext): Promise<void> {
  const page = await open(context, PATH)
  await page.getByRole('textbox', { name: 'Subject' }).fill('{{nonsense}}')
  await page.getByText('The preview could not be made').waitFor()
  await page.getByRole('button', { name: 'Save the texts' }).click()
  await page.getByText('The texts were not changed').waitFor()
  await inspect(page, 'a text that the service refuses')
  await page.close()
}

async function lookAsViewer(browser: Browser): Promise<void> {
  const lookAtMail = async ({ page, look }: GermanLook) => {
    await page.getByText('Inhaber und Admins ändern die Texte').waitFor()
    await page.getByRole('region', { name: 'Vorschau' }).getByText('Ada').waitFor()
    check((await page.locator('main').getByRole('button').count()) === 0, 'A viewer changes the texts of mail')
    await look('the texts of mail')
  }
  await lookInGerman(browser, PATH, lookAtMail, { width: 1280 })
}

await driveConsole('The texts of mail work', async (browser) => {
  const context = await signInAs(browser, ['Olga', 'Owner', 'owner'])
  const storageState = await context.storageState()
  await changeByMouse(context)
  await changeByKeyboard(context)
  await lookAtTexts(browser, storageState)
  const faulty = await browser.newContext({ storageState, ...DESK })
  await refuseVariable(faulty)
  await lookAsViewer(browser)
  await lookNarrow(browser, storageState, {
    [PATH]: (page) => page.getByRole('region', { name: 'Preview' }).getByText('Ada'),
  })
})
