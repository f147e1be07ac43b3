import { batch, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { type Change, listenToChanges } from '../../api/live'
import { type IdeaPage, type ListedIdea, type ListRequest, readIdea, readIdeas } from './requests'

const PAUSE_MS = 400
/** Rows that the page reads again one by one. */
const MAX_READ_AGAIN = 10

/** Why a row of the list has no idea any more. */
export type Gone = 'removed' | 'merged'

/** The rows of the list. A row never moves by itself: new ideas wait until the person asks for them. */
export function createIdeaList(request: ListRequest) {
  const ideas = signal<readonly ListedIdea[] | undefined>(undefined)
  const total = signal<string | undefined>(undefined)
  const error = signal<unknown>(undefined)
  const isReading = signal(false)
  const arrived = signal(0)
  const failure = signal<{ error: unknown; retry: () => void } | undefined>(undefined)
  const removed = signal<ReadonlyMap<string, Gone>>(new Map())
  const sending = signal<readonly string[]>([])
  const cursor = signal<string | undefined>(undefined)
  const closing = new AbortController()

  const patch = (key: string, change: Partial<ListedIdea>) => {
    ideas.value = ideas.value?.map((idea) => (idea.external_key === key ? { ...idea, ...change } : idea))
  }
  const mark = (keys: readonly string[], gone: Gone | undefined) => {
    const others = [...removed.value].filter(([key]) => !keys.includes(key))
    removed.value = new Map([...others, ...(gone ? keys.map((key) => [key, gone] as const) : [])])
  }
  /** The rows show that their change is on its way. */
  async function sendFor<A>(keys: readonly string[], act: () => Promise<A>): Promise<A> {
    sending.value = [...sending.value, ...keys]
    try {
      return await act()
    } finally {
      const left = [...sending.value]
      for (const key of keys) left.splice(left.indexOf(key), 1)
      sending.value = left
    }
  }
  const holds = (key: string) => ideas.value?.some(({ external_key }) => external_key === key) ?? false

  async function read(from: string | undefined, show: (page: IdeaPage) => void): Promise<void> {
    isReading.value = true
    try {
      const page = await readIdeas(request, from, closing.signal)
      batch(() => {
        error.value = undefined
        show(page)
      })
    } catch (cause) {
      if (!closing.signal.aborted) error.value = cause
    } finally {
      isReading.value = false
    }
  }

  const readFirst = () =>
    read(undefined, (page) => {
      ideas.value = page.ideas
      cursor.value = page.cursor
      total.value = page.total
      arrived.value = 0
      removed.value = new Map()
    })

  async function readMore(): Promise<void> {
    if (!cursor.value || isReading.value || error.value) return
    await read(cursor.value, (page) => {
      ideas.value = [...(ideas.value ?? []), ...page.ideas.filter(({ external_key }) => !holds(external_key))]
      cursor.value = page.cursor
    })
  }

  /** Counts the ideas that the filters would show now, and shows the changes of the rows. */
  async function compareWithService(changed: ReadonlySet<string>): Promise<void> {
    const newest =
      ideas.value
        ?.map(({ created_at }) => created_at)
        .sort()
        .at(-1) ?? ''
    const page = await readIdeas(request, undefined, closing.signal)
    for (const idea of page.ideas) patch(idea.external_key, idea)
    arrived.value = page.ideas.filter((idea) => !holds(idea.external_key) && idea.created_at >= newest).length
    const seen = new Set(page.ideas.map(({ external_key }) => external_key))
    for (const key of [...changed].filter((one) => holds(one) && !seen.has(one)).slice(0, MAX_READ_AGAIN)) {
      const found = await readIdea(key).catch(() => undefined)
      if (found?.record.external_key === key) patch(key, found.record)
      else mark([key], found ? 'merged' : 'removed')
    }
  }

  function follow(): () => void {
    let timer: number | undefined
    let changed = new Set<string>()
    const stop = listenToChanges(({ resource, type, key }: Change) => {
      if (!['feedback', 'vote', 'comment'].includes(resource)) return
      if (type === 'feedback.deleted') {
        changed.delete(key)
        return mark([key], removed.value.get(key) ?? 'removed')
      }
      if (type === 'feedback.restored') mark([key], undefined)
      changed.add(key)
      timer ??= window.setTimeout(() => {
        const keys = changed
        changed = new Set()
        timer = undefined
        void compareWithService(keys).catch(() => undefined)
      }, PAUSE_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
      closing.abort()
    }
  }

  return {
    ...{ ideas, total, error, failure, isReading, arrived, removed, cursor, patch, readFirst, readMore, follow },
    ...{ sending, sendFor },
    markRemoved: (keys: readonly string[], gone: Gone = 'removed') => mark(keys, gone),
    markRestored: (keys: readonly string[]) => mark(keys, undefined),
  }
}

export type IdeaList = ReturnType<typeof createIdeaList>

export function useIdeaList(request: ListRequest): IdeaList {
  const list = useMemo(() => createIdeaList(request), [JSON.stringify(request)])
  useEffect(() => {
    void list.readFirst()
    return list.follow()
  }, [list])
  return list
}
