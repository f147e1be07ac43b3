// Opens, colors and closes the portal in the settings of the console, by mouse and by keyboard alone, at two widths, light and dark.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { readClock } from '../../clock.ts'
import { DESK, driveConsole, type GermanLook, lookInGerman, lookNarrow, signInAs } from './drive.ts'
import { open, type SignedIn } from './ideas-page.ts'
import { check, inspect, lookEverywhere, serviceUrl } from './inspect.ts'
import { call } from './session.ts'

const PATH = '/settings/portal'
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#7646c4"/></svg>'

const saveButton = (page: Page) => page.getByRole('button', { name: 'Save the portal' })
const isSaved = (page: Page) => page.getByText('The portal was changed.').waitFor()

const lookAtPortal = (browser: Browser, storageState: SignedIn): Promise<void> =>
  lookEverywhere(browser, { storageState }, async ({ context, look }) => {
    const page = await open(context, PATH)
    await page
      .getByText(/buttons have a contrast of/)
      .first()
      .waitFor()
    await page.getByRole('radio', { name: /^Only people who sign in/ }).check()
    await page.getByRole('textbox', { name: 'Color', exact: true }).fill('#ffee00')
    await page
      .getByText(/in place of #ffee00/)
      .first()
      .waitFor()
    await page.getByRole('radio', { name: 'Only ideas of these statuses' }).check()
    await look(page, 'the portal')
  })

/** The service keeps text readable, whatever the color, and the preview says by how much. */
async function checkContrast(page: Page): Promise<void> {
  for (const color of ['#ffee00', '#f0f0f0', '#000000']) {
    await page.getByRole('textbox', { name: 'Color', exact: true }).fill(color)
    await page
      .getByText(new RegExp(`in place of ${color}`))
      .first()
      .waitFor()
    const told = await page.getByText(/have a contrast of/).allInnerTexts()
    const ratios = told.flatMap((text) => Array.from(text.matchAll(/(\d+(?:\.\d+)?):1/g), ([, ratio]) => Number(ratio)))
    check(ratios.length > 3 && ratios.every((ratio) => ratio >= 4.5), `${color} has the contrasts ${ratios.join(', ')}`)
  }
}

async function setUpByMouse(context: BrowserContext, slug: string): Promise<void> {
  const page = await open(context, PATH)
  await page.getByRole('checkbox', { name: 'The portal is open' }).setChecked(true)
  await page.getByRole('textbox', { name: 'Address' }).fill(slug)
  await page.getByRole('textbox', { name: 'Title' }).fill('Ideas for Acme')
  await checkContrast(page)
  await page.getByRole('textbox', { name: 'Color', exact: true }).fill('#7646c4')
  const uploaded = page.waitForResponse((response) => response.url().endsWith('/assets'))
  await page
    .getByLabel('Choose a file: Logo', { exact: true })
    .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(LOGO) })
  check((await uploaded).ok(), 'The logo is not uploaded')
  await page.getByRole('button', { name: 'Remove: Logo', exact: true }).waitFor()
  await page.getByText(new RegExp(`(opens at|moves to) .*/p/${slug}`)).waitFor()
  await saveButton(page).click()
  await isSaved(page)
  const portal = await (await context.request.get(`${serviceUrl}/p/${slug}`)).text()
  check(portal.includes('Ideas for Acme'), 'The portal does not show its title')
  check(portal.includes('accent=7646c4'), 'The portal does not have its color')
  check(portal.includes('logo-image'), 'The portal does not show its logo')
  await page.reload()
  await page.locator('.portal-preview img').first().waitFor()
  await page.close()
}

async function moderateByMouse(context: BrowserContext): Promise<void> {
  const page = await open(context, PATH)
  const held = page.getByRole('checkbox', { name: /^Hold new ideas/ })
  for (const isOn of [true, false]) {
    await held.click()
    await page.getByText(isOn ? 'New ideas now wait for approval.' : 'New ideas now appear at once.').waitFor()
    const { feedback } = await call<{ feedback: { moderation: boolean } }>('GET', '/api/v2/settings')
    check(feedback.moderation === isOn, `The moderation is ${feedback.moderation}`)
  }
  await page.close()
}

/** The records are those that the service looks up. */
async function useDomain(context: BrowserContext): Promise<void> {
  const page = await open(context, PATH)
  const host = `ideas-${readClock()}.example.com`
  await page.getByRole('textbox', { name: 'Host name' }).fill(host)
  await page.getByRole('button', { name: 'Save the domain' }).click()
  await page.getByText(`${host} is not verified yet`).waitFor()
  const { workspace } = await call<{ workspace: { id: number } }>('GET', '/api/v2/me')
  const record = `groundwork-verification=${new URL(serviceUrl).host}/${workspace.id}`
  const row = page.getByRole('row').filter({ hasText: `_groundwork.${host}` })
  check((await row.textContent())?.includes(record) === true, 'The page does not show the record of the domain')
  await page.getByRole('button', { name: 'Look up the record again' }).click()
  await page.getByText('The TXT record was not found.').waitFor()
  await inspect(page, 'a domain without its record')
  await page.getByRole('button', { name: 'Remove the domain' }).click()
  await page.getByText(`${host} was removed.`).waitFor()
  await page.keyboard.press('z')
  await page.getByText(`${host} is not verified yet`).waitFor()
  await page.getByRole('button', { name: 'Remove the domain' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText(`${host} was removed.`).waitFor()
  await page.close()
}

async function rotateSecret(context: BrowserContext): Promise<void> {
  const page = await open(context, PATH)
  const secrets: string[] = []
  for (const action of [/^(Create|Rotate) the secret$/, /^Rotate the secret$/]) {
    await page.getByRole('button', { name: action }).click()
    await page.getByRole('dialog').getByText('only once').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: action }).click()
    const shown = page.getByRole('dialog').getByRole('textbox', { name: 'Secret' })
    secrets.push(await shown.inputValue())
    await inspect(page, 'the new secret')
    await page.getByRole('button', { name: 'Copy the secret' }).click()
    await page.getByText('The secret was copied').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText(/^The secret is from/).waitFor()
  }
  check(new Set(secrets).size === 2 && secrets.every((one) => one.startsWith('eus_')), 'A rotation gives no new secret')
  check(!(await page.content()).includes(secrets[1] ?? ''), 'The page shows the secret again')
  await page.close()
}

async function closeByKeyboard(context: BrowserContext, slug: string): Promise<void> {
  const page = await open(context, PATH)
  const isOpen = page.getByRole('checkbox', { name: 'The portal is open' })
  await isOpen.focus()
  await page.keyboard.press('Space')
  await page.getByText('The portal closes at once').waitFor()
  await page.getByRole('button', { name: 'Discard the changes' }).focus()
  await page.keyboard.press('Enter')
  check(await isOpen.isChecked(), 'The discarded change stays')
  await isOpen.focus()
  await page.keyboard.press('Space')
  await saveButton(page).focus()
  await page.keyboard.press('Enter')
  await isSaved(page)
  const { status } = await fetch(`${serviceUrl}/p/${slug}`)
  check(status === 404, `A closed portal answers ${status}`)
  await page.close()
}

/** Somebody else changes the same field, and another field. */
async function editTogether(browser: Browser, storageState: SignedIn): Promise<void> {
  const context = await browser.newContext({ storageState, ...DESK })
  const page = await open(context, PATH)
  await page.getByRole('textbox', { name: 'Title' }).fill('Mine')
  await call('PATCH', '/api/v2/settings/portal', { name: 'Theirs', locale: 'de' })
  await saveButton(page).click()
  await page.getByRole('alert').getByText('Title').waitFor()
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByText('Theirs', { exact: true }).last().waitFor()
  await inspect(page, 'a conflict about the portal')
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await isSaved(page)
  const portal = await call<{ name: string; locale: string }>('GET', '/api/v2/settings/portal')
  check(portal.name === 'Mine' && portal.locale === 'de', `The portal is ${JSON.stringify(portal)}`)
  await context.close()
}

async function lookAsViewer(browser: Browser): Promise<void> {
  const lookAtPortal = async ({ page, look }: GermanLook) => {
    await page.getByText('Inhaber und Admins ändern das Portal.').waitFor()
    const contrast = page.getByText(/haben Schaltflächen einen Kontrast/)
    await contrast.first().waitFor()
    const actions = page.locator('main').getByRole('button')
    check((await actions.count()) === 0, `A viewer sees ${await actions.allInnerTexts()}`)
    check((await page.locator('main input:enabled, main select:enabled').count()) === 0, 'A viewer can fill in a field')
    await look('the portal')
  }
  await lookInGerman(browser, PATH, lookAtPortal, { width: 1280 })
}

await driveConsole('The settings of the portal work', async (browser) => {
  const slug = `acme-${readClock()}`
  await call('POST', '/api/initiatives', { name: 'Acme', externalKey: 'AC-1' }).catch(() => undefined)
  const context = await signInAs(browser, ['Olga', 'Owner', 'owner'])
  await context.grantPermissions(['clipboard-write'])
  const storageState = await context.storageState()
  await setUpByMouse(context, slug)
  await lookAtPortal(browser, storageState)
  await moderateByMouse(context)
  await useDomain(context)
  await rotateSecret(context)
  await editTogether(browser, storageState)
  await lookAsViewer(browser)
  await closeByKeyboard(context, slug)
  await lookNarrow(browser, storageState, { [PATH]: (page) => page.getByText(/buttons have a contrast of/) })
})
