import { afterEach, expect, test, vi } from 'vitest'
import { send } from '../client'
import { HOSTILE_TARGETS } from '../security/hostile'
import { createUniqueId } from '../unique'
import {
  claimsFor,
  comeBack,
  connectProvider,
  firstCookie,
  SETTINGS,
  type StubProvider,
  stubProvider,
} from '../workspace/sessions/stub-provider'
import { type Board, createIdea, openBoard, post, show, signIn } from './visitors'

afterEach(() => {
  vi.restoreAllMocks()
})

interface Scene {
  board: Board
  domain: string
  provider: StubProvider
}

async function openBoardWithProvider(settings: object = {}): Promise<Scene> {
  const board = await openBoard(settings)
  const domain = `b${board.subscriptionId}.example`
  const provider = await stubProvider({ issuer: `https://login.${domain}` })
  await connectProvider(board, provider, { domain })
  return { board, domain, provider }
}

const providerLinkOf = (html: string): string | undefined =>
  /href="(\/sign-in\/oidc\/start\?[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')

async function follow(link: string) {
  const { response } = await send('GET', link)
  const location = new URL(response.headers.get('location') ?? 'https://nowhere.test')
  return { cookie: firstCookie(response.headers, '__Host-groundwork-provider'), asked: location.searchParams, location }
}

async function comeBackAs(provider: StubProvider, began: Awaited<ReturnType<typeof follow>>, email: string) {
  provider.answers.idToken = await provider.signToken(claimsFor(provider, began, email))
  const { response } = await comeBack(began)
  return { response, cookie: firstCookie(response.headers, '__Host-groundwork-session') }
}

test('a colleague signs in with the provider, and returns to the page', async () => {
  const { board, domain, provider } = await openBoardWithProvider()
  const key = await createIdea(board, 'Dark theme')
  const returnTo = `${board.path}/de/ideas/${key}?sort=top`
  const page = await show(`${board.path}/de/sign-in?return=${encodeURIComponent(returnTo)}`)
  expect(page.html).toContain(`Mit login.${domain} anmelden`)
  expect(page.cost.roundTrips).toBe(1)
  const began = await follow(providerLinkOf(page.html) ?? '')
  expect([began.location.host, began.asked.has('login_hint')]).toEqual([`login.${domain}`, false])
  const { response, cookie } = await comeBackAs(provider, began, `ada@${domain}`)
  expect([response.status, response.headers.get('location')]).toEqual([303, returnTo])
  expect((await show(returnTo, { cookie })).html).toContain(`ada@${domain}`)
})

test('a portal offers no provider without a verified domain, or with a provider that is turned off', async () => {
  const board = await openBoard()
  const offers = async () => providerLinkOf((await show(`${board.path}/sign-in`)).html) !== undefined
  expect(await offers()).toBe(false)
  const domain = `b${board.subscriptionId}.example`
  const provider = await stubProvider({ issuer: `https://login.${domain}` })
  await connectProvider(board, provider, { domain })
  expect(await offers()).toBe(true)
  const change = (json: object) => board.client('PUT', SETTINGS, { json })
  for (const off of [{ domains: [] }, { clientId: null }, { issuer: null }]) {
    await connectProvider(board, provider, { domain })
    await change(off)
    expect([off, await offers()]).toEqual([off, false])
    const { response } = await send('GET', `/sign-in/oidc/start?portal=${board.slug}`)
    expect([response.status, response.headers.get('set-cookie')]).toEqual([400, null])
    expect(await response.text()).toContain(`href="/p/${board.slug}/sign-in?return=`)
  }
  const other = await openBoard()
  expect(providerLinkOf((await show(`${other.path}/sign-in`)).html)).toBeUndefined()
})

test('strangers sign in to a private portal with the provider, whose name of the portal they do not see', async () => {
  const { board, domain, provider } = await openBoardWithProvider({ visibility: 'private', name: 'Secret name' })
  const page = await show(`${board.path}/sign-in`)
  expect([page.status, page.html.includes('Secret name'), page.cost.roundTrips]).toEqual([200, false, 2])
  const { cookie } = await comeBackAs(provider, await follow(providerLinkOf(page.html) ?? ''), `ada@${domain}`)
  expect((await show(board.path, { cookie })).html).toContain('Secret name')
})

test('an address that the provider may not prove leads back to the sign-in of the portal', async () => {
  const { board, provider } = await openBoardWithProvider()
  const key = await createIdea(board, 'Dark theme')
  const returnTo = `${board.path}/ideas/${key}`
  const page = await show(`${board.path}/sign-in?return=${returnTo}&vote=${key}`)
  expect(page.html).toContain('You come back, and vote then.')
  const began = await follow(providerLinkOf(page.html) ?? '')
  const { response, cookie } = await comeBackAs(provider, began, 'ada@elsewhere.example')
  expect([response.status, cookie]).toEqual([400, ''])
  const query = new URLSearchParams({ return: returnTo })
  expect(await response.text()).toContain(`href="${board.path}/sign-in?${query}"`)
})

test('the answer with a provider is the same for every address', async () => {
  const { board, domain } = await openBoardWithProvider()
  const { email } = await signIn(board, 'Ada')
  const answers = new Set<string>()
  for (const address of [email, `known@${domain}`, `${createUniqueId()}@example.com`]) {
    const { status, html, cost } = await post(`${board.path}/sign-in`, { email: address })
    answers.add(JSON.stringify([status, html.replaceAll(address, 'X'), cost.statements, cost.roundTrips]))
  }
  expect(answers.size).toBe(1)
})

test('a provider leads from a portal to no other site', async () => {
  const { board, domain, provider } = await openBoardWithProvider()
  const { slug, path } = board
  for (const target of [...HOSTILE_TARGETS, '/p/another', '/api/v2/members']) {
    const { html } = await show(`${path}/sign-in?return=${encodeURIComponent(target)}`)
    const link = providerLinkOf(html) ?? ''
    expect([target, new URLSearchParams(link.split('?')[1]).get('next')]).toEqual([target, path])
  }
  for (const next of HOSTILE_TARGETS) {
    const began = await follow(`/sign-in/oidc/start?${new URLSearchParams({ portal: slug, next })}`)
    const { response } = await comeBackAs(provider, began, `ada@${domain}`)
    expect([next, response.headers.get('location')]).toEqual([next, path])
  }
  for (const portal of ['no-such-portal', '//evil.example', '../x', '']) {
    const { response } = await send('GET', `/sign-in/oidc/start?${new URLSearchParams({ portal, next: '/' })}`)
    expect([portal, response.status, response.headers.get('location')]).toEqual([portal, 400, null])
  }
})
