import { type DefaultError, QueryClient, QueryObserver, type QueryObserverOptions } from '@tanstack/query-core'
import { useEffect, useMemo, useReducer } from 'preact/hooks'

const FRESH_MS = 30_000

/** The client waits for the network itself. */
export const queries = new QueryClient({
  defaultOptions: { queries: { staleTime: FRESH_MS, retry: false, networkMode: 'always' } },
})

/** The result of a query, which renders the component again when it changes. */
export function useQuery<Data>(options: QueryObserverOptions<Data>) {
  const [, render] = useReducer((n: number) => n + 1, 0)
  const observer = useMemo(() => new QueryObserver<Data>(queries, options), [])
  useEffect(() => observer.subscribe(() => render(undefined)), [observer])
  const full = queries.defaultQueryOptions<Data, DefaultError, Data, Data>(options as never)
  useEffect(() => observer.setOptions(options), [options])
  return observer.getOptimisticResult(full as never)
}
