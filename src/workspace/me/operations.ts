import type * as z from 'zod'
import { readQuotas } from '../../db/client/quota'
import { declareCeiling, HOURLY_MAILINGS_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { readUnitsPerMinute } from '../../http/rate'
import { readMailingLimits } from '../../people/mail/mailing-limits'
import * as queries from './queries'
import { Me } from './schema'

export const getMe = operation({
  id: 'getMe',
  tag: 'Users',
  route: 'GET /api/v2/me',
  summary: 'Retrieve your user and API key',
  description:
    'The workspace, user, scopes, products and end of your API key, and the limits of the key and the workspace. Every key can call this operation.',
  data: Me,
  ceiling: declareCeiling(21_000, HOURLY_MAILINGS_COST_REASON),
  async handle({ db, env, now }) {
    // The version is constant, because the ETag also contains a hash of the reply.
    const limits = {
      quotas: readQuotas(env),
      mailingsPerHour: readMailingLimits(env).workspace,
      unitsPerMinute: readUnitsPerMinute(env),
      now,
    }
    return { data: (await queries.getMe(db, limits)) as z.input<typeof Me>, version: 1 }
  },
})
