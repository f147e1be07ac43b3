import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { signal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'

/** The card that is carried, by pointer or by keyboard, and the place that it would go to. */
export function createCarrying<Target>() {
  const carried = signal<string | undefined>(undefined)
  const target = signal<Target | undefined>(undefined)
  return {
    ...{ carried, target },
    end() {
      carried.value = undefined
      target.value = undefined
    },
  }
}

export type Carrying<Target> = ReturnType<typeof createCarrying<Target>>

interface DraggableOptions<Target> {
  element: RefObject<HTMLElement | null>
  key: string
  carrying: Carrying<Target>
  mayChange: boolean
}

export function useDraggable<Target>({ element, key, carrying, mayChange }: DraggableOptions<Target>): void {
  useEffect(() => {
    if (!element.current || !mayChange) return
    return draggable({
      element: element.current,
      getInitialData: () => ({ key }),
      onDragStart() {
        carrying.carried.value = key
      },
      onDrop: carrying.end,
    })
  }, [key, carrying, mayChange])
}

interface DropZoneOptions<Target> {
  element: RefObject<HTMLElement | null>
  carrying: Carrying<Target>
  mayChange: boolean
  /** The place at a height of the window. */
  findTarget: (y: number) => Target
  /** Says where the card would go. */
  onTarget?: (key: string, target: Target) => void
  /** Whether the place belongs to this zone. */
  isOwn: (target: Target | undefined) => boolean
  drop: (key: string, target: Target) => void
}

/** A part of the page that takes cards. `inputs` change what the callbacks know. */
export function useDropZone<Target>(options: DropZoneOptions<Target>, inputs: readonly unknown[]): void {
  const { element, carrying, mayChange, findTarget, isOwn, drop, onTarget } = options
  useEffect(() => {
    if (!element.current || !mayChange) return
    const show = (target: Target) => {
      if (JSON.stringify(target) === JSON.stringify(carrying.target.value)) return
      carrying.target.value = target
      if (carrying.carried.value !== undefined) onTarget?.(carrying.carried.value, target)
    }
    return dropTargetForElements({
      element: element.current,
      canDrop: ({ source }) => typeof source.data.key === 'string',
      onDrag: ({ location }) => show(findTarget(location.current.input.clientY)),
      onDragEnter: ({ location }) => show(findTarget(location.current.input.clientY)),
      onDragLeave() {
        if (isOwn(carrying.target.value)) carrying.target.value = undefined
      },
      onDrop: ({ source, location }) => drop(String(source.data.key), findTarget(location.current.input.clientY)),
    })
  }, [carrying, mayChange, ...inputs])
}
