import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import { type Guard, guard } from '../../db/client/refuse'
import { type DerivedField, updateStatement } from '../../db/records/change'
import { type RecordRow, record } from '../../db/records/record'
import { portals } from '../../db/schema/portals'
import { enumField, type Field, flag, json, momentJson, nullableJson } from '../../db/sql/field'
import { limitedProductsField, productIdsOf } from '../../db/sql/limits'
import { referencesTo, referenceTo } from '../../db/sql/references'
import { caller, inline, param, statement } from '../../db/sql/statement'
import type { SealedSecret } from '../../http/sealed-secret'
import { toIso } from '../../text/moments'
import { ROTATION_OVERLAP_MS } from '../../workspace/webhooks/secret'
import { writeAndReturnSecret } from '../../workspace/webhooks/statements'
import { type LOCALES, ModifyPortal, type SIGN_UPS, type THEME_MODES, type VISIBILITIES } from './schema'

const productsField: Field<string, string[], string[]> = {
  ...(limitedProductsField(portals.products) as Field<string, string[], never>),
  column: portals.products,
  store: (keys) => JSON.stringify(keys),
  setSql: productIdsOf,
}

const OVERLAP_MS = inline(ROTATION_OVERLAP_MS)
const rotatedAt = sql`(${portals.previousUntil} - ${OVERLAP_MS})`
const rotatedAtField: Field<number | null, string | null, never> = {
  sql: rotatedAt,
  show: toIso,
  json: () => momentJson(rotatedAt),
}

const isVerified = sql`coalesce(${portals.domainVerified}, 0)`

/** The service decides; no body sets the field. */
const truthField = (value: ReturnType<typeof sql>): Field<number, boolean, never> => ({
  sql: value,
  show: (stored) => stored === 1,
  json: () => sql`json(iif(${value}, 'true', 'false'))`,
})

const portalSettings = record('portal', {
  table: portals,
  scope: 'workspace',
  key: {},
  id: portals.subscriptionId,
  name: sql`'portal'`,
  fields: {
    slug: portals.slug,
    domain: portals.domain,
    domainVerified: truthField(isVerified),
    name: portals.name,
    visibility: enumField<(typeof VISIBILITIES)[number]>(portals.visibility),
    segments: json<number[]>(portals.segments),
    products: productsField,
    statuses: nullableJson<number[]>(portals.statuses),
    categories: nullableJson<number[]>(portals.categories),
    signUp: enumField<(typeof SIGN_UPS)[number]>(portals.signUp),
    accent: portals.accent,
    mode: enumField<(typeof THEME_MODES)[number]>(portals.mode),
    logo: portals.logo,
    darkLogo: portals.darkLogo,
    locale: enumField<(typeof LOCALES)[number]>(portals.locale),
    roadmap: flag(portals.roadmap),
    changelog: flag(portals.changelog),
    endUserSecretRotatedAt: rotatedAtField,
  },
})

export const getPortalSettings = (db: Database) => portalSettings.get(db, {})

const updatePortal = updateStatement(portalSettings, ModifyPortal)

// The slugs of all workspaces share one name space, because the address of a portal names no workspace.
const slugTaken = guard<{ portalSlug: string }>(
  'conflict:/slug: Another portal has this slug. Choose another slug.',
  sql`EXISTS (SELECT 1 FROM ${portals} WHERE ${portals.slug} = ${param('portalSlug')}
    AND ${portals.subscriptionId} <> ${caller.subscription})`,
)

const verifiedField: DerivedField = {
  name: 'domainVerified',
  json: sql`iif(${isVerified}, 'true', 'false')`,
  differs: sql`${isVerified} <> ${param('=verified')}`,
  newValue: sql`iif(${param('=verified')}, 'true', 'false')`,
  source: { column: portals.domainVerified, value: sql`${param('=verified')}` },
}

const domainTaken = guard<{ verifiedDomain: string }>(
  'conflict:/domain: Another workspace has verified this domain. Remove the domain there first.',
  sql`EXISTS (SELECT 1 FROM ${portals} WHERE ${portals.domain} = ${param('verifiedDomain')} AND ${portals.domainVerified} = 1
    AND ${portals.subscriptionId} <> ${caller.subscription})`,
)

export type PortalChange = z.output<typeof ModifyPortal> & { isVerified?: boolean }

/** The names in the body that are unique in the service. */
export const makeNameGuards = ({ slug, domain, isVerified }: PortalChange): Guard[] => [
  ...(slug == null ? [] : [slugTaken({ portalSlug: slug })]),
  ...(domain && isVerified ? [domainTaken({ verifiedDomain: domain })] : []),
]

/** `isVerified` is sent together with the domain. */
export function modifyPortalSettings(
  db: Database,
  { isVerified: verifies, ...body }: PortalChange,
  ifMatch: string | null,
) {
  const verified = verifies === undefined ? {} : { '=verified': verifies ? 1 : 0 }
  return portalSettings.save(db, {
    guards: [
      ...portalSettings.writeGuards({}, ifMatch),
      ...makeNameGuards({ ...body, ...(verifies !== undefined && { isVerified: verifies }) }),
    ],
    references: [
      ...referencesTo('product', '/products', body.products),
      ...referencesTo('segment', '/segments', body.segments),
      ...referencesTo('feedbackStatus', '/statuses', body.statuses),
      ...referencesTo('category', '/categories', body.categories),
      ...referenceTo('logo', '/logo', body.logo),
      ...referenceTo('logo', '/darkLogo', body.darkLogo),
    ],
    statements: updatePortal(verified, body, verifies === undefined ? [] : [verifiedField]),
    returning: portalSettings.returningByKey({}),
  })
}

// `sealed_by` keeps the older signing secret, because the reseal looks for older signing secrets.
const updateEndUserSecret = statement<never, { secret: string; sealer: string }>(sql`UPDATE ${portals}
  SET previous_secret = end_user_secret, previous_until = ${caller.now} + ${OVERLAP_MS}, end_user_secret = ${param('secret')},
    sealed_by = coalesce(sealed_by, ${param('sealer')}), version = version + 1, updated_at = ${caller.now}
  WHERE ${portals.subscriptionId} = ${caller.subscription}`)
const emitSecretRotated = portalSettings.emit('secret_rotated', portalSettings.byKey)
const returningSecret = portalSettings.returningWhere<{ secret: string } & RecordRow>(portalSettings.byKey, {
  secret: portals.endUserSecret,
  version: portals.version,
})

export const rotatePortalSecret = (db: Database, sealed: SealedSecret) =>
  writeAndReturnSecret(db, portalSettings, {
    guards: portalSettings.writeGuards({}),
    statements: [updateEndUserSecret({ ...sealed }), emitSecretRotated({})],
    returning: returningSecret({}),
  })
