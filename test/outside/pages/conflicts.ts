// Two people edit one record on every screen that edits: the second learns of the change, and chooses whose stays.
import type { Browser, Page } from 'playwright-core'
import { stamp, waitFor } from './backlog-items.ts'
import { DESK, drive } from './drive.ts'
import { createPerson } from './ideas-page.ts'
import { check, inspect, serviceUrl } from './inspect.ts'
import { changeElsewhere, type Edit, isStored, textOf, type } from './screen-edits.ts'
import { createScreens, type Screen } from './screens.ts'
import { signIn } from './session.ts'
import { hideEvents } from './two-people.ts'

type EditedScreen = Screen & { edit: Edit }

const conflictOf = (page: Page) => page.getByRole('alert').filter({ hasText: 'changed this meanwhile' })

/** Types while another person stores another text, and saves. */
async function overtake(page: Page, screen: EditedScreen, mine: string, theirs: string): Promise<void> {
  const { name, edit } = screen
  await page.goto(`${serviceUrl}/console${screen.path}`)
  await page.locator(screen.shown).first().waitFor()
  await type(page, edit, mine)
  await changeElsewhere(edit, theirs)
  await edit.save(page)
  await conflictOf(page).waitFor()
  check(await isStored(edit, theirs), `${name}: the change of the other person is taken back without a question`)
  await conflictOf(page).getByRole('button', { name: 'Compare' }).click()
  for (const text of [mine, theirs]) {
    const shown = conflictOf(page).getByText(edit.stored.toStored?.(text) ?? text)
    await shown.first().waitFor()
  }
}

const choose = (page: Page, name: RegExp) => conflictOf(page).getByRole('button', { name }).click()

async function settle(page: Page, screen: EditedScreen): Promise<void> {
  const { name, edit } = screen
  const textFor = (words: string) => textOf(edit, `${words} ${name} ${stamp}`)
  const mine = textFor('Mine of')
  await overtake(page, screen, mine, textFor('Theirs of'))
  await inspect(page, `a conflict of ${name}`)
  await choose(page, /^Keep mine$/)
  await waitFor(`${name}: the kept text is not stored`, () => isStored(edit, mine))
  await conflictOf(page).waitFor({ state: 'hidden' })
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  const theirs = textFor('Newer of')
  await overtake(page, screen, textFor('Given up of'), theirs)
  await choose(page, /^Take /)
  await conflictOf(page).waitFor({ state: 'hidden' })
  check(await isStored(edit, theirs), `${name}: taking the other text stored mine`)
}

/** A browser reports each conflict as an error, so nobody watches. A session has a thousand units in a minute. */
async function settleAll(browser: Browser, screens: readonly EditedScreen[], name: string): Promise<void> {
  const context = await browser.newContext(DESK)
  await hideEvents(context)
  await signIn(context, await createPerson(name, 'Second', 'owner'))
  const page = await context.newPage()
  for (const screen of screens) await settle(page, screen)
  await context.close()
}

const SCREENS_OF_A_SESSION = 8

await drive(async (browser) => {
  const edited = (await createScreens()).filter((screen): screen is EditedScreen => screen.edit !== undefined)
  for (let first = 0; first < edited.length; first += SCREENS_OF_A_SESSION)
    await settleAll(browser, edited.slice(first, first + SCREENS_OF_A_SESSION), `Person${first}`)
  return `Two people edit one record on ${edited.length} screens, and the second chooses whose text stays.`
})
