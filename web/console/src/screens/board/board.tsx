import type { RefObject } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { mayChange } from '../../api/me'
import { createCarrying } from '../../parts/drag'
import { Failure } from '../../parts/failure'
import { Skeleton } from '../../parts/skeleton'
import { Bar } from '../../shell/bar'
import { place } from '../../state/place'
import { CreateButton, NoItems } from '../backlog/backlog'
import { createBacklog } from '../backlog/backlog-state'
import { BulkBar } from '../backlog/bulk-bar'
import { Dialogs } from '../backlog/dialogs'
import { readFilters, setQuery } from '../backlog/filters'
import { type ItemType, TYPES } from '../backlog/forest'
import { Notices } from '../backlog/notices'
import { useUsers } from '../backlog/requests'
import { createSelection, type Selection } from '../backlog/selection'
import { texts } from '../backlog/texts/texts'
import { Tools } from '../backlog/tools'
import { useProduct } from '../backlog/use-product'
import type { ScreenProps } from '../screens'
import { BoardColumn } from './board-column'
import { listColumns } from './columns'
import { useBoardKeys } from './use-board-keys'

export default function BoardScreen({ me, main }: ScreenProps) {
  const product = useProduct()
  const selection = useMemo(createSelection, [])
  const may = mayChange(me, 'backlog')
  return (
    <>
      <Bar title={texts.board}>{may && product && <CreateButton selection={selection} />}</Bar>
      <main id="main" ref={main} tabIndex={-1} class="board">
        {product && <Board key={product} {...{ product, main, selection, may }} />}
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
  const carrying = useMemo(() => createCarrying<string>(), [])
  const forest = backlog.forest.value
  const columns = useMemo(() => (forest ? listColumns(forest, type) : []), [forest, type])
  const onKeyDown = useBoardKeys({ backlog, selection, carrying, columns, mayChange: may })
  const count = columns.reduce((sum, { items }) => sum + items.length, 0)
  const hasCurrent = columns.some(({ items }) => items.some(({ key }) => key === selection.current.value))
  const error = backlog.error.value
  return (
    <>
      <Tools product={product} view="board" count={forest && count}>
        <TypeField type={type} />
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
        <section class="columns" aria-label={texts.columns} onKeyDown={onKeyDown}>
          {columns.map((column) => (
            <BoardColumn
              key={column.progress}
              {...{ column, backlog, selection, carrying, users }}
              hasCurrent={hasCurrent}
              mayChange={may}
            />
          ))}
        </section>
      )}
      {may && <BulkBar backlog={backlog} selection={selection} />}
      {may && <Dialogs backlog={backlog} selection={selection} />}
      <p class={carrying.carried.value ? 'lift-note' : 'sr'} role="status">
        {selection.spoken.value}
      </p>
    </>
  )
}

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
