export interface WidgetPortal {
  name: string
  accent: string
}

export interface WidgetIdea {
  key: string
  title: string
  votes: number
}

export interface WidgetEntry {
  key: string
  title: string
  publishedAt: string
}

const MAX_SHOWN_RECORDS = 8

/** Reads what everybody may read, without cookies. */
async function readData<T>(address: string): Promise<T> {
  const response = await fetch(address, { credentials: 'omit' })
  if (!response.ok) throw new Error(String(response.status))
  return (await response.json()).data
}

export async function readWidgetData(origin: string, slug: string) {
  const address = `${origin}/api/v2/portal/${encodeURIComponent(slug)}`
  const [portal, { ideas }, { entries }] = await Promise.all([
    readData<WidgetPortal>(address),
    readData<{ ideas: WidgetIdea[] }>(`${address}/ideas?sort=trending&limit=${MAX_SHOWN_RECORDS}`),
    // Without a changelog there are no entries.
    readData<{ entries: WidgetEntry[] }>(`${address}/changelog?limit=${MAX_SHOWN_RECORDS}`),
  ])
  return { portal, ideas, entries }
}
