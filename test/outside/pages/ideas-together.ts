// Two people work on one idea, ideas come apart again, and the network fails.
import type { Browser } from 'playwright-core'
import { readClock } from '../../clock.ts'
import { waitFor } from './backlog-items.ts'
import { open, type SignedIn, titleOf } from './ideas-page.ts'
import { sending } from './ideas-writing.ts'
import { check, inspect } from './inspect.ts'
import type { SampleIdeas } from './sample-ideas.ts'
import { call } from './session.ts'
import { hideEvents, readOtherName } from './two-people.ts'

const editAsOther = (key: string, change: object) => call('PUT', `/api/feedback-items/${key}`, change)

/** Two people edit one idea: fields that differ merge, and the same field asks. */
export async function editTogether(browser: Browser, storageState: SignedIn, { keys }: SampleIdeas): Promise<void> {
  const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 900 } })
  const key = keys[2] ?? ''
  await hideEvents(context)
  const page = await open(context, `/ideas?idea=${key}`)
  await titleOf(page, 'Sign in with Microsoft').waitFor()
  const rename = async (title: string, meanwhile: object) => {
    await page.getByRole('button', { name: 'Edit the title' }).click()
    await editAsOther(key, meanwhile)
    await page.getByRole('textbox', { name: 'Title' }).fill(title)
    await page.keyboard.press('Enter')
  }
  const read = () => call<{ title: string; tags: { key: string }[] }>('GET', `/api/feedback-items/${key}`)
  await rename('Sign in with Entra', { tags: ['security'] })
  await page.getByRole('button', { name: 'Remove the tag security' }).waitFor()
  // The page shows the other change before its own is stored.
  await waitFor('A change of another field is lost', async () => (await read()).title === 'Sign in with Entra')
  await rename('Sign in with Okta', { title: 'Sign in with Google' })
  const conflict = page.getByRole('alert').filter({ hasText: `${await readOtherName()} changed this meanwhile: Title` })
  await conflict.waitFor()
  await conflict.getByRole('button', { name: 'Compare' }).click()
  check(await conflict.getByText('Sign in with Okta').isVisible(), 'The conflict does not show my text')
  check(await conflict.getByText('Sign in with Google').isVisible(), 'The conflict does not show their text')
  await inspect(page, 'a conflict')
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await titleOf(page, 'Sign in with Okta').waitFor()
  await rename('Sign in with Auth0', { title: 'Sign in with Apple' })
  await conflict.getByRole('button', { name: /^Take / }).click()
  await titleOf(page, 'Sign in with Apple').waitFor()
  check((await read()).title === 'Sign in with Apple', 'Taking theirs stored mine')
  await context.close()
}

/** Ideas that were merged long ago are listed, each with its way back. A merge may overtake a read, which is a 404 then. */
export async function unmergeLater(browser: Browser, storageState: SignedIn, { product }: SampleIdeas): Promise<void> {
  const create = async (title: string) =>
    (await call<{ external_key: string }>('POST', '/api/feedback-items', { title, product })).external_key
  const [target, source] = [await create(`Lamps ${readClock()}`), await create('Lights above each door')]
  await call('POST', `/api/feedback-items/${source}/merge`, { into: target })
  const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 900 } })
  const page = await open(context, `/ideas?idea=${target}`)
  const merged = page.getByRole('region', { name: 'Merged ideas' })
  await merged.getByText('Lights above each door').first().waitFor()
  await inspect(page, 'an idea with a merged idea')
  await merged.getByRole('button', { name: /^Unmerge/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByText(`${source} stands on its own again.`).waitFor()
  await merged.waitFor({ state: 'hidden' })
  await page.locator('#idea-title:focus').waitFor()
  await sending(page, '/merge', () => page.keyboard.press('z'))
  await merged.getByRole('button', { name: /^Unmerge/ }).click()
  await merged.waitFor({ state: 'hidden' })
  const { title } = await call<{ title: string }>('GET', `/api/feedback-items/${source}`)
  check(title === 'Lights above each door', 'The unmerged idea still leads to the target')
  await context.close()
}

/** Writes of a failed network bring the former value back, and can be tried again. */
export async function saveWithoutNetwork(
  browser: Browser,
  storageState: SignedIn,
  { keys }: SampleIdeas,
): Promise<void> {
  const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 900 } })
  const page = await open(context, `/ideas?idea=${keys[4]}`)
  await page.getByRole('button', { name: 'Edit the title' }).click()
  await context.route(`**/api/feedback-items/${keys[4]}`, (route) => route.abort())
  await page.getByRole('textbox', { name: 'Title' }).fill('Guests can fix findings')
  await page.keyboard.press('Enter')
  await page.getByText('The change was not saved').waitFor()
  await titleOf(page, 'Assign a finding to a subcontractor without an account').waitFor()
  await context.unroute(`**/api/feedback-items/${keys[4]}`)
  const stored = page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok())
  await page.getByRole('button', { name: 'Try again' }).click()
  await titleOf(page, 'Guests can fix findings').waitFor()
  await stored
  const network = ['**/api/**', '**/health']
  for (const path of network) await context.route(path, (route) => route.abort())
  await page.getByRole('button', { name: 'Edit the title' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Guests fix findings')
  await page.keyboard.press('Enter')
  await titleOf(page, 'Guests fix findings').waitFor()
  const row = page.getByRole('listitem').filter({ hasText: 'Guests fix findings' })
  await row.getByText('Waits for the network').waitFor({ state: 'attached' })
  await page.getByText('The service cannot be reached').waitFor()
  await inspect(page, 'an idea without a network')
  const sent = page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok())
  for (const path of network) await context.unroute(path)
  await sent
  await row.getByText('Waits for the network').waitFor({ state: 'detached' })
  const { title } = await call<{ title: string }>('GET', `/api/feedback-items/${keys[4]}`)
  check(title === 'Guests fix findings', 'A title that waited for the network is lost')
  await context.close()
}
