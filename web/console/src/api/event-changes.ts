import { client } from './client'
import type { LoggedEvent } from './events'
import { useQuery } from './queries'

export interface FieldChange {
  field: string
  before: unknown
  after: unknown
}

/** The fields that the event changed, with their former values. */
export function listChanges({ previous, data }: LoggedEvent): FieldChange[] {
  const after = new Map<string, unknown>(Object.entries(data ?? {}))
  return Object.entries(previous ?? {}).map(([field, before]) => ({ field, before, after: after.get(field) }))
}

/** Id of the import run that made the event. */
export const importOf = ({ origin }: LoggedEvent): number | undefined =>
  origin?.via === 'import' ? (origin.id ?? undefined) : undefined

/** Name of the file of the import run. Empty until it is known, and for rows without a file. */
export function useFileOfImport(importId: number | undefined): string {
  const { data } = useQuery<string>({
    queryKey: ['import', importId, 'file'],
    queryFn: async () => (await client.getImport({ importId: importId ?? 0 })).file ?? '',
    enabled: importId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data ?? ''
}
