import { API_ORIGIN, bindOrigin } from '../sql/origin'
import type { Values } from '../sql/statement'
import type { DatabaseOptions } from './options'

/** Values of `caller` in the statements of a request. */
export const bindCaller = ({
  actor,
  now,
  exchange,
  product,
  idempotency,
  foreignOrigin,
  portal,
  origin,
  importRun,
}: DatabaseOptions): Values => ({
  '@subscription': actor.subscriptionId,
  '@user': actor.userId,
  '@key': actor.jti,
  '@now': now,
  '@product': product,
  '@products': actor.products && JSON.stringify(actor.products),
  '@scopes': JSON.stringify(actor.scopes),
  '@idempotencyKey': idempotency?.key,
  '@route': idempotency?.route,
  '@bodyHash': idempotency?.bodyHash,
  '@request': exchange.requestId,
  '@foreignOrigin': foreignOrigin ?? portal?.origin,
  '@portal': portal?.slug,
  '@endUserSecret': portal?.endUser?.sealedSecret,
  '@endUserId': portal?.endUser?.sub,
  '@endUserEmail': portal?.endUser?.email,
  '@portalHost': portal?.host,
  ...bindOrigin(origin ?? API_ORIGIN, importRun),
})
