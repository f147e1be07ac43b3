import {
  type DefaultError,
  QueryClient,
  type QueryKey,
  QueryObserver,
  type QueryObserverOptions,
} from '@tanstack/query-core'
import { useEffect, useMemo, useReducer } from 'preact/hooks'

const FRESH_MS = 30_000

/** The client waits for the network itself. */
export const queries = new QueryClient({
  defaultOptions: { queries: { staleTime: FRESH_MS, retry: false, networkMode: 'always' } },
})

/** Shows what the service has stored. A running read may bring the former record back, so it begins again. */
export function showStored<Stored>(queryKey: QueryKey, stored: Stored): void {
  const isReading = queries.isFetching({ queryKey, exact: true }) > 0
  if (isReading) void queries.cancelQueries({ queryKey, exact: true })
  queries.setQueryData(queryKey, stored)
  if (isReading) void queries.invalidateQueries({ queryKey, exact: true })
}

/** The result of a query, which renders the component again when it changes. */
export function useQuery<Data>(options: QueryObserverOptions<Data>) {
  const [, render] = useReducer((n: number) => n + 1, 0)
  const observer = useMemo(() => new QueryObserver<Data>(queries, options), [])
  useEffect(() => observer.subscribe(() => render(undefined)), [observer])
  const full = queries.defaultQueryOptions<Data, DefaultError, Data, Data>(options as never)
  useEffect(() => observer.setOptions(options), [options])
  return observer.getOptimisticResult(full as never)
}
