import { useRef, useState } from 'preact/hooks'
import type { User } from '../../api/users'
import { type Carrying, useDropZone } from '../../parts/drag'
import { formatNumber } from '../../texts/formats'
import { texts as shellTexts } from '../../texts/texts'
import type { Backlog } from '../backlog/backlog-state'
import { listPeers } from '../backlog/places'
import { ProgressBadge } from '../backlog/progress-badge'
import type { Selection } from '../backlog/selection'
import { texts } from '../backlog/texts/texts'
import { Card } from './card'
import { type Beside, type BoardPlace, type Column, placeBeside } from './columns'

/** Cards of a column at first; a click shows as many again. */
const PAGE = 50

export interface BoardColumnProps {
  column: Column
  /** Parent of the lane; undefined without lanes. */
  parent: string | undefined
  backlog: Backlog
  selection: Selection
  carrying: Carrying<BoardPlace>
  users: readonly User[]
  /** Whether one of the cards is the current card. */
  hasCurrent: boolean
  mayChange: boolean
}

export function BoardColumn(props: BoardColumnProps) {
  const { column, parent, backlog, selection, carrying, users, hasCurrent, mayChange } = props
  const { id, progress, items, points } = column
  const [limit, setLimit] = useState(PAGE)
  const element = useRef<HTMLElement>(null)
  useDropZone<BoardPlace>(
    {
      ...{ element, carrying, mayChange },
      findTarget: (y) => ({ column: id, beside: findBeside(element.current, backlog, carrying.carried.value, y) }),
      isOwn: (target) => target?.column === id,
      drop(key, { beside }) {
        const forest = backlog.forest.value
        const item = forest?.items.get(key)
        if (!forest || !item) return
        if (item.progress !== progress) void backlog.edit(item, { progress })
        const place =
          parent !== undefined && parent !== item.parent
            ? { parent, index: listPeers(forest, parent, item).length }
            : beside && placeBeside(forest, item, beside.key, beside.edge)
        if (place) void backlog.move(item, place)
      },
    },
    [backlog, id],
  )
  const target = carrying.target.value
  const isTarget = target?.column === id
  const beside = isTarget ? target.beside : undefined
  const title = `column-${id}`
  const Name = parent === undefined ? 'h2' : 'h3'
  const shown = items.filter(({ key }, n) => n < limit || key === selection.current.value)
  return (
    <section
      ref={element}
      class={isTarget ? 'column target' : 'column'}
      aria-labelledby={parent === undefined ? title : `lane-${parent} ${title}`}
    >
      <header>
        <Name id={title} class="name">
          <ProgressBadge progress={progress} />
        </Name>
        <span class="count">{formatNumber(items.length)}</span>
        <span class="xs muted num">{texts.pointsSum(formatNumber(points))}</span>
      </header>
      <ul>
        {isTarget && !beside && carrying.carried.value !== undefined && <li class="slot" aria-hidden="true" />}
        {shown.map((item) => (
          <Card
            key={item.key}
            {...{ item, backlog, selection, users, carrying, mayChange }}
            isTabStop={item.key === selection.current.value || !hasCurrent}
            isSelected={selection.selected.value.has(item.key)}
            isSending={backlog.sending.value.has(item.key)}
            isEditing={selection.editing.value === item.key}
            isCarried={carrying.carried.value === item.key}
            drop={beside?.key === item.key ? beside.edge : undefined}
          />
        ))}
      </ul>
      {items.length > limit && (
        <button class="btn ghost small" type="button" onClick={() => setLimit(limit + PAGE)}>
          {shellTexts.showMore}
        </button>
      )}
    </section>
  )
}

/** The card at a height of the column, if the carried card has the same parent. */
function findBeside(
  column: HTMLElement | null,
  { forest }: Backlog,
  carried: string | undefined,
  y: number,
): Beside | undefined {
  const items = forest.value?.items
  const card = [...(column?.querySelectorAll<HTMLElement>('.work[data-key]') ?? [])].find((one) => {
    const { top, bottom } = one.getBoundingClientRect()
    return top <= y && y <= bottom
  })
  const key = card?.dataset.key ?? ''
  const item = items?.get(carried ?? '')
  if (!card || !item || key === item.key || items?.get(key)?.parent !== item.parent) return undefined
  const { top, height } = card.getBoundingClientRect()
  return { key, edge: y < top + height / 2 ? 'before' : 'after' }
}
