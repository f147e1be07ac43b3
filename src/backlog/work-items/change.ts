import { sanitize } from '../../text/html'
import { iso } from '../../text/moments'
import { storable } from './fields'

interface Body {
  description?: string | null | undefined
  startDate?: number | null | undefined
  endDate?: number | null | undefined
}

/** A checked body in the two forms that a write needs: as it is stored, and as its event tells it. */
export async function prepare<B extends Body>(body: B): Promise<{ fields: Record<string, unknown>; data: object }> {
  const clean: B = body.description ? { ...body, description: await sanitize(body.description, '/description') } : body
  const { startDate, endDate } = body
  const data = {
    ...clean,
    ...(startDate !== undefined && { startDate: iso(startDate) }),
    ...(endDate !== undefined && { endDate: iso(endDate) }),
  }
  return { fields: storable(clean), data }
}
