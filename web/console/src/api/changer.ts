import type { Operations } from 'groundwork-client'
import { client } from './client'
import { useQuery } from './queries'

type ChangeEvent = Operations['listEvents']['data'][number]

const MAX_CHANGES = 10

interface ChangedRecord {
  /** Absent for a record of all products. */
  product?: string | undefined
  key: string
}

/** Who changed one of the fields last. `updatedAt` is the time of the change. */
export function useChanger({ product, key }: ChangedRecord, fields: readonly string[], updatedAt: string) {
  const { data } = useQuery<ChangeEvent[]>({
    queryKey: ['history', key, 'changes', updatedAt],
    queryFn: () => client.listEvents({ ...(product && { product }), key, order: 'newest', limit: MAX_CHANGES }),
  })
  return data?.find(({ previous }) => fields.some((field) => previous && field in previous))?.actor
}
