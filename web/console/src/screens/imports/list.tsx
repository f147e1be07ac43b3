import { useState } from 'preact/hooks'
import { client } from '../../api/client'
import { useQuery } from '../../api/queries'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { NextSteps } from '../../parts/next-steps'
import { Skeleton } from '../../parts/skeleton'
import { Bar } from '../../shell/bar'
import { BASE } from '../../state/place'
import { formatAge, formatMoment, formatNumber } from '../../texts/formats'
import { texts } from '../../texts/texts'
import type { ScreenProps } from '../screens'
import { listAllowedKinds } from './access'
import { type Import, isChanging, nameOf } from './requests'
import { StateBadge } from './state-badge'

const POLL_MS = 3_000
const PAGE = 50
const MAX_SHOWN = 1_000

async function readRuns(limit: number): Promise<{ runs: Import[]; hasMore: boolean }> {
  const runs: Import[] = []
  for await (const run of client.each('listImports', { limit: PAGE })) {
    if (runs.length === limit) return { runs, hasMore: limit < MAX_SHOWN }
    runs.push(run)
  }
  return { runs, hasMore: false }
}

export default function ImportList({ me, main }: ScreenProps) {
  const [limit, setLimit] = useState(PAGE)
  const { data, error, refetch } = useQuery({
    queryKey: ['import', 'list', limit],
    queryFn: () => readRuns(limit),
    refetchInterval: (query) => (query.state.data?.runs.some(isChanging) ? POLL_MS : false),
  })
  const mayImport = listAllowedKinds(me).length > 0
  const start = mayImport && (
    <a class="btn small primary" href={`${BASE}/imports/new`}>
      <Icon name="upload" />
      {texts.imports.start}
    </a>
  )
  return (
    <>
      <Bar title={texts.imports.title}>{start}</Bar>
      <main id="main" ref={main} tabIndex={-1} class="padded">
        <div class="center stack loose">
          {error && !data && <Failure title={texts.imports.listFailed} error={error} onRetry={() => refetch()} />}
          {!data && !error && <Skeleton />}
          {data?.runs.length === 0 && (
            <Empty
              icon="upload"
              title={texts.imports.empty}
              hint={mayImport ? texts.imports.emptyHint : texts.roles.readOnly}
            >
              {mayImport && <NextSteps steps={[{ text: texts.next.import, path: '/imports/new' }]} />}
            </Empty>
          )}
          {data && data.runs.length > 0 && <Runs runs={data.runs} />}
          {data?.hasMore && (
            <button class="btn" type="button" onClick={() => setLimit(limit + PAGE)}>
              {texts.showMore}
            </button>
          )}
        </div>
      </main>
    </>
  )
}

const Runs = ({ runs }: { runs: readonly Import[] }) => (
  <div class="card">
    <table class="table stack-table">
      <thead>
        <tr>
          <th scope="col">{texts.imports.file}</th>
          <th scope="col">{texts.imports.kind}</th>
          <th scope="col">{texts.imports.state}</th>
          <th scope="col" class="n">
            {texts.imports.rows}
          </th>
          <th scope="col" class="n">
            {texts.imports.created}
          </th>
          <th scope="col">{texts.imports.when}</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.id}>
            <th scope="row">
              <a class="quiet b" href={`${BASE}/imports/${run.id}`}>
                {nameOf(run)}
              </a>
            </th>
            <td data-th={texts.imports.kind}>{texts.imports.kinds[run.kind]}</td>
            <td data-th={texts.imports.state}>
              <StateBadge run={run} />
            </td>
            <td data-th={texts.imports.rows} class="n">
              {formatNumber(run.totals.rows)}
            </td>
            <td data-th={texts.imports.created} class="n">
              {formatNumber(run.totals.created)}
            </td>
            <td data-th={texts.imports.when} class="muted">
              <time dateTime={run.createdAt} title={formatMoment(run.createdAt)}>
                {formatAge(run.createdAt)}
              </time>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
