import { computed } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { mayChange } from '../../api/me'
import { useUsers } from '../../api/users'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { Skeleton } from '../../parts/skeleton'
import { WithoutProduct } from '../../parts/without-product'
import { Bar } from '../../shell/bar'
import { BASE } from '../../state/place'
import type { ScreenProps } from '../screens'
import { createBacklog } from './backlog-state'
import { BulkBar } from './bulk-bar'
import { Dialogs } from './dialogs'
import { clearFilters, isBranchOpen, isFiltered, readBranches, readFilters } from './filters'
import { listRows } from './forest'
import { showLifted } from './lifting'
import { Notices } from './notices'
import { createSelection, type Selection } from './selection'
import { texts } from './texts/texts'
import { Tools } from './tools'
import { TreeGrid } from './tree-grid'
import { useBacklogKeys } from './use-keys'
import { useProduct } from './use-product'

export default function BacklogScreen({ me, main }: ScreenProps) {
  const product = useProduct()
  const selection = useMemo(createSelection, [])
  const may = mayChange(me, 'backlog')
  return (
    <>
      <Bar title={texts.title}>{may && product && <CreateButton selection={selection} />}</Bar>
      <main id="main" ref={main} tabIndex={-1}>
        {product ? (
          <Tree key={product} product={product} main={main} selection={selection} may={may} />
        ) : (
          <WithoutProduct />
        )}
      </main>
    </>
  )
}

export const CreateButton = ({ selection }: { selection: Selection }) => (
  <button
    class="btn primary small"
    type="button"
    onClick={() => {
      selection.chooser.value = 'create'
    }}
  >
    <Icon name="plus" />
    {texts.new}
  </button>
)

interface TreeProps {
  product: string
  main: RefObject<HTMLElement | null>
  selection: Selection
  may: boolean
}

function Tree({ product, main, selection, may }: TreeProps) {
  const filters = readFilters()
  const backlog = useMemo(() => createBacklog(product, filters), [product, JSON.stringify(filters)])
  useEffect(() => {
    void backlog.read()
    return backlog.follow()
  }, [backlog])
  const users = useUsers()
  const onKeyDown = useBacklogKeys({ backlog, selection, mayChange: may })
  const shown = useMemo(() => computed(() => showLifted(backlog, selection)), [backlog, selection]).value
  const branches = readBranches(shown)
  const rows = useMemo(
    () => (shown ? listRows(shown, (key) => isBranchOpen(branches, key)) : []),
    [shown, branches.areOpen, [...branches.except].join(',')],
  )
  const error = backlog.error.value
  return (
    <>
      <Tools product={product} view="tree" count={shown?.items.size} />
      <Notices backlog={backlog} />
      {error !== undefined && !shown && (
        <div class="pad">
          <Failure title={texts.failed.load} error={error} onRetry={() => void backlog.read()} />
        </div>
      )}
      {!shown && error === undefined && (
        <div class="pad">
          <Skeleton lines={9} />
        </div>
      )}
      {shown && rows.length === 0 && <NoItems may={may} />}
      {rows.length > 0 && (
        <TreeGrid {...{ rows, backlog, selection, users, onKeyDown }} scroller={main} mayChange={may} />
      )}
      {may && <BulkBar backlog={backlog} selection={selection} />}
      {may && <Dialogs backlog={backlog} selection={selection} />}
      <p class={selection.lift.value ? 'lift-note' : 'sr'} role="status">
        {selection.spoken.value}
      </p>
    </>
  )
}

export const NoItems = ({ may }: { may: boolean }) =>
  isFiltered(readFilters()) ? (
    <Empty icon="tree" title={texts.emptyFiltered} hint={texts.emptyFilteredHint}>
      <button class="btn" type="button" onClick={clearFilters}>
        {texts.clear}
      </button>
    </Empty>
  ) : (
    <Empty icon="tree" title={texts.empty} hint={may ? texts.emptyHint : texts.emptyReadOnly}>
      {may && (
        <a class="btn" href={`${BASE}/imports/new`}>
          {texts.import}
        </a>
      )}
    </Empty>
  )
