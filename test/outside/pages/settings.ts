// Manages people, API keys and sessions of a workspace in Chromium, by mouse and by keyboard alone, at two widths, light and dark.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { readClock } from '../../clock.ts'
import { DESK, driveConsole, type GermanLook, lookInGerman, lookNarrow, signInAs } from './drive.ts'
import { createPerson, open, type SignedIn } from './ideas-page.ts'
import { check, inspect, lookEverywhere, serviceUrl, watch } from './inspect.ts'
import { call, signIn } from './session.ts'

const rowOf = (page: Page, text: string) => page.getByRole('row', { name: new RegExp(text) }).first()

const lookAtSettings = (browser: Browser, storageState: SignedIn): Promise<void> =>
  lookEverywhere(browser, { storageState }, async ({ context, look }) => {
    const page = await open(context, '/settings/people')
    await rowOf(page, 'Olga Owner').waitFor()
    await look(page, 'the people')
    await page.getByRole('button', { name: 'Add a person' }).click()
    await page.getByRole('textbox', { name: 'E-mail address' }).waitFor()
    await look(page, 'the dialog for a new person')
    await page.keyboard.press('Escape')
    await page.goto(`${serviceUrl}/console/settings/people?group=portal`)
    await page.getByText('Nobody is here yet').or(page.getByRole('table')).waitFor()
    await look(page, 'the portal members')
    await page.goto(`${serviceUrl}/console/settings/keys`)
    await page.getByRole('table').waitFor()
    await look(page, 'the API keys')
    await page.getByRole('button', { name: 'Create an API key' }).click()
    await page.locator('#key-name:focus').waitFor()
    await look(page, 'the dialog for a new key')
    await page.keyboard.press('Escape')
    await page.goto(`${serviceUrl}/console/settings/sessions`)
    await page.getByRole('table').waitFor()
    await look(page, 'the sessions')
  })

/** The address of the sign-in, and an invitation that the service sends once an hour. */
async function letIn(page: Page, name: string): Promise<void> {
  const added = page.getByRole('dialog', { name: `${name} was added` })
  const address = await added.getByRole('textbox', { name: 'Address of the sign-in' }).inputValue()
  check(address === `${serviceUrl}/sign-in?next=/console`, `The address of the sign-in is ${address}`)
  await added.getByText('No invitation was sent.').waitFor()
  await inspect(page, 'the sign-in of a new person')
  await added.getByRole('button', { name: 'Copy the address' }).click()
  await added.getByText('The address was copied').waitFor()
  await added.getByRole('button', { name: 'Mail an invitation' }).click()
  await added.getByText(/^Sent .*The person can accept it until/).waitFor()
  await added.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: `How ${name} signs in` }).click()
  const again = page.getByRole('dialog', { name: `How ${name} signs in` })
  await again.getByRole('button', { name: 'Mail the invitation again' }).click()
  await again.getByText('The member was invited within the last hour.').waitFor()
  await page.keyboard.press('Escape')
  await again.waitFor({ state: 'hidden' })
}

/** Adds a person, changes the role, which ends the session of the person, removes the person and takes it back. */
async function manageByMouse(browser: Browser, context: BrowserContext): Promise<void> {
  const email = `tina-${readClock()}@example.com`
  const page = await open(context, '/settings')
  await page.getByRole('button', { name: 'Add a person' }).click()
  await page.getByRole('textbox', { name: 'E-mail address' }).fill(email)
  await page.getByRole('textbox', { name: 'First name' }).fill('Tina')
  await page.getByRole('textbox', { name: 'Last name' }).fill('Tester')
  await page.getByRole('radio', { name: /^Viewer/ }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Add a person' }).click()
  await letIn(page, 'Tina Tester')
  await rowOf(page, email).getByText('Viewer').waitFor()

  const theirs = await browser.newContext()
  await signIn(theirs, email)
  check((await theirs.request.get(`${serviceUrl}/api/v2/me`)).ok(), 'The new person cannot sign in')
  await page.getByRole('button', { name: 'Edit Tina Tester' }).click()
  await page.getByRole('radio', { name: /^Member/ }).check()
  await page.getByText('A new role signs Tina Tester out at once').waitFor()
  await inspect(page, 'the dialog for a new role')
  await page.getByRole('button', { name: 'Change the role' }).click()
  await rowOf(page, email).getByText('Member').waitFor()
  check((await theirs.request.get(`${serviceUrl}/api/v2/me`)).status() === 401, 'A new role keeps the session')
  await theirs.close()

  await page.getByRole('button', { name: 'Remove Tina Tester' }).click()
  await rowOf(page, email).waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: /^Undo/ }).click()
  await rowOf(page, email).waitFor()
  await page.close()
}

async function manageByKeyboard(context: BrowserContext): Promise<void> {
  const email = `kim-${readClock()}@example.com`
  const page = await open(context, '/settings/people')
  await rowOf(page, 'Olga Owner').waitFor()
  await page.keyboard.press('c')
  await page.locator('#person-email:focus').waitFor()
  await page.keyboard.type(email)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: `${email} was added` }).waitFor()
  await page.getByRole('button', { name: 'Copy the address' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await rowOf(page, email).waitFor()
  await page.getByRole('button', { name: `Remove ${email}` }).focus()
  await page.keyboard.press('Enter')
  await rowOf(page, email).waitFor({ state: 'hidden' })
  check((await page.locator('body:focus').count()) === 0, 'A removal loses the focus')
  await page.getByText(`${email} was removed`).waitFor()
  await page.keyboard.press('z')
  await rowOf(page, email).waitFor()
  await page.close()
}

/** Somebody else renames the person while the dialog is open. */
async function editTogether(browser: Browser, storageState: SignedIn): Promise<void> {
  // A browser reports the conflict as an error.
  const context = await browser.newContext({ storageState, ...DESK })
  const email = await createPerson('Conny', 'Conflict', 'member')
  const [person] = await call<{ id: number }[]>('GET', `/api/v2/users?email=${email}`)
  const page = await open(context, '/settings/people')
  await rowOf(page, email).getByRole('button', { name: /^Edit/ }).click()
  await page.getByRole('textbox', { name: 'Last name' }).fill('Mine')
  await call('PATCH', `/api/v2/users/${person?.id}`, { lastName: 'Theirs' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('Last name').waitFor()
  await page.getByRole('button', { name: 'Compare' }).click()
  await inspect(page, 'a conflict about a person')
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await rowOf(page, 'Conny Mine').waitFor()
  await context.close()
}

/** A viewer reads. An admin manages everybody but owners. */
async function lookByRole(browser: Browser): Promise<void> {
  const lookAsViewer = async ({ page, look, hasNoAction }: GermanLook) => {
    await rowOf(page, 'Vera Viewer').waitFor()
    await hasNoAction(/hinzufügen|bearbeiten|entfernen|meldet sich/)
    await look('the people')
  }
  await lookInGerman(browser, '/settings/people', lookAsViewer, { width: 1280 })
  const admin = await signInAs(browser, ['Adam', 'Admin', 'admin'])
  const page = await open(admin, '/settings/people')
  await rowOf(page, 'Olga Owner').getByText('Only an owner changes owners.').waitFor()
  await page.getByRole('button', { name: 'Add a person' }).click()
  check((await page.getByRole('radio', { name: /^Owner/ }).count()) === 0, 'An admin can choose the role of an owner')
  await page.getByRole('radio', { name: /^Admin/ }).waitFor()
  await admin.close()
}

const isAllowed = async (token: string): Promise<boolean> =>
  (await fetch(`${serviceUrl}/api/v2/me`, { headers: { Authorization: `Bearer ${token}` } })).ok

/** The key is shown once, works, and ends with its revocation. */
async function useKeysByMouse(context: BrowserContext): Promise<void> {
  const name = `Reader ${readClock()}`
  const page = await open(context, '/settings/keys')
  await page.getByRole('button', { name: 'Create an API key' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByText('Work items, story maps, versions and experiments').waitFor()
  await page.getByText('One right for both').waitFor()
  check((await page.getByRole('checkbox', { name: 'Events: Write' }).count()) === 0, 'A right opens nothing')
  await page.getByRole('checkbox', { name: 'Backlog: Read' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Create an API key' }).click()
  const token = await page.getByRole('textbox', { name: 'Key' }).inputValue()
  check(await isAllowed(token), 'The new key does not work')
  await inspect(page, 'the new key')
  await page.getByRole('button', { name: 'Copy the key' }).click()
  await page.getByText('The key was copied').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await rowOf(page, name).getByText('Backlog: Read').waitFor()
  await page.getByRole('button', { name: `Revoke ${name}` }).click()
  await page.getByText('This cannot be undone.').waitFor()
  await inspect(page, 'the question before a revocation')
  await page.getByRole('button', { name: 'Revoke the key', exact: true }).last().click()
  await rowOf(page, name).waitFor({ state: 'hidden' })
  check(!(await isAllowed(token)), 'A revoked key works')
  await page.getByRole('link', { name: 'Ended' }).click()
  await rowOf(page, name).waitFor()
  await page.close()
}

async function useKeysByKeyboard(context: BrowserContext): Promise<void> {
  const name = `Widget ${readClock()}`
  const page = await open(context, '/settings/keys')
  await page.getByRole('table').waitFor()
  await page.keyboard.press('c')
  await page.locator('#key-name:focus').waitFor()
  await page.keyboard.type(name)
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.locator('#key-origins').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type('https://app.example.com')
  await page.keyboard.press('Tab')
  await page.getByRole('dialog').getByRole('button', { name: 'Create an API key' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('The key is no secret.').waitFor()
  await page.getByRole('button', { name: 'Done' }).focus()
  await page.keyboard.press('Enter')
  await rowOf(page, name).getByText('https://app.example.com').waitFor()
  await page.close()
}

async function endSessionElsewhere(browser: Browser): Promise<void> {
  const email = await createPerson('Sina', 'Sessions', 'viewer')
  const context = await browser.newContext(DESK)
  watch(context)
  await signIn(context, email)
  const elsewhere = await browser.newContext({
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  })
  await signIn(elsewhere, email)
  const page = await open(context, '/settings/sessions')
  await rowOf(page, 'Firefox').waitFor()
  const marked = page.getByRole('row').filter({ hasText: 'This browser' })
  check((await marked.count()) === 1, 'The list does not mark the session of this browser')
  check(!(await marked.textContent())?.includes('Firefox'), 'The list marks the session of another browser')
  check((await page.getByRole('link', { name: 'API keys' }).count()) === 0, 'A viewer sees the page of the API keys')
  await page.getByRole('button', { name: /^End the session of .*Firefox/ }).focus()
  await page.keyboard.press('Enter')
  await rowOf(page, 'Firefox').waitFor({ state: 'hidden' })
  check((await elsewhere.request.get(`${serviceUrl}/api/v2/me`)).status() === 401, 'An ended session works')
  await elsewhere.close()
  await context.close()
}

await driveConsole('The settings of the console work', async (browser) => {
  const context = await signInAs(browser, ['Olga', 'Owner', 'owner'])
  await context.grantPermissions(['clipboard-write'])
  const storageState = await context.storageState()
  await lookAtSettings(browser, storageState)
  await manageByMouse(browser, context)
  await manageByKeyboard(context)
  await editTogether(browser, storageState)
  await lookByRole(browser)
  await useKeysByMouse(context)
  await useKeysByKeyboard(context)
  await endSessionElsewhere(browser)
  await lookNarrow(browser, storageState, { '/settings/people': (page) => rowOf(page, 'Olga Owner') })
})
