import * as z from 'zod'
import { requireScope } from '../../http/auth'
import { operation } from '../../http/operation'
import { CLEARED_SESSION_COOKIE } from '../../http/session-cookie'
import * as queries from './queries'
import { ListSessions, Session, SessionParams } from './schema'

export const listSessions = operation({
  id: 'listSessions',
  of: 'session',
  route: 'GET /api/v2/sessions',
  summary: 'List sessions',
  description:
    'Sessions of your user, newest first, with ended sessions. A session can call this operation whatever the role.',
  isOpenToSessions: true,
  query: ListSessions,
  data: z.array(Session),
  handle({ query, db, actor }) {
    const userId = query.userId ?? actor.userId
    if (userId !== actor.userId) requireScope(actor, '*')
    return queries.listSessions(db, { ...query, userId })
  },
})

export const getSession = operation({
  id: 'getSession',
  of: 'session',
  route: 'GET /api/v2/sessions/{sessionId}',
  summary: 'Retrieve a session',
  description:
    'A session of your user, or with the scope `*` a session of any user. A session can call this operation whatever the role.',
  isOpenToSessions: true,
  params: SessionParams,
  data: Session,
  handle: ({ params, db }) => queries.getSession(db, params),
})

export const endSession = operation({
  id: 'endSession',
  of: 'session',
  route: 'DELETE /api/v2/sessions/{sessionId}',
  summary: 'End a session',
  description:
    'Signs a browser out at once. Another session of your user, or with the scope `*` a session of any user. API keys that were created in the session continue to work. A session can call this operation whatever the role.',
  isOpenToSessions: true,
  workspaceWide: true,
  ignoresQuota: true,
  ignoresErasure: true,
  params: SessionParams,
  data: Session,
  message: 'Session ended',
  conditional: false,
  handle: ({ params, db }) => queries.endSession(db, params),
})

export const signOut = operation({
  id: 'signOut',
  of: 'session',
  route: 'POST /api/v2/sign-out',
  summary: 'Sign out',
  description:
    'Ends the session of the request, and clears its cookie. A session can call this operation whatever the role. A request with an API key has no session to end, and changes nothing.',
  isOpenToSessions: true,
  ignoresQuota: true,
  ignoresErasure: true,
  storesRecords: false,
  setsCookie: true,
  data: z.object({}),
  async handle({ db }) {
    await queries.signOut(db)
    return { message: 'Signed out', data: {}, cookie: CLEARED_SESSION_COOKIE }
  },
})
