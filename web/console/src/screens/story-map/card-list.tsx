import type { RefObject } from 'preact'
import { Fragment } from 'preact'
import { useDropZone } from '../../parts/drag'
import { MapCard } from './map-card'
import { BESIDE, type Cell, isSameCell, type Spot, type Story } from './map-model'
import type { MapState } from './map-state'
import type { MapView } from './map-view'

export interface MapProps {
  state: MapState
  view: MapView
  /** The only card in the tab order. */
  tabStop: string | undefined
  mayChange: boolean
}

interface CardListProps extends MapProps {
  stories: readonly Story[]
  cell: Cell
}

export function CardList({ stories, cell, state, view, tabStop, mayChange }: CardListProps) {
  const { carried, target } = view.carrying
  const spot = target.value && isSameCell(target.value, cell) ? target.value : undefined
  let place = 0
  return (
    <ul>
      {stories.map((story) => {
        const isCarried = story.externalKey === carried.value
        const takesDrop = !isCarried && spot?.index === place
        if (!isCarried) place++
        return (
          <Fragment key={story.externalKey}>
            {takesDrop && <li class="drop" aria-hidden="true" />}
            <MapCard
              {...{ story, view, isCarried, mayChange }}
              product={state.at.product}
              isPlaced={cell.stepId !== BESIDE}
              isTabStop={story.externalKey === tabStop}
            />
          </Fragment>
        )
      })}
      {spot && spot.index >= place && <li class="drop" aria-hidden="true" />}
    </ul>
  )
}

/** Takes cards that are dragged over the element of the cell. */
export function useCardZone(element: RefObject<HTMLElement | null>, cell: Cell, { state, view, mayChange }: MapProps) {
  const findTarget = (y: number): Spot => {
    const others = [...(element.current?.querySelectorAll<HTMLElement>('.work:not(.carried)') ?? [])]
    const below = others.findIndex((card) => {
      const { top, height } = card.getBoundingClientRect()
      return y < top + height / 2
    })
    return { ...cell, index: below < 0 ? others.length : below }
  }
  useDropZone(
    {
      ...{ element, mayChange, findTarget },
      carrying: view.carrying,
      isOwn: (target) => target !== undefined && isSameCell(target, cell),
      drop: (key, target) => void state.place(key, target),
    },
    [state, cell.stepId, cell.swimlaneId],
  )
}
