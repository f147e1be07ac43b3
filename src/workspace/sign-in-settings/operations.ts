import type { Actor } from '../../db/sql/actor'
import type { Env } from '../../env'
import { askOtherHomes } from '../../http/home'
import { operation } from '../../http/operation'
import { sealSecretWithSealer } from '../../http/sealed-secret'
import { invalidValueError } from '../../text/errors'
import { explainRefusedWebhookUrl } from '../webhooks/target'
import { hasDomainRecord, makeDomainRecord } from './domain-record'
import * as queries from './queries'
import { ModifySignInSettings, SignInSettings } from './schema'

const isLoopbackAllowed = ({ WEBHOOK_LOOPBACK }: Env) => WEBHOOK_LOOPBACK === 'allow'

export const getSignInSettings = operation({
  id: 'getSignInSettings',
  of: 'sign_in_settings',
  route: 'GET /api/v2/settings/sign-in',
  summary: 'Retrieve the settings of sign-ins',
  description: 'The OpenID provider of the workspace. Without an issuer, people sign in by mail only.',
  data: SignInSettings,
  handle: ({ db }) => queries.getSignInSettings(db),
})

async function sealClientSecret(env: Env, { subscriptionId }: Actor, secret: string | null | undefined) {
  if (secret === undefined) return undefined
  return secret === null
    ? { secret: null, sealer: null }
    : sealSecretWithSealer(env.SIGNING_SECRETS, subscriptionId, secret)
}

function checkIssuer(issuer: string | null | undefined, env: Env, own: string): void {
  if (issuer == null) return
  const problem = explainRefusedWebhookUrl(issuer, { loopback: isLoopbackAllowed(env), ownUrl: own })
  if (problem) throw invalidValueError('/issuer', problem)
  const { search, hash } = new URL(issuer)
  if (search || hash) throw invalidValueError('/issuer', 'Must have neither a query nor a fragment')
}

/** The domains of which a record is published, or was before. */
async function findVerifiedDomains(
  domains: readonly string[],
  known: readonly string[],
  { record, env }: { record: string; env: Env },
): Promise<string[]> {
  const rules = { DNS_RESOLVER: env.DNS_RESOLVER, loopback: isLoopbackAllowed(env) }
  const isVerified = await Promise.all(
    domains.map((domain) => known.includes(domain) || hasDomainRecord(domain, record, rules)),
  )
  return domains.filter((_, n) => isVerified[n])
}

export const modifySignInSettings = operation({
  id: 'modifySignInSettings',
  of: 'sign_in_settings',
  scope: '*',
  route: 'PUT /api/v2/settings/sign-in',
  summary: 'Modify the settings of sign-ins',
  description:
    'Changes only the members that you send. The provider decides who an address belongs to, also for owners, so only a key or a session with the scope `*` changes these settings. Domains in the body are looked up until they are verified: a domain is verified by a TXT record with the text `groundwork-verification={host of the service}/{id of the workspace}`, which the message repeats while a domain lacks it. A domain that another workspace has verified is a 409.',
  workspaceWide: true,
  body: ModifySignInSettings,
  data: SignInSettings,
  conditional: true,
  message: 'Settings saved',
  async handle({ body: { clientSecret, domains: given, ...body }, db, ifMatch, env, actor, origin }) {
    checkIssuer(body.issuer, env, origin)
    const secret = await sealClientSecret(env, actor, clientSecret)
    if (given === undefined) return queries.modifySignInSettings(db, { ...body, secret }, ifMatch)
    const domains = [...new Set(given)]
    const record = makeDomainRecord(env.PUBLIC_URL || origin, actor.subscriptionId)
    const known = domains.length ? (await queries.getSignInSettings(db)).data.verifiedDomains : []
    const verified = await findVerifiedDomains(domains, known, { record, env })
    if (verified.length) await askOtherHomes(env, actor.subscriptionId, queries.makeDomainGuards(verified))
    const reply = await queries.modifySignInSettings(db, { ...body, secret, domains, verified }, ifMatch)
    const missing = domains.filter((domain) => !verified.includes(domain))
    if (!missing.length) return reply
    const message = `Settings saved. Publish the TXT record ${record} for ${missing.join(', ')}, then send the domains again.`
    return { ...reply, message }
  },
})
