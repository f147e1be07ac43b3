import type { Database } from '../../db/client/client'
import { makeListReader } from '../../db/records/list'
import { apiKeys } from '../../db/schema/tenancy'
import { equals, namesRecord } from '../../db/sql/filter'
import { ListSessions } from './schema'
import {
  endCallerSession,
  endSessionByKey,
  returningCallerSession,
  type SessionKey,
  visibleSession,
} from './statements'

export const listSessions = makeListReader(visibleSession, ListSessions, {
  sorts: { createdAt: apiKeys.createdAt },
  filters: { userId: namesRecord('user', equals(apiKeys.userId)) },
}).page

export const getSession = visibleSession.get

export const endSession = (db: Database, key: SessionKey) =>
  visibleSession.save(db, {
    guards: visibleSession.writeGuards(key),
    statements: endSessionByKey(key),
    returning: visibleSession.returningByKey(key),
  })

export async function signOut(db: Database): Promise<void> {
  await db.write({ statements: endCallerSession({}), returning: returningCallerSession({}) })
}
