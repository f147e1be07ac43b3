import { html } from 'hono/html'
import { renderHtmlPage } from '../../../http/html-page'
import { showAddress } from '../../../text/shown-addresses'
import type { SignInWorkspace } from './queries/team'

/** Members of a form that the person does not see. */
type Hidden = Readonly<Record<string, string | undefined>>

const hiddenFields = (fields: Hidden) =>
  Object.entries(fields).map(([name, value = '']) => html`<input type="hidden" name="${name}" value="${value}">`)

/** Where a sign-in leads to. */
interface Target {
  next: string
  portal?: string | undefined
}

const queryOf = ({ next, portal }: Target) => new URLSearchParams({ next, ...(portal && { portal }) }).toString()

export const renderAddressPage = (
  { next, portal }: Target,
  { problem, status = 200 }: { problem?: string; status?: number } = {},
) =>
  renderHtmlPage({
    status,
    title: 'Sign in',
    sentence: problem ?? 'We send you a mail with a code.',
    form: html`<form method="post" action="/sign-in">${hiddenFields({ next, portal })}
      <p><label>E-mail address<br><input type="email" name="email" autocomplete="email" required></label></p>
      <button>Send the mail</button></form>`,
  })

export const renderCodePage = (
  { email, next, portal }: Target & { email: string },
  { problem, status = 200 }: { problem?: string; status?: number } = {},
) =>
  renderHtmlPage({
    status,
    title: 'Enter the code',
    sentence:
      problem ??
      `If ${showAddress(email)} can sign in here, a mail with a code is on its way. The code works for ten minutes.`,
    form: html`<form method="post" action="/sign-in/code">${hiddenFields({ email, next, portal })}
      <p><label>Six digits<br><input name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" maxlength="6" required></label></p>
      <button>Sign in</button></form>
      <p><a href="/sign-in?${queryOf({ next, portal })}">Send a new code</a></p>`,
  })

interface OfferedProvider {
  host: string
  /** True if people of the domain do not sign in by mail. */
  isRequired: boolean
}

/** A link instead of a form, because a form of the page may lead to no other site. */
export const renderProviderPage = ({ email, next }: Target & { email: string }, provider: OfferedProvider) =>
  renderHtmlPage({
    title: 'Sign in',
    sentence: `Addresses like ${showAddress(email)} sign in at ${provider.host}.`,
    form: html`<p><a class="btn primary" href="/sign-in/oidc/start?${new URLSearchParams({ email, next }).toString()}">Sign in at ${provider.host}</a></p>
      ${
        provider.isRequired
          ? ''
          : html`<form method="post" action="/sign-in">${hiddenFields({ email, next, by: 'mail' })}<button class="btn">Send a code by mail instead</button></form>`
      }`,
  })

const signInPathOf = ({ next, portal }: Target) =>
  portal === undefined
    ? `/sign-in?${queryOf({ next })}`
    : `/p/${portal}/sign-in?${new URLSearchParams({ return: next }).toString()}`

export const renderProviderProblemPage = (problem: string, target: Target) =>
  renderHtmlPage({
    status: 400,
    title: 'You are not signed in',
    sentence: problem,
    form: html`<p><a href="${signInPathOf(target)}">Sign in again</a></p>`,
  })

export const renderLinkPage = (email: string, next: string) =>
  renderHtmlPage({
    title: 'Sign in',
    sentence: `Sign in as ${showAddress(email)}?`,
    form: html`<form method="post">${hiddenFields({ next })}<button>Sign in</button></form>`,
  })

export const renderWorkspacesPage = (workspaces: readonly SignInWorkspace[], action: string, fields: Hidden) =>
  renderHtmlPage({
    title: 'Choose a workspace',
    sentence: 'Your address belongs to several workspaces.',
    form: html`${workspaces.map(
      ({
        id,
        name,
        role,
      }) => html`<form method="post" action="${action}">${hiddenFields({ ...fields, workspaceId: String(id) })}
        <p><button>${name}</button> ${role}</p></form>`,
    )}`,
  })

export const renderEndedPage = (next: string) =>
  renderHtmlPage({
    status: 410,
    title: 'This link has ended',
    sentence: 'The link works once, for ten minutes.',
    form: html`<p><a href="/sign-in?next=${encodeURIComponent(next)}">Send a new mail</a></p>`,
  })
