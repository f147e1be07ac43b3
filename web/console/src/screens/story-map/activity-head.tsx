import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { MapProps } from './card-list'
import type { Activity } from './map-model'
import { AddButton, PartTitle } from './part-buttons'
import { texts } from './texts/texts'

interface ActivityHeadProps extends MapProps {
  activity: Activity
  /** Id of the activity to the right. */
  next: number | undefined
  tone: string | undefined
}

type Edge = 'before' | 'after'

/** A drag takes the activity with its steps to another place. The form of the activity has the same choice. */
export function ActivityHead({ activity, next, tone, ...props }: ActivityHeadProps) {
  const element = useRef<HTMLTableCellElement>(null)
  const [edge, setEdge] = useState<Edge>()
  const [isCarried, setCarried] = useState(false)
  const { id, title, steps } = activity
  const { state, mayChange } = props
  useEffect(() => {
    const head = element.current
    if (!head || !mayChange) return
    const findEdge = (x: number): Edge => {
      const { left, width } = head.getBoundingClientRect()
      return x < left + width / 2 ? 'before' : 'after'
    }
    const stopDrag = draggable({
      element: head,
      getInitialData: () => ({ activityId: id }),
      onDragStart: () => setCarried(true),
      onDrop: () => setCarried(false),
    })
    const stopTarget = dropTargetForElements({
      element: head,
      canDrop: ({ source }) => typeof source.data.activityId === 'number' && source.data.activityId !== id,
      onDrag: ({ location }) => setEdge(findEdge(location.current.input.clientX)),
      onDragLeave: () => setEdge(undefined),
      onDrop({ source, location }) {
        setEdge(undefined)
        const isBefore = findEdge(location.current.input.clientX) === 'before'
        state.moveActivity(Number(source.data.activityId), isBefore ? id : next)
      },
    })
    return () => {
      stopDrag()
      stopTarget()
    }
  }, [state, id, next, mayChange])
  return (
    <th
      ref={element}
      class={isCarried ? 'act carried' : 'act'}
      scope="colgroup"
      colSpan={Math.max(1, steps.length)}
      data-tone={tone}
      data-edge={edge}
    >
      <div class="row">
        <PartTitle {...props} kind="activity" id={id} title={title} />
        {mayChange && <AddButton {...props} part={{ kind: 'step', activityId: id }} label={texts.newStepIn(title)} />}
      </div>
    </th>
  )
}
