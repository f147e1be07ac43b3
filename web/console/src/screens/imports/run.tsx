import { useState } from 'preact/hooks'
import { client } from '../../api/client'
import { showStored, useQuery } from '../../api/queries'
import { Banner } from '../../parts/banner'
import { Failure } from '../../parts/failure'
import { Skeleton } from '../../parts/skeleton'
import { Bar } from '../../shell/bar'
import { BASE, place } from '../../state/place'
import { showToast } from '../../state/toast'
import { texts } from '../../texts/texts'
import type { ScreenProps } from '../screens'
import { listAllowedKinds } from './access'
import { MailBanner } from './mail-banner'
import { targetOf } from './mapping'
import { RejectedRows, WarnedValues } from './problem-tables'
import { belongsToProduct, type ImportKind, type ImportRun, isChanging, nameOf } from './requests'
import { StateBadge } from './state-badge'
import { IMPORT_STEP, RESULT_STEP, Steps } from './steps'
import { importTexts } from './texts/texts'
import { Totals } from './totals'

const POLL_MS = 1_500
const crumb = { path: '/imports', title: texts.imports.title }

export default function ImportRunScreen({ me, params: [id], main }: ScreenProps) {
  const importId = Number(id)
  const {
    data: run,
    error,
    refetch,
  } = useQuery<ImportRun>({
    queryKey: ['import', importId],
    queryFn: () => client.getImport({ importId }),
    refetchInterval: (query) => (query.state.data && isChanging(query.state.data) ? POLL_MS : false),
  })
  const mayChange = run !== undefined && listAllowedKinds(me).includes(run.kind)
  return (
    <>
      <Bar title={run ? texts.imports.import(nameOf(run)) : texts.imports.title} crumb={crumb}>
        {mayChange && (
          <a class="btn small ghost" href={`${BASE}/imports/new`}>
            {texts.imports.another}
          </a>
        )}
      </Bar>
      <main id="main" ref={main} tabIndex={-1} class="padded">
        <div class="center stack loose">
          {error && !run && <Failure title={texts.imports.runLoadFailed} error={error} onRetry={() => refetch()} />}
          {!run && !error && <Skeleton />}
          {run && <Steps at={isChanging(run) ? IMPORT_STEP : RESULT_STEP} />}
          {run && run.status !== 'undone' && <MailBanner warnings={run.warnings} />}
          {run && <State run={run} />}
          {run && mayChange && <Actions run={run} />}
          {run && <Problems run={run} />}
        </div>
      </main>
    </>
  )
}

const State = ({ run }: { run: ImportRun }) => (
  <section class="card pad stack" aria-labelledby="state">
    <div class="row wrap">
      <h2 class="h3" id="state">
        {texts.imports.kinds[run.kind]}
      </h2>
      <StateBadge run={run} />
    </div>
    <div role="status" class="stack tight">
      {run.status === 'undone' ? <p>{importTexts.takenBack(run.totals)}</p> : <Totals totals={run.totals} />}
      {isChanging(run) && (
        <>
          <progress max="100" value={run.progress} aria-label={texts.imports.progress} />
          <p class="sm muted">{texts.imports.running}</p>
        </>
      )}
    </div>
    {run.problem && <Banner tone="red" icon="failed" title={run.problem} />}
    <p class="sm muted">{run.mapping.presetReason}</p>
    <IgnoredColumns run={run} />
    <SeeRecords run={run} />
  </section>
)

function IgnoredColumns({ run: { mapping } }: { run: ImportRun }) {
  const names = mapping.columns.filter((column) => targetOf(column) === 'ignored').map(({ column }) => column)
  if (!names.length) return null
  return <p class="sm muted">{importTexts.ignoredColumns([...new Set(names)])}</p>
}

const PAGES: Readonly<Partial<Record<ImportKind, string>>> = {
  backlog: '/backlog',
  feedback: '/ideas',
  people: '/people',
  suppressions: '/suppressions',
}

/** Leads to what the import has brought, in the product of the wizard. */
function SeeRecords({ run: { kind, status, totals } }: { run: ImportRun }) {
  const page = PAGES[kind]
  const count = totals.created + totals.updated
  if (!page || kind === 'changelog' || count === 0 || !['completed', 'partial'].includes(status)) return null
  const product = place.value.query.get('product')
  const query = product && belongsToProduct(kind) ? `?${new URLSearchParams({ product })}` : ''
  return (
    <p>
      <a class="btn primary" href={BASE + page + query}>
        {importTexts.see[kind]}
      </a>
    </p>
  )
}

const UNDOABLE: readonly ImportRun['status'][] = ['completed', 'partial', 'canceled']

/** The service decides; the page offers what the state allows. */
function Actions({ run }: { run: ImportRun }) {
  const [failed, setFailed] = useState<{ title: string; error: unknown }>()
  const change = async (id: 'undoImport' | 'cancelImport', title: string, done: string) => {
    setFailed(undefined)
    const { data, error } = await client.attempt(id, { importId: run.id })
    if (error) return setFailed({ title, error })
    showStored(['import', run.id], data)
    showToast(done)
  }
  const isWaiting = run.status === 'pending' || run.status === 'running'
  if (!failed && !isWaiting && !UNDOABLE.includes(run.status)) return null
  return (
    <section class="stack tight">
      {failed && <Failure {...failed} />}
      {isWaiting && (
        <div>
          <button
            class="btn"
            type="button"
            onClick={() => change('cancelImport', texts.imports.cancelFailed, texts.imports.canceled)}
          >
            {texts.imports.cancelRun}
          </button>
        </div>
      )}
      {UNDOABLE.includes(run.status) && (
        <>
          <div>
            <button
              class="btn"
              type="button"
              aria-describedby="undo-hint"
              onClick={() => change('undoImport', texts.imports.undoFailed, texts.imports.undone)}
            >
              {texts.imports.undoRun}
            </button>
          </div>
          <p class="sm muted" id="undo-hint">
            {texts.imports.undoHint}
          </p>
        </>
      )}
    </section>
  )
}

const Problems = ({ run: { id, rejected, warnings, kept } }: { run: ImportRun }) => (
  <>
    {rejected.length > 0 && (
      <section class="card" aria-labelledby="rejected">
        <header>
          <h2 class="h3" id="rejected">
            {texts.imports.rejectedTitle}
          </h2>
          <a class="btn small push" href={`/api/v2/imports/${id}/rejected.csv`} download>
            {texts.imports.downloadRejected}
          </a>
        </header>
        <p class="sm muted body">{texts.imports.rejectedHint}</p>
        <RejectedRows rejected={rejected} />
      </section>
    )}
    {warnings.length > 0 && (
      <section class="card" aria-labelledby="warnings">
        <header>
          <h2 class="h3" id="warnings">
            {importTexts.warningsTitle}
          </h2>
          <a class="btn small push" href={`/api/v2/imports/${id}/warnings.csv`} download>
            {texts.imports.downloadWarnings}
          </a>
        </header>
        <p class="sm muted body">{importTexts.warningsHint}</p>
        <WarnedValues warnings={warnings} />
      </section>
    )}
    {kept.length > 0 && (
      <section class="card" aria-labelledby="kept">
        <header>
          <h2 class="h3" id="kept">
            {texts.imports.keptTitle}
          </h2>
        </header>
        <RejectedRows
          rejected={kept.map(({ row, reason, externalKey }) => ({ row, reason, field: externalKey, value: null }))}
        />
      </section>
    )}
  </>
)
