import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { User } from '../../api/users'
import type { Backlog } from './backlog-state'
import { useDropTarget } from './drag'
import type { Row } from './forest'
import { useVersions } from './requests'
import type { Selection } from './selection'
import { texts } from './texts/texts'
import { TreeRow } from './tree-row'
import { useWindow } from './use-window'

const ROW_PX = 36

interface TreeGridProps {
  rows: readonly Row[]
  scroller: RefObject<HTMLElement | null>
  backlog: Backlog
  selection: Selection
  users: readonly User[]
  mayChange: boolean
  onKeyDown: (event: KeyboardEvent) => void
}

/** Holds the rows in view only. */
export function TreeGrid({ rows, scroller, backlog, selection, users, mayChange, onKeyDown }: TreeGridProps) {
  const grid = useRef<HTMLTableElement>(null)
  const height = useRowHeight(grid, rows.length > 0)
  const { start, end } = useWindow(scroller, rows.length, height)
  const drop = useDropTarget({ grid, backlog, selection, mayChange })
  useFocusOfRow({ rows, scroller, grid, selection, height })
  const { current, selected, editing, editedPoints, lift } = selection
  const sending = backlog.sending.value
  const versions = useVersions(backlog.product)
  const shown = rows.slice(start, end)
  const tabStop = shown.some(({ item }) => item.key === current.value) ? current.value : shown[0]?.item.key
  const isAllSelected = rows.length > 0 && rows.every(({ item }) => selected.value.has(item.key))
  return (
    <table
      ref={grid}
      class={mayChange ? 'table backlog' : 'table backlog read-only'}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a tree grid is a table with this role.
      role="treegrid"
      aria-label={texts.title}
      aria-multiselectable={mayChange}
      aria-rowcount={rows.length + 1}
      onKeyDown={onKeyDown}
    >
      <thead>
        <tr aria-rowindex={1}>
          {mayChange && (
            <th class="pick" scope="col">
              <input
                type="checkbox"
                aria-label={texts.selectAll}
                checked={isAllSelected}
                onChange={() =>
                  selection.toggle(
                    rows.filter(({ item }) => !item.isNew).map(({ item }) => item.key),
                    !isAllSelected,
                  )
                }
              />
            </th>
          )}
          <th scope="col">{texts.summary}</th>
          {mayChange && (
            <th scope="col" class="add">
              <span class="sr">{texts.create}</span>
            </th>
          )}
          <th scope="col" class="progress">
            {texts.progress}
          </th>
          <th scope="col" class="hide-m rolled">
            {texts.rolledUp}
          </th>
          <th scope="col" class="n points">
            {texts.points}
          </th>
          <th scope="col" class="hide-m version">
            {texts.version}
          </th>
          <th scope="col" class="n hide-s score">
            {texts.score}
          </th>
          <th scope="col" class="hide-s owner">
            {texts.owner}
          </th>
        </tr>
      </thead>
      <Spacer px={start * height} />
      <tbody>
        {shown.map((row, n) => (
          <TreeRow
            key={row.item.key}
            {...{ row, backlog, selection, users, versions, mayChange }}
            index={start + n + 1}
            isTabStop={row.item.key === tabStop}
            isSelected={selected.value.has(row.item.key)}
            isSending={sending.has(row.item.key)}
            isEditing={editing.value === row.item.key}
            editsPoints={editedPoints.value === row.item.key}
            isCarried={lift.value?.key === row.item.key || drop?.carried === row.item.key}
            drop={drop?.key === row.item.key ? drop.edge : undefined}
          />
        ))}
      </tbody>
      <Spacer px={(rows.length - end) * height} />
    </table>
  )
}

/** Stands for the rows out of view. */
function Spacer({ px }: { px: number }) {
  const body = useRef<HTMLTableSectionElement>(null)
  useLayoutEffect(() => {
    if (body.current) body.current.style.height = `${px}px`
  }, [px])
  return <tbody ref={body} class="spacer" aria-hidden="true" />
}

/** Rows are higher on touch, and in a narrow window. */
function useRowHeight(grid: RefObject<HTMLTableElement | null>, hasRows: boolean): number {
  const [height, setHeight] = useState(ROW_PX)
  useLayoutEffect(() => {
    const measure = () => {
      const row = grid.current?.querySelector<HTMLElement>('tr[data-key]')
      if (row?.offsetHeight) setHeight(row.offsetHeight)
    }
    measure()
    addEventListener('resize', measure)
    return () => removeEventListener('resize', measure)
  }, [hasRows])
  return height
}

interface FocusOptions {
  rows: readonly Row[]
  scroller: RefObject<HTMLElement | null>
  grid: RefObject<HTMLTableElement | null>
  selection: Selection
  height: number
}

/** Brings the current row into view, and gives it the focus once it is there. */
function useFocusOfRow({ rows, scroller, grid, selection, height }: FocusOptions): void {
  const asked = selection.focusAsked.value
  useLayoutEffect(() => {
    const main = scroller.current
    const key = selection.current.value
    const index = rows.findIndex(({ item }) => item.key === key)
    if (!asked || !main || index < 0) return
    const head = main.querySelector<HTMLElement>('.tools')?.offsetHeight ?? 0
    const top = head + height * (index + 1)
    if (top - head - height < main.scrollTop) main.scrollTop = top - head - height
    if (top + height > main.scrollTop + main.clientHeight) main.scrollTop = top + height - main.clientHeight
    const focus = () => {
      if (selection.current.value !== key) return
      grid.current?.querySelector<HTMLElement>(`[id="row-${key}"]`)?.focus({ preventScroll: true })
    }
    focus()
    // A row that was out of view exists in the frame after next. A field that took the focus meanwhile keeps it.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => isFree(document.activeElement) && focus())
    })
    return () => cancelAnimationFrame(frame)
  }, [asked])
}

const isFree = (active: Element | null) => active === null || active === document.body || active.matches('tr[data-key]')
