import { GroundworkError } from 'groundwork-client'
import type { ComponentChildren } from 'preact'
import { Failure } from './failure'
import { Skeleton } from './skeleton'

interface LoadedProps<Data> {
  query: { data: Data | undefined; error: unknown; refetch: () => unknown }
  /** What a failed read says. */
  failed: string
  children: (data: Data) => ComponentChildren
}

const MISSING_STATUS = 404

/** Lines while the first read lasts. A failure of a later read keeps the data, unless the record is gone. */
export function Loaded<Data>({ query: { data, error, refetch }, failed, children }: LoadedProps<Data>) {
  const isMissing = error instanceof GroundworkError && error.status === MISSING_STATUS
  if (data !== undefined && !isMissing) return <>{children(data)}</>
  if (error) return <Failure title={failed} error={error} onRetry={() => void refetch()} />
  return <Skeleton lines={6} />
}
