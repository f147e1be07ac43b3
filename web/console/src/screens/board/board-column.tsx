import { useRef, useState } from 'preact/hooks'
import { type Carrying, useDropZone } from '../../parts/drag'
import { formatNumber } from '../../texts/formats'
import { texts as shellTexts } from '../../texts/texts'
import type { Backlog } from '../backlog/backlog-state'
import { ProgressBadge } from '../backlog/progress-badge'
import type { User } from '../backlog/requests'
import type { Selection } from '../backlog/selection'
import { texts } from '../backlog/texts/texts'
import { Card } from './card'
import type { Column } from './columns'

/** Cards of a column at first; a click shows as many again. */
const PAGE = 50

interface BoardColumnProps {
  column: Column
  backlog: Backlog
  selection: Selection
  carrying: Carrying<string>
  users: readonly User[]
  /** Whether one of the cards is the current card. */
  hasCurrent: boolean
  mayChange: boolean
}

export function BoardColumn({ column, backlog, selection, carrying, users, hasCurrent, mayChange }: BoardColumnProps) {
  const { progress, items, points } = column
  const [limit, setLimit] = useState(PAGE)
  const element = useRef<HTMLElement>(null)
  useDropZone(
    {
      ...{ element, carrying, mayChange },
      findTarget: () => progress,
      isOwn: (target) => target === progress,
      drop(key) {
        const item = backlog.forest.value?.items.get(key)
        if (item && item.progress !== progress) void backlog.edit(item, { progress })
      },
    },
    [backlog, progress],
  )
  const isTarget = carrying.target.value === progress
  const title = `column-${progress.replace(/\W/g, '-')}`
  const shown = items.filter(({ key }, n) => n < limit || key === selection.current.value)
  return (
    <section ref={element} class={isTarget ? 'column target' : 'column'} aria-labelledby={title}>
      <header>
        <h2 id={title}>
          <ProgressBadge progress={progress} />
        </h2>
        <span class="count">{formatNumber(items.length)}</span>
        <span class="xs muted num">{texts.pointsSum(formatNumber(points))}</span>
      </header>
      <ul>
        {isTarget && carrying.carried.value !== undefined && <li class="slot" aria-hidden="true" />}
        {shown.map((item) => (
          <Card
            key={item.key}
            {...{ item, backlog, selection, users, carrying, mayChange }}
            isTabStop={item.key === selection.current.value || !hasCurrent}
            isSelected={selection.selected.value.has(item.key)}
            isEditing={selection.editing.value === item.key}
            isCarried={carrying.carried.value === item.key}
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
