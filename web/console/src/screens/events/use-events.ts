import { useEffect, useRef, useState } from 'preact/hooks'
import { listenToChanges } from '../../api/live'
import type { Filters } from './place'
import { type EventPage, readEvents } from './requests'

const EMPTY: EventPage = { events: [], next: undefined }

const mayMatch = ({ type: pattern, key }: Filters, type: string, changed: string): boolean =>
  (!pattern || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)))) &&
  (!key || key === changed)

/** Pages of the log, newest first. New events wait until the person asks for them. */
export function useEvents(filters: Filters) {
  const [page, setPage] = useState<EventPage>()
  const [error, setError] = useState<unknown>()
  const [isReading, setReading] = useState(true)
  const [newCount, setNewCount] = useState(0)
  const latest = useRef(filters)
  latest.current = filters
  async function read(before?: number): Promise<void> {
    setReading(true)
    setError(undefined)
    try {
      const { events, next } = await readEvents(filters, before)
      if (latest.current !== filters) return
      setPage((shown = EMPTY) => ({ events: before ? [...shown.events, ...events] : events, next }))
      if (!before) setNewCount(0)
    } catch (cause) {
      if (latest.current === filters) setError(cause)
    } finally {
      if (latest.current === filters) setReading(false)
    }
  }
  useEffect(() => {
    setPage(undefined)
    void read()
    return listenToChanges(({ type, key }) => {
      if (mayMatch(filters, type, key)) setNewCount((count) => count + 1)
    })
  }, [filters])
  return { page, error, isReading, newCount, read }
}
