import type { Values } from './statement'

export const ORIGINS = ['api', 'import', 'incoming_webhook', 'queue', 'cron', 'mcp', 'portal'] as const

/** The cause of a write. An import run and an incoming webhook have an id. */
export interface Origin {
  via: (typeof ORIGINS)[number]
  id: number | null
}

export interface RequestOrigin extends Origin {
  /** Number of webhooks in the chain up to the request. */
  hops: number
  /** Whether the changes of the request mail nobody. */
  isSilent?: boolean
}

export const API_ORIGIN: Origin = { via: 'api', id: null }

/** `api`, or `import:17`. */
export const formatOrigin = ({ via, id }: Origin): string => (id === null ? via : `${via}:${id}`)

/** A run that the batch itself inserts has no id yet. */
export type ImportRunName = { importId: number } | { reference: string }

export function bindOrigin(origin: RequestOrigin | Origin | null, importRun?: ImportRunName): Values {
  const isKnownRun = importRun && 'importId' in importRun
  const cause = isKnownRun ? ({ via: 'import', id: importRun.importId } as const) : origin
  return {
    '@origin': cause && formatOrigin(cause),
    '@importRun': importRun && 'reference' in importRun ? importRun.reference : null,
    '@hops': origin && 'hops' in origin ? origin.hops : null,
  }
}

/** Null for an event from before release 0.3.0, and for an origin of a later release. */
export function parseOrigin(stored: string | null): Origin | null {
  const [name, id] = stored?.split(':') ?? []
  const via = ORIGINS.find((one) => one === name)
  return via ? { via, id: id === undefined ? null : Number(id) } : null
}
