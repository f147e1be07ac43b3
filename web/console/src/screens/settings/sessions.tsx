import type { Operations } from 'groundwork-client'
import { useState } from 'preact/hooks'
import { client } from '../../api/client'
import { queries, useQuery } from '../../api/queries'
import { Failure } from '../../parts/failure'
import { RecordTable } from '../../parts/record-table'
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
    <SettingsPage me={me} main={main} path={PATH}>
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
  <RecordTable
    records={sessions}
    keyOf={({ id }) => id}
    columns={[
      {
        title: texts.sessions.browser,
        show: ({ name, current }) => (
          <span>
            <span class="b wrap-text">{name}</span> {current && <span class="tag">{texts.sessions.current}</span>}
          </span>
        ),
      },
      { title: texts.sessions.since, show: ({ createdAt }) => formatMoment(createdAt), isMuted: true },
      {
        title: texts.sessions.lastUsed,
        show: ({ lastUsedAt }) => (lastUsedAt ? formatAge(lastUsedAt) : texts.sessions.never),
        isMuted: true,
      },
    ]}
    actions={{
      title: texts.sessions.actions,
      show: (session) => (
        <button
          class="btn small danger"
          type="button"
          aria-label={texts.sessions.endOf(session.name)}
          onClick={() => onEnd(session)}
        >
          {texts.sessions.end}
        </button>
      ),
    }}
  />
)
