import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { focusDetail } from '../../parts/list-keys'
import { NextSteps } from '../../parts/next-steps'
import { Skeleton } from '../../parts/skeleton'
import { BASE } from '../../state/place'
import { formatDay } from '../../texts/formats'
import { texts as shellTexts } from '../../texts/texts'
import { DETAIL_TITLE, pathOf, type View } from './place'
import type { ListedVersion } from './requests'
import { StatusBadge } from './status-badge'
import { texts } from './texts/texts'

interface ListPaneProps {
  view: View
  versions: readonly ListedVersion[] | undefined
  may: boolean
  error: unknown
  onRetry: () => void
  onCreate: () => void
}

export const ListPane = ({ view, versions, may, error, onRetry, onCreate }: ListPaneProps) => (
  <section class="list" aria-label={texts.list}>
    <div class="tools">
      <span class="sm muted" role="status">
        {versions && texts.found(versions.length)}
      </span>
      {may && (
        <button class={view.version ? 'btn small push' : 'btn small primary push'} type="button" onClick={onCreate}>
          <Icon name="plus" />
          {texts.create}
        </button>
      )}
    </div>
    {error && !versions && (
      <div class="pad">
        <Failure title={texts.listFailed} error={error} onRetry={onRetry} />
      </div>
    )}
    {!versions && !error && (
      <div class="pad">
        <Skeleton lines={6} />
      </div>
    )}
    {versions?.length === 0 && (
      <Empty icon="release" title={texts.empty} hint={may ? texts.emptyHint : texts.emptyReadOnly}>
        {may && (
          <NextSteps
            steps={[
              { text: shellTexts.next.version, act: onCreate },
              { text: shellTexts.next.backlog, path: `/backlog?${new URLSearchParams({ product: view.product })}` },
            ]}
          />
        )}
      </Empty>
    )}
    <ul>
      {versions?.map((version) => (
        <Row key={version.externalKey} version={version} view={view} />
      ))}
    </ul>
  </section>
)

function Row({ version, view }: { version: ListedVersion; view: View }) {
  const { externalKey: key, name, status, releaseDate, releasedAt } = version
  const isCurrent = view.version === key
  const date = releasedAt ?? releaseDate
  return (
    <li class={isCurrent ? 'list-row current' : 'list-row'}>
      <div class="grow">
        <h2 class="truncate">
          <a
            class="stretch"
            href={BASE + pathOf({ ...view, version: key })}
            data-row={key}
            aria-current={isCurrent ? 'true' : undefined}
            onClick={() => isCurrent && focusDetail(DETAIL_TITLE)}
          >
            {name}
          </a>
        </h2>
        <p class="row sm muted">
          <StatusBadge status={status} />
          {date && <span class="push">{formatDay(date)}</span>}
        </p>
      </div>
    </li>
  )
}
