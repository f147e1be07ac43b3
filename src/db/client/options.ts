import type { Actor } from '../sql/actor'
import type { ImportRunName, RequestOrigin } from '../sql/origin'
import type { PortalOfRequest } from '../sql/portal-access'
import type { DatabaseExchange } from './client'
import type { PresentedMember } from './presented'
import type { WorkspaceQuotas } from './quota'
import type { StorageGuard } from './storage'

export interface Idempotency {
  key: string
  route: string
  bodyHash: string
}

export interface DatabaseOptions {
  d1: D1Database
  actor: Actor
  now: number
  exchange: DatabaseExchange
  product?: string | undefined
  origin?: RequestOrigin | undefined
  /** Origin of the page of another site that sends the request. */
  foreignOrigin?: string | undefined
  /** The portal of the path. Its batches refuse callers who may not read the portal. */
  portal?: PortalOfRequest | undefined
  importRun?: ImportRunName
  bookmark?: string | undefined
  idempotency?: Idempotency | undefined
  /** Members of the body that the operation cannot set: another value than the record's is refused. */
  presented?: readonly PresentedMember[] | undefined
  primary?: boolean
  quotas?: WorkspaceQuotas
  ignoresQuota?: boolean | undefined
  ignoresErasure?: boolean | undefined
  growth?: StorageGuard | undefined
  databaseBytes?: number
}
