import { Fragment } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { User } from '../../api/users'
import { type Carrying, useDropZone } from '../../parts/drag'
import { formatNumber } from '../../texts/formats'
import { texts as shellTexts } from '../../texts/texts'
import type { Backlog } from '../backlog/backlog-state'
import { ProgressBadge } from '../backlog/progress-badge'
import type { Selection } from '../backlog/selection'
import { texts } from '../backlog/texts/texts'
import { Card } from './card'
import { type Beside, type BoardPlace, type Column, describeLanding, findLanding, findMove } from './columns'
import { moveCards } from './move-cards'

/** Cards of a column at first; a click shows as many again. */
const PAGE = 50

export interface BoardColumnProps {
  column: Column
  backlog: Backlog
  selection: Selection
  carrying: Carrying<BoardPlace>
  users: readonly User[]
  /** Whether one of the cards is the current card. */
  hasCurrent: boolean
  mayChange: boolean
}

export function BoardColumn(props: BoardColumnProps) {
  const { column, backlog, selection, carrying, users, hasCurrent, mayChange } = props
  const { id, parent, progress, items, points } = column
  const [limit, setLimit] = useState(PAGE)
  const element = useRef<HTMLElement>(null)
  useDropZone<BoardPlace>(
    {
      ...{ element, carrying, mayChange },
      findTarget: (y) => ({ column: id, beside: findBeside(element.current, backlog, carrying.carried.value, y) }),
      isOwn: (target) => target?.column === id,
      onTarget(key, { beside }) {
        const forest = backlog.forest.value
        const item = forest?.items.get(key)
        if (forest && item) selection.spoken.value = texts.landing(key, describeLanding(forest, item, column, beside))
      },
      drop(key, { beside }) {
        const forest = backlog.forest.value
        const item = forest?.items.get(key)
        if (!forest || !item) return
        selection.spoken.value = texts.movedTo(key, describeLanding(forest, item, column, beside))
        moveCards(backlog, [item], findMove(forest, item, column, beside))
      },
    },
    [backlog, id],
  )
  const isTarget = carrying.target.value?.column === id
  const slot = isTarget ? findSlot(backlog, column, carrying) : undefined
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
        {shown.map((item) => (
          <Fragment key={item.key}>
            {slot === item.key && <li class="drop" aria-hidden="true" />}
            <Card
              {...{ item, backlog, selection, users, carrying, mayChange }}
              isTabStop={item.key === selection.current.value || !hasCurrent}
              isSelected={selection.selected.value.has(item.key)}
              isSending={backlog.sending.value.has(item.key)}
              isEditing={selection.editing.value === item.key}
              isCarried={carrying.carried.value === item.key}
            />
          </Fragment>
        ))}
        {slot === END && <li class="drop" aria-hidden="true" />}
      </ul>
      {items.length > limit && (
        <button class="btn ghost small" type="button" onClick={() => setLimit(limit + PAGE)}>
          {shellTexts.showMore}
        </button>
      )}
    </section>
  )
}

const END = ''

/** Key of the card that the carried card would stand before. Undefined if the card stays where it is. */
function findSlot({ forest }: Backlog, column: Column, { carried, target }: Carrying<BoardPlace>): string | undefined {
  const item = forest.value?.items.get(carried.value ?? '')
  const beside = target.value?.beside
  if (!forest.value || !item) return undefined
  const isOwn = column.items.some(({ key }) => key === item.key)
  if (isOwn && !beside) return undefined
  const { index } = findLanding(forest.value, item, column, beside)
  return column.items.filter(({ key }) => key !== item.key)[index]?.key ?? END
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
