// The whole story: the owner opens a portal, and a customer in another browser signs in, submits, votes and comments.
import process from 'node:process'
import type { Page } from 'playwright-core'
import '../../../scripts/leash.ts'
import { runMain } from '../../../scripts/wrangler.ts'
import { check, inspect, inspectWithBrowser, serviceUrl, watch } from './inspect.ts'
import { waitForMail } from './outbox.ts'
import { createAddress, saidIn, signIn } from './take-part.ts'

const signInUrl = process.env.GROUNDWORK_SIGN_IN ?? ''

/** Runs in the browser of the owner, with the session and without a key. */
const CALL = `async ([method, path, json]) => {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(path, { method, headers, ...(json && { body: JSON.stringify(json) }) })
  const { data, message } = await response.json()
  if (!response.ok) throw new Error(method + ' ' + path + ': ' + response.status + ' ' + message)
  return data
}`

const callAs = async <D>(page: Page, ...request: [method: string, path: string, json?: object]): Promise<D> =>
  (await page.evaluate(`(${CALL})(${JSON.stringify(request)})`)) as D

async function openPortal(owner: Page): Promise<string> {
  await owner.goto(signInUrl)
  await owner.getByRole('button', { name: 'Sign in' }).click()
  await owner.waitForURL(/\/console\/\w+/)
  await owner.goto(`${serviceUrl}/docs`)
  const product = await callAs<{ externalKey: string }>(owner, 'POST', '/api/initiatives', { name: 'Plumbline' })
  await callAs(owner, 'PUT', '/api/v2/settings/portal', {
    ...{ slug: 'plumbline', name: 'Plumbline', products: [product.externalKey] },
  })
  const idea = { title: 'Dictate notes', product: product.externalKey }
  await callAs(owner, 'POST', '/api/feedback-items', idea)
  return `${serviceUrl}/p/plumbline`
}

async function submitIdea(customer: Page, portal: string): Promise<string> {
  await customer.goto(portal)
  await customer.getByRole('link', { name: 'Sign in', exact: true }).click()
  const email = createAddress()
  await signIn(customer, email)
  await customer.waitForURL(portal)
  await customer.goto(`${portal}/profile`)
  await customer.getByLabel('First name').fill('Maren')
  await customer.getByRole('button', { name: 'Save the name' }).click()
  await customer.getByText('Your name is saved.').waitFor()
  await customer.goto(portal)
  const vote = customer.getByRole('button', { name: /Dictate notes/ })
  await vote.click()
  await customer.getByRole('button', { name: 'Remove your vote: Dictate notes, 1 vote' }).waitFor()
  await customer.getByRole('link', { name: 'Submit an idea' }).click()
  await customer.getByLabel('Title').fill('Work offline in tunnels')
  await customer.getByLabel('Description').fill('Photos stop saving.\n\n<script>alert(1)</script>')
  await customer.getByRole('button', { name: 'Submit the idea' }).click()
  await customer.getByText('Your idea is here').waitFor()
  await inspect(customer, 'the new idea')
  await customer.getByLabel('Your comment').fill('In the Västra tunnel, too.')
  await customer.getByRole('button', { name: 'Comment', exact: true }).click()
  await saidIn(customer, 'In the Västra tunnel, too.').waitFor()
  return email
}

await runMain(() =>
  inspectWithBrowser(async (browser) => {
    const [team, visitors] = [await browser.newContext(), await browser.newContext()]
    watch(team)
    watch(visitors)
    const [owner, customer] = [await team.newPage(), await visitors.newPage()]
    const portal = await openPortal(owner)
    const email = await submitIdea(customer, portal)
    const [, key = ''] = /(IDEA-\d+)/.exec(customer.url()) ?? []

    const message = 'We build it in May.'
    await callAs(owner, 'POST', `/api/feedback-items/${key}/status-updates`, {
      ...{ status: 'planned', message, notify: 'now' },
    })
    const mail = await waitForMail('digest', email)
    check(mail.includes(message), 'The mail about the status has no message')
    const [link = ''] = new RegExp(`${serviceUrl}/p/plumbline\\S*${key}`).exec(mail) ?? []
    check(link !== '', `The mail does not lead to the idea: ${mail}`)
    await customer.goto(link)
    await customer.getByRole('heading', { level: 1, name: 'Work offline in tunnels' }).waitFor()
    check(await customer.getByText(message).isVisible(), 'The page of the idea has no answer of the team')
    check(await customer.getByText('Maren', { exact: true }).first().isVisible(), 'The idea has no author')

    const entry = { title: 'Tunnels work', content: '<p>At last.</p>', labels: ['New'], ideas: [key] }
    const { externalKey } = await callAs<{ externalKey: string }>(owner, 'POST', '/api/v2/changelog', entry)
    await callAs(owner, 'POST', `/api/v2/changelog/${externalKey}/publish`, {})
    const feed = await (await fetch(`${serviceUrl}/api/v2/portal/plumbline/changelog.atom`)).text()
    const [, page = ''] = /href="([^"]*\/changelog\/CL-\d+)"/.exec(feed) ?? []
    check(feed.includes('Tunnels work'), 'The feed has no entry')
    await customer.goto(page)
    await customer.getByRole('heading', { level: 1, name: 'Tunnels work' }).waitFor()
    await customer.getByRole('link', { name: 'Work offline in tunnels' }).click()
    await customer.getByRole('heading', { level: 1, name: 'Work offline in tunnels' }).waitFor()
    return 'From the sign-in of the owner to the feed of the changelog: no finding.'
  }),
)
