import { zValidator } from '@hono/zod-validator'
import { type Context, Hono } from 'hono'
import * as z from 'zod'
import { withHookBody } from '../../http/hook'
import { type LinkParams, renderDeadLinkPage, renderGonePage, validateLinkParams } from '../../http/link-pages'
import { type PreferencesLink, signUnsubscribeToken, verifyPreferencesToken } from '../../http/link-token'
import { type AppEnv, handlePlainRoute, openStoreOfRequest } from '../../http/response'
import { renderPreferencesPage } from './page'
import * as queries from './queries'
import { kindsOfPerson, PreferencesForm } from './schema'

const MAX_FORM_BYTES = 4_096

// Ignores unknown parameters and values, because mail programs append parameters to links.
const LinkQuery = z.object({ idea: z.string().max(30).optional().catch(undefined) })

const validateLinkQuery = zValidator('query', LinkQuery)

const verifyLink = (c: Context<AppEnv>, { token }: z.output<typeof LinkParams>) =>
  verifyPreferencesToken(c.env.SIGNING_SECRETS, token)

async function readForm(c: Context<AppEnv>, { subscriptionId }: PreferencesLink) {
  const text = await withHookBody(c, { subscriptionId, maxBytes: MAX_FORM_BYTES }, async (body) =>
    new TextDecoder().decode(body),
  )
  const form = new URLSearchParams(text)
  return PreferencesForm.safeParse({ ...Object.fromEntries(form), kind: form.getAll('kind') }).data
}

/** The button to stop all mail posts to the route that unsubscribes. */
async function render(
  c: Context<AppEnv>,
  link: PreferencesLink,
  found: queries.Preferences | undefined,
  saved?: string,
) {
  if (!found) return renderGonePage('Nothing to choose')
  const token = await signUnsubscribeToken(c.env.SIGNING_SECRETS, link)
  return renderPreferencesPage(found, { stopAllUrl: `../unsubscribe/${token}?all=true`, saved })
}

/** The signed token in the link replaces the API key. GET changes nothing, because mail scanners open every link. */
export const preferencesRoutes = new Hono<AppEnv>()
  .get('/:token', handlePlainRoute, validateLinkParams, validateLinkQuery, async (c) => {
    const link = await verifyLink(c, c.req.valid('param'))
    if (!link) return renderDeadLinkPage()
    return render(c, link, await queries.findPreferences(openStoreOfRequest(c), link, c.req.valid('query').idea))
  })
  .post('/:token', handlePlainRoute, validateLinkParams, validateLinkQuery, async (c) => {
    const link = await verifyLink(c, c.req.valid('param'))
    if (!link) return renderDeadLinkPage()
    const { idea } = c.req.valid('query')
    const store = openStoreOfRequest(c)
    const form = await readForm(c, link)
    if (form?.action === 'stop' && idea !== undefined)
      return render(c, link, await queries.stopIdea(store, link, idea), 'Your choice is saved.')
    const found = await queries.findPreferences(store, link, idea)
    if (form?.action !== 'save' || !found) return render(c, link, found, 'Nothing was changed. Choose, and save again.')
    const stoppedKinds = kindsOfPerson(found.isColleague).filter(
      (kind) => kind !== 'changelog' && !form.kind.includes(kind),
    )
    const saved = await queries.savePreferences(store, link, idea, {
      digest: form.digest,
      stoppedKinds,
      followsChangelog: form.kind.includes('changelog'),
    })
    return render(c, link, saved, 'Your choice is saved.')
  })
