import { signal } from '@preact/signals'
import { createCarrying } from '../../parts/drag'
import type { BoardSegment, Cast, ListedPersona } from './requests'

/** The column that a carried card would go to. */
export interface BoardPlace {
  segmentId: number | null
}

export interface Column {
  /** Null for the personas that are in no segment. */
  segmentId: number | null
  segment: BoardSegment | undefined
  personas: readonly ListedPersona[]
}

/** A column for each segment in their order, then the personas without a segment. */
export function listColumns({ segments }: Cast, personas: readonly ListedPersona[]): Column[] {
  const isKnown = (id: number | null) => segments.some((segment) => segment.id === id)
  return [
    ...segments.map((segment) => ({
      ...{ segmentId: segment.id, segment },
      personas: personas.filter(({ boardSegmentId }) => boardSegmentId === segment.id),
    })),
    {
      ...{ segmentId: null, segment: undefined },
      personas: personas.filter(({ boardSegmentId }) => !isKnown(boardSegmentId)),
    },
  ]
}

/** What the person points at, carries or edits. Lives as long as the screen. */
export function createBoardView() {
  const current = signal<string | undefined>(undefined)
  const movedCard = signal<string | undefined>(undefined)
  const editedSegment = signal<number | 'new' | undefined>(undefined)
  const spoken = signal('')
  /** Counts the moves of the focus by keyboard. */
  const focusAsked = signal(0)
  return {
    ...{ current, movedCard, editedSegment, spoken, focusAsked, carrying: createCarrying<BoardPlace>() },
    focusOn(key: string | undefined) {
      current.value = key
      focusAsked.value++
    },
  }
}

export type BoardView = ReturnType<typeof createBoardView>

export const idOfCard = (key: string | undefined): string => `card-${key}`
