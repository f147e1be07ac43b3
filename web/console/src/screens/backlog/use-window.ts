import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/** Rows beyond each edge of the view. */
const OVERSCAN = 8
/** The window moves in steps, so that most frames of a scroll render nothing. */
const STEP = 4

interface Window {
  start: number
  end: number
}

/** The rows of a long list that are in view. `height` is the height of each row in pixels. */
export function useWindow(scroller: RefObject<HTMLElement | null>, count: number, height: number): Window {
  const [range, setRange] = useState<Window>({ start: 0, end: Math.min(count, 60) })
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => {
      const first = Math.floor(element.scrollTop / height / STEP) * STEP - OVERSCAN
      const last = Math.ceil((element.scrollTop + element.clientHeight) / height / STEP) * STEP + OVERSCAN
      const start = Math.max(0, Math.min(first, count - 1))
      const end = Math.min(count, Math.max(last, start + 1))
      setRange((before) => (before.start === start && before.end === end ? before : { start, end }))
    }
    measure()
    element.addEventListener('scroll', measure, { passive: true })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', measure)
      observer.disconnect()
    }
  }, [count, height])
  return range
}
