import type { RefObject } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { mayChange } from '../../api/me'
import { useUsers } from '../../api/users'
import { createCarrying } from '../../parts/drag'
import { Failure } from '../../parts/failure'
import { Skeleton } from '../../parts/skeleton'
import { WithoutProduct } from '../../parts/without-product'
import { Bar } from '../../shell/bar'
import { place } from '../../state/place'
import { formatNumber } from '../../texts/formats'
import { CreateButton, NoItems } from '../backlog/backlog'
import { createBacklog } from '../backlog/backlog-state'
import { BulkBar } from '../backlog/bulk-bar'
import { Dialogs } from '../backlog/dialogs'
import { readFilters, setQuery } from '../backlog/filters'
import { type ItemType, TYPES } from '../backlog/forest'
import { Notices } from '../backlog/notices'
import { createSelection, type Selection } from '../backlog/selection'
import { texts } from '../backlog/texts/texts'
import { Tools } from '../backlog/tools'
import { TypeMark } from '../backlog/type-mark'
import { useProduct } from '../backlog/use-product'
import type { ScreenProps } from '../screens'
import { BoardColumn, type BoardColumnProps } from './board-column'
import { ColumnDialog } from './column-dialog'
import { type BoardPlace, type Lane, listLanes } from './columns'
import { useBoardKeys } from './use-board-keys'

export default function BoardScreen({ me, main }: ScreenProps) {
  const product = useProduct()
  const selection = useMemo(createSelection, [])
  const may = mayChange(me, 'backlog')
  return (
    <>
      <Bar title={texts.board}>{may && product && <CreateButton selection={selection} />}</Bar>
      <main id="main" ref={main} tabIndex={-1} class="board">
        {product ? <Board key={product} {...{ product, main, selection, may }} /> : <WithoutProduct />}
      </main>
    </>
  )
}

interface BoardProps {
  product: string
  main: RefObject<HTMLElement | null>
  selection: Selection
  may: boolean
}

const readType = (): ItemType => TYPES.find((type) => type === place.value.query.get('type')) ?? 'userstory'

function Board({ product, selection, may }: BoardProps) {
  const filters = readFilters()
  const type = readType()
  const backlog = useMemo(() => createBacklog(product, filters), [product, JSON.stringify(filters)])
  useEffect(() => {
    void backlog.read()
    return backlog.follow()
  }, [backlog])
  const users = useUsers()
  const carrying = useMemo(() => createCarrying<BoardPlace>(), [])
  const forest = backlog.forest.value
  const isGrouped = place.value.query.get('group') === 'parent' && type !== 'epic'
  const lanes = useMemo(() => (forest ? listLanes(forest, type, isGrouped) : []), [forest, type, isGrouped])
  const onKeyDown = useBoardKeys({ backlog, selection, carrying, lanes, mayChange: may })
  const count = lanes.reduce((sum, lane) => sum + lane.count, 0)
  const hasCurrent = forest?.items.get(selection.current.value ?? '')?.type === type
  const error = backlog.error.value
  return (
    <>
      <Tools product={product} view="board" count={forest && count}>
        <TypeField type={type} />
        {type !== 'epic' && <GroupField isGrouped={isGrouped} />}
      </Tools>
      <Notices backlog={backlog} />
      {error !== undefined && !forest && (
        <div class="pad">
          <Failure title={texts.failed.load} error={error} onRetry={() => void backlog.read()} />
        </div>
      )}
      {!forest && error === undefined && <Skeleton lines={9} />}
      {forest && count === 0 && <NoItems may={may} />}
      {count > 0 && (
        <section class={isGrouped ? 'lanes' : 'single'} aria-label={texts.columns} onKeyDown={onKeyDown}>
          {lanes.map((lane) => (
            <BoardLane
              key={lane.parent ?? 'all'}
              {...{ lane, backlog, selection, carrying, users, hasCurrent }}
              mayChange={may}
            />
          ))}
        </section>
      )}
      {may && <BulkBar backlog={backlog} selection={selection} />}
      {may && <Dialogs backlog={backlog} selection={selection} />}
      {may && <ColumnDialog {...{ backlog, selection, lanes }} />}
      <p class={carrying.carried.value ? 'lift-note' : 'sr'} role="status">
        {selection.spoken.value}
      </p>
    </>
  )
}

interface BoardLaneProps extends Omit<BoardColumnProps, 'column'> {
  lane: Lane
}

/** The columns, below the name of their parent. */
function BoardLane({ lane: { parent, columns, count }, ...rest }: BoardLaneProps) {
  const shown = columns.map((column) => <BoardColumn key={column.id} column={column} {...rest} />)
  if (parent === undefined) return <div class="columns">{shown}</div>
  const item = rest.backlog.forest.value?.items.get(parent)
  const title = `lane-${parent}`
  return (
    <section class="lane" aria-labelledby={title}>
      <header>
        {item && <TypeMark type={item.type} />}
        <h2 class="name" id={title}>
          {item?.summary ?? texts.noParent}
        </h2>
        <span class="count">{formatNumber(count)}</span>
      </header>
      <div class="columns">{shown}</div>
    </section>
  )
}

const GroupField = ({ isGrouped }: { isGrouped: boolean }) => (
  <label>
    <span class="sr">{texts.groupBy}</span>
    <select
      class="select small"
      value={isGrouped ? 'parent' : ''}
      onChange={({ currentTarget: { value } }) => setQuery({ group: value })}
    >
      <option value="">{texts.groups.none}</option>
      <option value="parent">{texts.groups.parent}</option>
    </select>
  </label>
)

const TypeField = ({ type }: { type: ItemType }) => (
  <label>
    <span class="sr">{texts.type}</span>
    <select class="select small" value={type} onChange={({ currentTarget: { value } }) => setQuery({ type: value })}>
      {TYPES.map((one) => (
        <option key={one} value={one}>
          {texts.typesMany[one]}
        </option>
      ))}
    </select>
  </label>
)
