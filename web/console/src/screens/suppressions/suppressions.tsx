import { useMemo, useState } from 'preact/hooks'
import { type Me, maySee } from '../../api/me'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { NextSteps } from '../../parts/next-steps'
import { Skeleton } from '../../parts/skeleton'
import { Bar } from '../../shell/bar'
import { useKeys } from '../../state/keys'
import { texts as shared } from '../../texts/texts'
import type { ScreenProps } from '../screens'
import { AddDialog } from './add-dialog'
import { FilterBar } from './filter-bar'
import { filterBy, isFiltered, readFilters } from './place'
import { RemoveDialog } from './remove-dialog'
import { PAGE, type Suppression, useSegments, useSuppressions } from './requests'
import { SuppressionTable } from './suppression-table'
import { texts } from './texts/texts'

export default function SuppressionScreen({ me, main }: ScreenProps) {
  const may = maySee(me, 'mail:write')
  const [isAdding, add] = useState(false)
  useKeys(useMemo(() => (may ? [{ keys: 'c', label: texts.add, run: () => add(true) }] : []), [may]))
  return (
    <>
      <Bar title={texts.title}>
        {may && (
          <button class="btn small primary" type="button" onClick={() => add(true)}>
            <Icon name="plus" />
            {texts.add}
          </button>
        )}
      </Bar>
      <main id="main" ref={main} tabIndex={-1} class="padded">
        <div class="center stack">
          {maySee(me, 'mail:read') ? (
            <List me={me} onLeave={() => requestAnimationFrame(() => main.current?.focus())} />
          ) : (
            <Empty icon="lock" title={texts.title} hint={texts.noRole} />
          )}
        </div>
      </main>
      {isAdding && <AddDialog onClose={() => add(false)} />}
    </>
  )
}

function List({ me, onLeave }: { me: Me; onLeave: () => void }) {
  const filters = readFilters()
  const [limit, setLimit] = useState(PAGE)
  const [leaving, leave] = useState<Suppression>()
  const segments = useSegments()
  const { data, error, refetch } = useSuppressions(filters, limit)
  const isEmpty = data?.records.length === 0
  return (
    <>
      <p class="muted">{texts.intro}</p>
      <FilterBar key={filters.email} filters={filters} found={data && texts.found(data.records.length, data.hasMore)} />
      {error && !data && <Failure title={texts.listFailed} error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={6} />}
      {isEmpty && !isFiltered(filters) && (
        <Empty icon="mail" title={texts.empty} hint={texts.emptyHint}>
          <NextSteps steps={[{ text: shared.next.mailings, path: '/mailings' }]} />
        </Empty>
      )}
      {isEmpty && isFiltered(filters) && (
        <Empty icon="search" title={texts.noMatch} hint={texts.noMatchHint}>
          <button class="btn" type="button" onClick={() => filterBy({ email: '', reason: '' })}>
            {texts.clear}
          </button>
        </Empty>
      )}
      {data && !isEmpty && (
        <SuppressionTable
          suppressions={data.records}
          segments={segments}
          onRemove={maySee(me, 'mail:write') ? leave : undefined}
        />
      )}
      {data?.hasMore && (
        <p>
          <button class="btn" type="button" onClick={() => setLimit(limit + PAGE)}>
            {shared.showMore}
          </button>
        </p>
      )}
      {leaving && (
        <RemoveDialog suppression={leaving} segments={segments} onClose={() => leave(undefined)} onDone={onLeave} />
      )}
    </>
  )
}
