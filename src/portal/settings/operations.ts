import { base64url } from 'jose'
import type { Env } from '../../env'
import { askOtherHomes } from '../../http/home'
import { operation } from '../../http/operation'
import { addPlainSecret, sealSecretWithSealer } from '../../http/sealed-secret'
import { invalidValueError } from '../../text/errors'
import { hasDomainRecord, makeDomainRecord } from '../../workspace/sign-in-settings/domain-record'
import * as queries from './queries'
import { ModifyPortal, NewPortalSecret, PortalSettings } from './schema'

export const getPortalSettings = operation({
  id: 'getPortalSettings',
  of: 'portal',
  route: 'GET /api/v2/settings/portal',
  summary: 'Retrieve the settings of the portal',
  description: 'Every workspace has these settings from the beginning. The portal opens with its slug.',
  data: PortalSettings,
  handle: ({ db }) => queries.getPortalSettings(db),
})

/** A name of its own, because the host of a portal is usually a CNAME, which has no other records. */
const recordNameOf = (domain: string) => `_groundwork.${domain}`

const isDomainVerified = (domain: string, record: string, { DNS_RESOLVER, WEBHOOK_LOOPBACK }: Env) =>
  hasDomainRecord(recordNameOf(domain), record, { DNS_RESOLVER, loopback: WEBHOOK_LOOPBACK === 'allow' })

export const modifyPortalSettings = operation({
  id: 'modifyPortalSettings',
  of: 'portal',
  route: 'PUT /api/v2/settings/portal',
  summary: 'Modify the settings of the portal',
  description:
    'Changes only the members that you send. A slug that another portal has is a 409. The portal shows the ideas of `products`; without products the portal is empty. A `domain` is looked up until it is verified: by a TXT record of `_groundwork.{domain}` with the text `groundwork-verification={host of the service}/{id of the workspace}`, which the message repeats while the record is missing. A domain that another workspace has verified is a 409.',
  workspaceWide: true,
  body: ModifyPortal,
  data: PortalSettings,
  conditional: true,
  message: 'Portal saved',
  async handle({ body, db, ifMatch, env, actor, origin, portalOrigin }) {
    const { domain } = body
    const modify = async (change: queries.PortalChange) => {
      await askOtherHomes(env, actor.subscriptionId, queries.makeNameGuards(change))
      return queries.modifyPortalSettings(db, change, ifMatch)
    }
    if (domain === undefined) return modify(body)
    if (domain === null) return modify({ ...body, isVerified: false })
    if ([origin, portalOrigin].some((one) => domain === new URL(one).hostname))
      throw invalidValueError('/domain', 'This is the host of the service. Choose a name of your own domain.')
    const record = makeDomainRecord(origin, actor.subscriptionId)
    const { data: known } = await queries.getPortalSettings(db)
    const isVerified =
      (known.domainVerified && known.domain === domain) || (await isDomainVerified(domain, record, env))
    const reply = await modify({ ...body, isVerified })
    if (isVerified) return reply
    const message = `Portal saved. Publish the TXT record ${record} for ${recordNameOf(domain)}, then send the domain again.`
    return { ...reply, message }
  },
})

const SECRET_PREFIX = 'eus_'
const SECRET_BYTES = 32

const makeEndUserSecret = () => SECRET_PREFIX + base64url.encode(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))

export const rotatePortalSecret = operation({
  id: 'rotatePortalSecret',
  of: 'portal',
  route: 'POST /api/v2/settings/portal/rotate',
  summary: 'Rotate the secret for end users of the portal',
  description:
    'Your server signs a JWT with this secret for each of your users (HS256; claims `sub`, `email`, `exp`, and `name`). A page with a publishable key sends it in `x-end-user`, and the person takes part in the portal in the own name. The secret is shown once. The old secret also works for 24 hours; rotate twice to end it at once.',
  workspaceWide: true,
  data: NewPortalSecret,
  message: 'Secret rotated. Keep the new secret: it is not shown again.',
  async handle({ db, actor: { subscriptionId }, env: { SIGNING_SECRETS } }) {
    const sealed = await sealSecretWithSealer(SIGNING_SECRETS, subscriptionId, makeEndUserSecret())
    return { data: await addPlainSecret(SIGNING_SECRETS, subscriptionId, await queries.rotatePortalSecret(db, sealed)) }
  },
})
