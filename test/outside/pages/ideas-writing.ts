import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { readClock } from '../../clock.ts'
import { CHECKLIST, createPerson, open, rowOf, type SignedIn, titleOf } from './ideas-page.ts'
import { check, inspect, serviceUrl, watch } from './inspect.ts'
import type { SampleIdeas } from './sample-ideas.ts'
import { call, signIn } from './session.ts'

/** A new idea by mouse and by keyboard, and the file of the filtered list. */
export async function createAndExport(browser: Browser, { product }: SampleIdeas): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  watch(context)
  // An export takes many units of the rate limit, so the others have another session.
  await signIn(context, await createPerson('Nora', 'Lind', 'member'))
  const page = await open(context, '/ideas')
  await rowOf(page, CHECKLIST).waitFor()
  const [byMouse, byKeyboard, email] = [
    `Quiet alarms ${readClock()}`,
    `Louder ${readClock()}`,
    `a-${readClock()}@example.com`,
  ]
  await page.getByRole('button', { name: 'New idea' }).click()
  const dialog = page.getByRole('dialog', { name: 'New idea' })
  await dialog.getByRole('textbox', { name: 'Title' }).fill(byMouse)
  await dialog.getByRole('textbox', { name: 'Description' }).fill('At night.\n\n<b>Soft</b> ones')
  await dialog.getByRole('combobox', { name: 'Product' }).selectOption(product)
  await dialog.getByRole('textbox', { name: 'Email address of the author' }).fill(email)
  await inspect(page, 'the dialog of a new idea')
  await dialog.getByRole('button', { name: 'Create the idea' }).click()
  await titleOf(page, byMouse).waitFor()
  await page.getByRole('region', { name: 'Idea', exact: true }).getByText(email).first().waitFor()
  await page.getByText('<b>Soft</b> ones').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('c')
  await page.locator('dialog input:focus').waitFor()
  await page.keyboard.type(byKeyboard)
  await page.keyboard.press('Enter')
  await titleOf(page, byKeyboard).waitFor()
  await page.goto(`${serviceUrl}/console/ideas?q=quiet`)
  await rowOf(page, byMouse).waitFor()
  const downloaded = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export' }).click()
  const file = readFileSync(await (await downloaded).path(), 'utf8')
  check(file.includes(byMouse) && !file.includes(byKeyboard), 'The file is not the filtered list')
  await context.close()
}

/** A status with a message and its audience, a reply, a note, a tag and a title. */
export async function answerByMouse(context: BrowserContext, { keys }: SampleIdeas): Promise<void> {
  const page = await open(context, `/ideas?idea=${keys[5]}`)
  await titleOf(page, 'Dictate notes while wearing gloves').waitFor()
  await page.getByRole('button', { name: '6 people will be mailed' }).waitFor()
  const isArmed = () => page.getByRole('button', { name: 'Post the message' }).isEnabled()
  check(!(await isArmed()), 'The composer sends a status that the idea has')
  await page.getByRole('combobox', { name: 'New status' }).selectOption('Planned')
  await page.getByRole('button', { name: 'Set to Planned and mail 6 people' }).waitFor()
  await page.getByRole('textbox', { name: 'Message to the people' }).fill('We start in December.')
  await page.getByRole('button', { name: '6 people will be mailed' }).click()
  await page.getByText('6 other people follow this idea.').waitFor()
  await page.locator('.recipients', { hasText: 'Priya Raman' }).filter({ hasText: 'Ines Duarte' }).waitFor()
  await inspect(page, 'the people of a mail')

  await page.getByRole('radio', { name: 'Mail nobody' }).check()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Nobody will be mailed' }).waitFor()
  await page.getByRole('button', { name: 'Set to Planned, mail nobody' }).click()
  await page.getByText('Planned. Nobody gets mail.').waitFor()
  await page.getByText(/status (?:from .+ )?to Planned/).waitFor()
  await page.getByText('Choose another status, or write a message.').waitFor()
  const message = page.getByRole('textbox', { name: 'Message to the people' })
  check((await message.inputValue()) === '' && !(await isArmed()), 'The composer keeps what it has sent')
  await message.fill('More soon.')
  await page.getByRole('button', { name: 'Post the message and mail 6 people' }).click()
  await page.getByText('Your message is there. 6 people get mail.').waitFor()
  check(await page.getByText('We start in December.').isVisible(), 'The activity has no message')
  await page.getByText('Reply', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Reply to everybody' }).fill('Which gloves?\n\n<b>Thin</b> ones?')
  await page.getByRole('button', { name: 'Reply and mail the author' }).click()
  await page.getByText(/^Your reply is there\. .+ gets mail\.$/).waitFor()
  await page.getByText('<b>Thin</b> ones?').waitFor()
  await page.getByText('Internal note', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Note for your team' }).fill('Ask Brandwacht.')
  await page.getByRole('button', { name: 'Add the note' }).click()
  await page.getByText('Ask Brandwacht.').waitFor()
  await page.getByRole('button', { name: 'Add a tag' }).click()
  await page.getByRole('combobox', { name: 'New tag' }).fill('gloves')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove the tag gloves' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Remove the tag gloves' }).click()
  await page.getByRole('button', { name: 'Remove the tag gloves' }).waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Edit the title' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Dictate notes with gloves on')
  await page.keyboard.press('Enter')
  await titleOf(page, 'Dictate notes with gloves on').waitFor()
  await rowOf(page, 'Dictate notes with gloves on').waitFor()
  await inspect(page, 'an answered idea')
  await page.close()
}

export async function answerByKeyboard(context: BrowserContext, { keys }: SampleIdeas): Promise<void> {
  const page = await open(context, `/ideas?idea=${keys[3]}`)
  await titleOf(page, 'Show the floor plan beside the photo').waitFor()
  await page.keyboard.press('s')
  await page.locator('#idea-new-status:focus').waitFor()
  await page.locator('#idea-new-status option', { hasText: 'Declined' }).waitFor({ state: 'attached' })
  await page.keyboard.type('Dec')
  await page.getByRole('button', { name: /^Set to Declined and mail \d/ }).waitFor()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.type('Plans change too often.')
  await page.keyboard.press('Control+Enter')
  await page.getByText(/status (?:from .+ )?to Declined/).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('n')
  await page.locator('#idea-message:focus').waitFor()
  await page.keyboard.type('Look at it again in May.')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Look at it again in May.').last().waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('t')
  await page.keyboard.type('plans')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove the tag plans' }).waitFor()
  await page.keyboard.press('e')
  await page.locator('.title-input:focus').waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Show the plan')
  await page.keyboard.press('Enter')
  await titleOf(page, 'Show the plan').waitFor()
  await page.close()
}

/** Brings two ideas together and apart, and an idea to the backlog and back. A merge may overtake a read, which is a 404 then. */
export async function mergeAndPromote(browser: Browser, storageState: SignedIn, { keys }: SampleIdeas): Promise<void> {
  const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 900 } })
  const page = await open(context, `/ideas?idea=${keys[7]}`)
  await titleOf(page, CHECKLIST).waitFor()
  const similar = page.getByRole('region', { name: 'Similar ideas' })
  const mergeHere = similar.getByRole('button', { name: /^Merge into this/ })
  await mergeHere.first().waitFor()
  check((await similar.getByText('0 of its voters').count()) === 0, 'A merge without new voters counts them')
  await mergeHere.first().click()
  const merged = page.getByText(new RegExp(`^IDEA-\\d+ was merged into ${keys[7]}`))
  const [first = ''] = /IDEA-\d+/.exec((await merged.textContent()) ?? '') ?? []
  await page.keyboard.press('z')
  await page.getByText(`${first} stands on its own again.`).waitFor()
  await page.getByRole('button', { name: 'Merge', exact: true }).click()
  await page.getByRole('searchbox', { name: 'Idea that stays' }).fill(keys[6] ?? '')
  await page
    .getByRole('radio', { name: /^Duplicate a checklist/ })
    .first()
    .check()
  await inspect(page, 'the dialog of a merge')
  await page.getByRole('button', { name: `Merge into ${keys[6]}` }).click()
  await titleOf(page, 'Duplicate a checklist for another building').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText(`${keys[7]} stands on its own again.`).waitFor()
  await page.getByRole('button', { name: 'Promote' }).click()
  await page.getByRole('radio', { name: 'New epic' }).check()
  await inspect(page, 'the dialog of a promotion')
  await page.getByRole('button', { name: 'Create the epic' }).click()
  await page.getByText('The idea is linked to EP-', { exact: false }).waitFor()
  const epic = /EP-\d+/.exec((await page.getByText('The idea is linked to EP-').textContent()) ?? '')?.[0] ?? ''
  await page.keyboard.press('z')
  await page.getByRole('button', { name: 'Promote' }).waitFor()
  await page.keyboard.press('l')
  await page.locator('dialog input[type=search]:focus').waitFor()
  await page.keyboard.type(epic)
  await page.getByRole('radio', { name: new RegExp(epic) }).check()
  await page.getByRole('button', { name: `Link to ${epic}` }).click()
  await page.getByText(`The idea is linked to ${epic}`).waitFor()
  await context.close()
}

/** The answer may come before the action ends. */
export async function sending(page: Page, path: string, act: () => Promise<void>): Promise<void> {
  const answered = page.waitForResponse((response) => response.url().includes(path) && response.ok())
  await act()
  await answered
}

/** Several ideas at once, and a removal with its way back. A removal may overtake a read, which is a 404 then. */
export async function workInBulk(browser: Browser, storageState: SignedIn, { keys }: SampleIdeas): Promise<void> {
  const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 900 } })
  const page = await open(context, '/ideas')
  await rowOf(page, CHECKLIST).waitFor()
  await page.keyboard.press('j')
  await titleOf(page, CHECKLIST).waitFor()
  await page.keyboard.press('Shift+ArrowDown')
  await page.getByText('2 selected').waitFor()
  await inspect(page, 'selected ideas')
  await page.keyboard.press('s')
  await page.getByRole('dialog').getByRole('combobox', { name: 'New status' }).selectOption('Planned')
  await inspect(page, 'the dialog of a status for many')
  await page.getByRole('dialog').getByRole('button', { name: 'Set to Planned, mail nobody' }).click()
  await page.getByText('2 ideas were changed. Nobody gets mail.').waitFor()
  const statusOf = async (key = '') =>
    (await call<{ currentStatus: string | null }>('GET', `/api/feedback-items/${key}`)).currentStatus
  check((await statusOf(keys[7])) === 'planned', 'The status of the selected ideas is not stored')
  await sending(page, '/bulk', () => page.keyboard.press('z'))
  check((await statusOf(keys[7])) !== 'planned', 'The undo does not bring the former status back')
  await page
    .getByRole('checkbox', { name: `Select ${CHECKLIST}` })
    .first()
    .check({ force: true })
  await page.getByRole('button', { name: 'Add tag' }).click()
  await page.getByRole('textbox', { name: 'New tag' }).fill('rounds')
  await page.keyboard.press('Enter')
  await page.getByText('1 idea was changed.').waitFor()
  await page.keyboard.press('x')
  await page.keyboard.press('Backspace')
  await page.getByText('1 idea was removed.').waitFor()
  await sending(page, '/restore', () => page.keyboard.press('z'))
  const tick = (title: string) => page.getByRole('checkbox', { name: `Select ${title}` }).first()
  const both = [CHECKLIST, 'Duplicate a checklist for another building']
  await page.keyboard.press('Escape')
  for (const title of both) await tick(title).check({ force: true })
  await page.getByRole('region', { name: 'Selected ideas' }).getByRole('button', { name: 'Remove' }).click()
  await page.getByText('2 ideas were removed.').waitFor()
  for (const title of both) await tick(title).check({ force: true })
  await page.getByRole('button', { name: 'Restore' }).waitFor()
  check((await page.getByRole('button', { name: 'Add tag' }).count()) === 0, 'Removed ideas can get a tag')
  await inspect(page, 'selected ideas that were removed')
  await page.locator('body').press('u')
  await page.getByText('2 ideas were restored.').waitFor()
  check((await statusOf(keys[7])) !== undefined, 'The selected ideas are not restored')
  await page.goto(`${serviceUrl}/console/ideas?idea=${keys[5]}`)
  await page.locator(`[data-idea="${keys[5]}"]`).waitFor()
  await page.getByRole('button', { name: 'Edit the title' }).waitFor()
  await page.keyboard.press('Backspace')
  await page.getByText(`${keys[5]} was removed.`).waitFor()
  await page.locator('[data-idea]:focus').waitFor()
  await sending(page, '/restore', () => page.getByRole('button', { name: 'Undo' }).click())
  await context.close()
}

/** Readers of a portal wait for the decision of the team. */
export async function decide(context: BrowserContext, { keys }: SampleIdeas): Promise<void> {
  await call('PUT', `/api/feedback-items/${keys[1]}`, { visibility_level: 'pending' })
  const page = await open(context, '/ideas?level=pending')
  await rowOf(page, 'Compare two visits of the same room').click()
  await page.getByText('This idea waits for your approval').waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('This idea waits for your approval').waitFor({ state: 'hidden' })
  await page.close()
}
