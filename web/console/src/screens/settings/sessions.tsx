import type { Operations } from 'groundwork-client'
import { useState } from 'preact/hooks'
import { client } from '../../api/client'
import { queries, useQuery } from '../../api/queries'
import { Failure } from '../../parts/failure'
import { Skeleton } from '../../parts/skeleton'
import { showToast } from '../../state/toast'
import { formatAge, formatMoment } from '../../texts/formats'
import type { ScreenProps } from '../screens'
import { leaveRow } from './leave-row'
import { SettingsPage } from './settings-page'
import { texts } from './texts/texts'

type Session = Operations['listSessions']['data'][number]

const PATH = '/settings/sessions'
const MAX_SESSIONS = 100

const isActive = ({ revokedAt, expiresAt }: Session) => revokedAt === null && Date.parse(expiresAt) > Date.now()

async function readSessions(userId: number | undefined): Promise<Session[]> {
  const sessions = await client.listSessions({ limit: MAX_SESSIONS, ...(userId !== undefined && { userId }) })
  return sessions.filter(isActive)
}

export default function Sessions({ me, main }: ScreenProps) {
  const [failure, setFailure] = useState<unknown>()
  const { data, error, refetch } = useQuery({
    queryKey: ['session', 'own'],
    queryFn: () => readSessions(me.user?.id),
  })
  async function end({ id, name }: Session): Promise<void> {
    setFailure(undefined)
    try {
      await client.endSession({ sessionId: id })
      leaveRow(main.current)
      await queries.invalidateQueries({ queryKey: ['session'] })
      showToast(texts.sessions.ended(name))
    } catch (cause) {
      setFailure(cause)
    }
  }
  return (
    <SettingsPage me={me} main={main} path={PATH} title={texts.sessions.title}>
      <p class="sm muted">{texts.sessions.hint}</p>
      {failure !== undefined && <Failure title={texts.sessions.endFailed} error={failure} />}
      {error && !data && <Failure title={texts.sessions.listFailed} error={error} onRetry={() => refetch()} />}
      {!data && !error && <Skeleton />}
      {data && <SessionTable sessions={data} onEnd={(session) => void end(session)} />}
    </SettingsPage>
  )
}

interface SessionTableProps {
  sessions: readonly Session[]
  onEnd: (session: Session) => void
}

const SessionTable = ({ sessions, onEnd }: SessionTableProps) => (
  <div class="card">
    <table class="table stack-table">
      <thead>
        <tr>
          <th scope="col">{texts.sessions.browser}</th>
          <th scope="col">{texts.sessions.since}</th>
          <th scope="col">{texts.sessions.lastUsed}</th>
          <th scope="col">
            <span class="sr">{texts.sessions.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {sessions.map((session) => (
          <tr key={session.id}>
            <th scope="row">
              <span class="b wrap-text">{session.name}</span>
            </th>
            <td data-th={texts.sessions.since} class="muted">
              {formatMoment(session.createdAt)}
            </td>
            <td data-th={texts.sessions.lastUsed} class="muted">
              {session.lastUsedAt ? formatAge(session.lastUsedAt) : texts.sessions.never}
            </td>
            <td class="end">
              <span class="row">
                <button
                  class="btn small danger"
                  type="button"
                  aria-label={texts.sessions.endOf(session.name)}
                  onClick={() => onEnd(session)}
                >
                  {texts.sessions.end}
                </button>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
