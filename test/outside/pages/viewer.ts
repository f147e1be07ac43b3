// A viewer tries everything that every screen of the console offers: each button, each key and each drag. Nothing is
// sent but reads, and nothing is refused.
import type { BrowserContext, Page } from 'playwright-core'
import { drive, signInAs } from './drive.ts'
import { check, serviceUrl } from './inspect.ts'
import { createScreens, type Screen } from './screens.ts'

/** The keys of every screen that change something for others. */
const WRITE_KEYS = [
  ...['c', 'e', 'x', 'm', 's', 'o', 't', 'v', 'n', 'r', 'p', 'l', 'u', 'a', 'd', 'f'],
  ...['Backspace', 'Delete', 'Space', 'Alt+ArrowUp', 'Alt+ArrowRight', 'Shift+ArrowDown'],
]

const openScreen = async (page: Page, { path, shown, hidden }: Screen): Promise<void> => {
  await page.goto(`${serviceUrl}/console${path}`)
  await (hidden ? page.locator('main').getByText(hidden) : page.locator(shown)).first().waitFor()
}

/** A key may lead to a dialog only with a form that a viewer may send, and none is known. */
async function pressKeys(page: Page, screen: Screen): Promise<void> {
  await openScreen(page, screen)
  for (const key of WRITE_KEYS) {
    if (screen.row) await page.locator(screen.row).first().focus()
    await page.keyboard.press(key)
    check((await page.locator('dialog[open]').count()) === 0, `${screen.name}: ${key} opens a dialog for a viewer`)
    check((await page.locator('.lift-note').count()) === 0, `${screen.name}: ${key} lifts a card for a viewer`)
  }
  check((await page.locator('main [draggable="true"]').count()) === 0, `${screen.name}: a viewer can drag`)
}

/** Presses each button of the bar and of the page, also those of menus that opened meanwhile. */
async function pressButtons(page: Page, screen: Screen): Promise<number> {
  const buttons = page.locator('main button:visible:enabled, .bar button:visible:enabled')
  await openScreen(page, screen)
  const pressed = new Set<string>()
  for (;;) {
    const names = await buttons.evaluateAll((all) =>
      all.map((one) => `${one.id} ${one.getAttribute('aria-label') ?? one.textContent}`),
    )
    const at = names.findIndex((name) => !pressed.has(name))
    const name = names[at]
    if (name === undefined) return pressed.size
    pressed.add(name)
    await buttons.nth(at).click()
    if (!page.url().includes(screen.path.split('?')[0] ?? '')) await openScreen(page, screen)
  }
}

/** Fields that only change what the page shows. */
const READ_FIELDS = ['search', 'radio']

async function listWriteFields(page: Page, screen: Screen): Promise<string[]> {
  await openScreen(page, screen)
  return page
    .locator('main :is(input, textarea, [contenteditable]):visible:enabled')
    .evaluateAll(
      (all, types) =>
        all
          .filter((one) => !types.includes(one.getAttribute('type') ?? ''))
          .map((one) => one.getAttribute('aria-label') ?? one.id ?? one.outerHTML),
      READ_FIELDS,
    )
}

/** Reads that have a body. */
const PREVIEWS = /\/mail-preview$/

async function tryEverything(context: BrowserContext, screens: readonly Screen[]): Promise<number> {
  const page = await context.newPage()
  let where = ''
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname
    const isRead = request.method() === 'GET' || PREVIEWS.test(path)
    check(isRead, `${where}: a viewer sends ${request.method()} ${path}`)
  })
  page.on('response', (response) =>
    check(response.status() !== 403, `${where}: ${new URL(response.url()).pathname} refuses a viewer`),
  )
  let pressed = 0
  for (const screen of screens) {
    where = screen.name
    const fields = await listWriteFields(page, screen)
    check(fields.length === 0, `${where}: a viewer can write into ${fields.join(', ')}`)
    await pressKeys(page, screen)
    if (!screen.isOwn) pressed += await pressButtons(page, screen)
  }
  await page.close()
  return pressed
}

/** Most screens offer a viewer nothing but links. */
const FEWEST_BUTTONS = 20

/** A session has a thousand units of the rate limit in a minute. */
const SCREENS_OF_A_SESSION = 8

await drive(async (browser) => {
  const screens = await createScreens()
  let pressed = 0
  for (let first = 0; first < screens.length; first += SCREENS_OF_A_SESSION) {
    const context = await signInAs(browser, [`Vera${first}`, 'Viewer', 'viewer'])
    pressed += await tryEverything(context, screens.slice(first, first + SCREENS_OF_A_SESSION))
    await context.close()
  }
  check(pressed >= FEWEST_BUTTONS, `The viewer found only ${pressed} buttons to press`)
  return `A viewer pressed ${pressed} buttons and ${WRITE_KEYS.length} keys on ${screens.length} screens, and nothing was refused.`
})
