import { useState } from 'preact/hooks'
import { Failure } from '../../parts/failure'
import { FormDialog } from '../../parts/form-dialog'
import { Icon } from '../../parts/icon'
import { RecordTable } from '../../parts/record-table'
import { Skeleton } from '../../parts/skeleton'
import { showToast } from '../../state/toast'
import { formatBytes, formatMoment, formatNumber } from '../../texts/formats'
import { type Export, isChanging, pathOfExport, readExportsAgain, startExport, useExports } from './requests'
import { texts } from './texts/texts'

const PARTS = ['files', 'events'] as const

export function ExportsCard() {
  const [isStarting, start] = useState(false)
  const { data: exports, error, refetch } = useExports()
  return (
    <section class="stack" aria-labelledby="data-exports">
      <div class="row wrap">
        <h2 class="h3 grow" id="data-exports">
          {texts.exports.title}
        </h2>
        <button class="btn primary" type="button" onClick={() => start(true)}>
          {texts.exports.start}
        </button>
      </div>
      <p class="sm muted">{texts.exports.hint}</p>
      {error && !exports && <Failure title={texts.exports.listFailed} error={error} onRetry={() => refetch()} />}
      {!exports && !error && <Skeleton />}
      {exports?.length === 0 && <p>{texts.exports.empty}</p>}
      {exports && exports.length > 0 && <ExportTable exports={exports} />}
      {isStarting && <StartDialog onClose={() => start(false)} />}
    </section>
  )
}

const StartDialog = ({ onClose }: { onClose: () => void }) => (
  <FormDialog
    title={texts.exports.start}
    action={texts.exports.start}
    failed={texts.exports.startFailed}
    onClose={onClose}
    onSubmit={async (form) => {
      await startExport(PARTS.filter((part) => form.has(part)))
      await readExportsAgain()
      showToast(texts.exports.started)
    }}
  >
    <fieldset class="stack tight">
      <legend class="label">{texts.exports.include}</legend>
      {PARTS.map((part) => (
        <label key={part} class="check">
          <input type="checkbox" name={part} />
          {texts.exports.parts[part]}
        </label>
      ))}
    </fieldset>
    <p class="sm muted">{texts.exports.startHint}</p>
  </FormDialog>
)

const ExportTable = ({ exports }: { exports: readonly Export[] }) => (
  <RecordTable
    records={exports}
    keyOf={({ id }) => id}
    columns={[
      { title: texts.exports.when, show: ({ createdAt }) => formatMoment(createdAt) },
      { title: texts.exports.state, show: (one) => <State shown={one} /> },
      { title: texts.exports.content, show: (one) => <Content shown={one} />, isMuted: true },
      { title: texts.exports.size, show: ({ size }) => (size === null ? '' : formatBytes(size)), isMuted: true },
      {
        title: texts.exports.until,
        show: ({ expiresAt }) => (expiresAt === null ? '' : formatMoment(expiresAt)),
        isMuted: true,
      },
    ]}
    actions={{
      title: texts.exports.actions,
      show: (one) =>
        one.status === 'completed' &&
        one.kind !== 'restore' && (
          <a
            class="btn small"
            href={pathOfExport(one)}
            download
            aria-label={texts.exports.download(formatMoment(one.createdAt))}
          >
            <Icon name="download" />
            {texts.exports.downloadShort}
          </a>
        ),
    }}
  />
)

const State = ({ shown }: { shown: Export }) => (
  <span class="stack tight grow" role="status">
    <span>
      {texts.exports.kinds[shown.kind]}: {texts.exports.states[shown.status]}
    </span>
    {isChanging(shown) && <progress max="100" value={shown.progress} aria-label={texts.exports.progress} />}
    {shown.problem && <span class="sm danger">{shown.problem}</span>}
  </span>
)

const Content = ({ shown: { totals, include } }: { shown: Export }) => (
  <span>
    {[texts.exports.records(formatNumber(totals.records)), ...include.map((part) => texts.exports.parts[part])].join(
      ', ',
    )}
  </span>
)
