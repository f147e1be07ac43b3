import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createWorkspace, type Workspace } from '../../factories'
import { createIdea, createQuietWorkspace, deliverMails, setStatus, vote } from './followed-ideas'

const BASE = 'https://groundwork.example'
const settings = { PUBLIC_URL: BASE, IDEA_URL: 'https://all.example/{key}' }

async function openPortal({ client, product, subscriptionId }: Workspace, json: object = {}) {
  const slug = `links-${subscriptionId}`
  const saved = await client('PUT', '/api/v2/settings/portal', {
    json: { slug, products: [product.externalKey], ...json },
  })
  expect(saved.status).toBe(200)
  return `${BASE}/p/${slug}`
}

async function readStatusMail(world: Workspace, key: string, status: string, more: object = {}): Promise<string> {
  await setStatus(world, key, status)
  const [mail] = await deliverMails(world, { settings: { ...settings, ...more } })
  return mail?.text ?? 'no mail'
}

test('a mail about an idea links to the portal that shows the idea', async () => {
  const world = await createQuietWorkspace()
  const key = await createIdea(world)
  await vote(world, key, 'ada@example.com')
  expect(await readStatusMail(world, key, 'planned')).toContain(`\nhttps://all.example/${key}\n`)
  const portal = await openPortal(world)
  expect(await readStatusMail(world, key, 'in progress')).toContain(`\n${portal}/ideas/${key}\n`)
  const setDomain = (verified: number) =>
    env.DB.prepare('UPDATE portals SET domain = ?, domain_verified = ? WHERE subscription_id = ?')
      .bind(`ideas-${world.subscriptionId}.example`, verified, world.subscriptionId)
      .run()
  await setDomain(0)
  expect(await readStatusMail(world, key, 'planned')).toContain(`\n${portal}/ideas/${key}\n`)
  await setDomain(1)
  const own = `https://ideas-${world.subscriptionId}.example`
  expect(await readStatusMail(world, key, 'in progress')).toContain(`\n${own}/ideas/${key}\n`)
  await world.client('PUT', '/api/v2/settings', { json: { ideaUrl: 'https://own.example/{key}' } })
  expect(await readStatusMail(world, key, 'completed')).toContain(`\nhttps://own.example/${key}\n`)
  await world.client('PUT', '/api/v2/settings', { json: { ideaUrl: null } })
  await openPortal(world, { products: [] })
  expect(await readStatusMail(world, key, 'planned')).toContain(`\nhttps://all.example/${key}\n`)
})

test('a mail links to the origin of portals, unless the portal has a verified domain', async () => {
  const world = await createQuietWorkspace()
  const key = await createIdea(world)
  await vote(world, key, 'ada@example.com')
  const path = (await openPortal(world)).slice(BASE.length)
  const more = { PORTAL_ORIGIN: 'https://portals.example' }
  const domain = `ideas-${world.subscriptionId}.example`
  for (const [status, verified, expected] of [
    ['planned', 0, `https://portals.example${path}/ideas/${key}`],
    ['in progress', 1, `https://${domain}/ideas/${key}`],
  ] as const) {
    await env.DB.prepare('UPDATE portals SET domain = ?, domain_verified = ? WHERE subscription_id = ?')
      .bind(domain, verified, world.subscriptionId)
      .run()
    const mail = await readStatusMail(world, key, status, more)
    expect(mail).toContain(`\n${expected}\n`)
    expect(mail).toMatch(/https:\/\/groundwork\.example\/(?:unsubscribe|preferences)/)
  }
})

test('a mail about a changelog entry links to the portal, if the portal shows the entry', async () => {
  const world = await createQuietWorkspace()
  await world.client('POST', '/api/v2/changelog/subscription', { json: { email: 'ada@example.com' } })
  const publish = async (json: object = {}) => {
    const made = await world.client<{ externalKey: string }>('POST', '/api/v2/changelog', {
      json: { title: 'Dark mode', content: '<p>Try it.</p>', ...json },
    })
    const { externalKey } = made.body.data
    await world.client('POST', `/api/v2/changelog/${externalKey}/publish`)
    const [mail] = await deliverMails(world, { settings })
    return { externalKey, text: mail?.text ?? 'no mail', html: mail?.html ?? '' }
  }
  expect((await publish()).text).toContain('Dark mode\nTry it.\n\nYou get this mail')
  const portal = await openPortal(world)
  for (const json of [{}, { product: world.product.externalKey }]) {
    const { externalKey, text, html } = await publish(json)
    expect(text).toContain(`Dark mode\nTry it.\n${portal}/changelog/${externalKey}\n`)
    expect(html).toContain(`<a href="${portal}/changelog/${externalKey}">`)
  }
  await openPortal(world, { products: [] })
  expect((await publish({ product: world.product.externalKey })).text).not.toContain('/p/')
  await openPortal(world, { changelog: false })
  expect((await publish()).text).not.toContain('/p/')
})

test('the portal of another workspace is no address', async () => {
  const [world, other] = [await createQuietWorkspace(), await createWorkspace()]
  await openPortal(other)
  const key = await createIdea(world)
  await vote(world, key, 'ada@example.com')
  expect(await readStatusMail(world, key, 'planned')).not.toContain('/p/')
})
