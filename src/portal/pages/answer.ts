import type { Context } from 'hono'
import { openStore } from '../../db/client/client'
import { recordKeyUse } from '../../db/client/key-usage'
import { chargesUsage, readQuotas } from '../../db/client/quota'
import { homeEnvOf } from '../../http/home'
import { type AppEnv, exchangeOf, wakeWebhooksOfRequest } from '../../http/response'
import { makeSessionCookie } from '../../http/session-cookie'
import { RATE_LIMIT_WEIGHTS } from '../../http/weight'
import type { Language } from '../texts/language'
import { type OpenPortal, openPortal } from './open-portal'
import { showRefusal } from './show-problem'

export type Page = (c: Context<AppEnv>, opened: OpenPortal) => Promise<Response>

/** What follows every request of a person: the use of the session, the usage of the workspace, and its webhooks. */
async function finishRequest(c: Context<AppEnv>, { actor, now, renewsCookie }: OpenPortal, response: Response) {
  const exchange = exchangeOf(c)
  const quotas = readQuotas(c.env)
  const later = (work: Promise<unknown>) => c.executionCtx.waitUntil(work)
  recordKeyUse(
    openStore(homeEnvOf(c, actor.subscriptionId).DB, now),
    { actor, now, isStale: exchange.isLastUseStale },
    later,
  )
  if (chargesUsage(quotas) && exchange.workspacesWithEvents.size)
    later(openStore(homeEnvOf(c, actor.subscriptionId).DB, now, undefined, quotas).settle(actor.subscriptionId))
  wakeWebhooksOfRequest(c)
  if (renewsCookie && !response.headers.has('set-cookie'))
    response.headers.set('Set-Cookie', await makeSessionCookie(c.env.SIGNING_SECRETS, actor, now))
}

export async function answerPage(
  c: Context<AppEnv>,
  page: Page,
  { language, isSearch }: { language: Language | null; isSearch: boolean },
): Promise<Response> {
  let opened: OpenPortal | undefined
  try {
    opened = await openPortal(c, language, RATE_LIMIT_WEIGHTS[isSearch ? 'walk' : 'single'])
    const response = await page(c, opened)
    await finishRequest(c, opened, response)
    return response
  } catch (cause) {
    return showRefusal(c, { language: language ?? 'en', cause, opened })
  }
}
