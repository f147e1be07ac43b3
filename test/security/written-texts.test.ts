import { expect, test } from 'vitest'
import { createWorkspace } from '../factories'
import { createUniqueId } from '../unique'
import { HOSTILE_MARKUP } from './hostile'
import { findActiveMarkup } from './markup'
import { openPortalOf, showPage, write } from './portal'

const IDEAS = '/api/feedback-items'
/** So that a page shows all records of the texts. */
const TEXTS_PER_PORTAL = 12

const slices = Array.from(
  { length: Math.ceil(HOSTILE_MARKUP.length / TEXTS_PER_PORTAL) },
  (_, n) => [n, HOSTILE_MARKUP.slice(n * TEXTS_PER_PORTAL, (n + 1) * TEXTS_PER_PORTAL)] as const,
)

/** A name has no control characters. */
const toName = (text: string) => text.replace(/\p{Cc}/gu, ' ').slice(0, 50)
const toTitle = (text: string) => text.replace(/\p{Cc}/gu, ' ')

async function expectHarmless(path: string, headers: Record<string, string> = {}): Promise<string> {
  const { response, html } = await showPage(path, headers)
  expect([path, response.status]).toEqual([path, 200])
  expect([path, findActiveMarkup(html)]).toEqual([path, []])
  expect(response.headers.get('content-security-policy')).toContain('script-src https://groundwork.test/assets/;')
  return html
}

test.each(slices)('no text of the team or of a visitor runs on a page of the portal (part %i)', async (_, texts) => {
  const here = await createWorkspace()
  const product = here.product.externalKey
  const portal = await openPortalOf(here)
  const pages = new Set([portal.path, `${portal.path}/roadmap`, `${portal.path}/changelog`])
  for (const [n, text] of texts.entries()) {
    const [name, title] = [toName(text), toTitle(text)]
    const email = `${createUniqueId()}@example.com`
    await write(here, 'POST', '/api/v2/users', { email, firstName: name, lastName: name, role: 'member' })
    const status = await write(here, 'POST', `${IDEAS}/statuses`, { name: `${name} ${n}` })
    const category = await write(here, 'POST', `${IDEAS}/categories`, { name: `${name} ${n}` })
    const { external_key: key } = await write(here, 'POST', IDEAS, {
      ...{ title, long_description: text, product, user: { email }, status_id: status.id, category_id: category.id },
    })
    const comment = await write(here, 'POST', `${IDEAS}/${key}/comments`, { text: `x ${text}` })
    await write(here, 'POST', `${IDEAS}/comments/${comment.id}/reply`, { text: `<p>x ${text}</p>` })
    await write(here, 'POST', `${IDEAS}/${key}/status-updates`, { status: status.id, message: text })
    const entry = await write(here, 'POST', '/api/v2/changelog', {
      ...{ title, content: `<p>${text}</p>`, labels: [name], ideas: [key] },
    })
    await write(here, 'POST', `/api/v2/changelog/${entry.externalKey}/publish`)
    pages.add(`${portal.path}/ideas/${key}`).add(`${portal.path}/de/ideas/${key}`)
    pages.add(`${portal.path}/changelog/${entry.externalKey}`)
    pages.add(`${portal.path}?q=${encodeURIComponent(text)}`).add(`${portal.path}?category=${category.id}`)
    pages.add(`${portal.path}/changelog?label=${encodeURIComponent(name)}`)
    await write(here, 'PUT', '/api/v2/settings/portal', { name })
    await expectHarmless(portal.path)
  }
  for (const path of pages) await expectHarmless(path)
})

test('the pages of a sign-in run no text of the address', async () => {
  for (const text of HOSTILE_MARKUP) {
    const next = `/p/${text.replace(/[\\\p{Cc}]/gu, '')}`
    for (const path of [
      `/sign-in?next=${encodeURIComponent(next)}`,
      `/sign-in?portal=${encodeURIComponent(text)}`,
      `/sign-in/oidc/callback?state=${encodeURIComponent(text)}&error=${encodeURIComponent(text)}`,
      `/sign-in/oidc/start?email=${encodeURIComponent(text)}&next=${encodeURIComponent(text)}`,
      `/sign-in/${encodeURIComponent(text)}`,
      `/unsubscribe/${encodeURIComponent(text)}`,
      `/p/${encodeURIComponent(text)}`,
    ])
      expect([path, findActiveMarkup((await showPage(path)).html)]).toEqual([path, []])
  }
})

test('the search for active markup finds each kind of it', () => {
  const harmless = '<a href="https://x.example">x</a><a href="/p">y</a><form action="/sign-in"></form>'
  expect(findActiveMarkup(harmless)).toEqual([])
  const active = HOSTILE_MARKUP.filter((text) => findActiveMarkup(text).length)
  expect(active.length).toBeGreaterThan(35)
})
