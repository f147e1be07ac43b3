import { GroundworkError } from 'groundwork-client'
import { useRef, useState } from 'preact/hooks'

/** A record with the version that the service knows it by. */
export interface Versioned<R> {
  record: R
  etag: string
}

/** Somebody else has changed the same fields. */
export interface Conflict<R> {
  fields: readonly (keyof R)[]
  mine: Partial<R>
  theirs: R
  keepMine: () => void
  takeTheirs: () => void
}

export interface ChangeOptions<R> {
  current: Versioned<R> | undefined
  /** Sends the change with `If-Match`. */
  send: (change: Partial<R>, etag: string) => Promise<Versioned<R>>
  /** Reads the record again. */
  read: () => Promise<Versioned<R>>
  /** Shows what the service has stored. */
  accept: (stored: Versioned<R>) => void
}

const MAX_ATTEMPTS = 5
const CHANGED_STATUS = 412

export const differs = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other)

/** The fields of a form that differ from the record that the form began with. */
export const findChanges = <R extends object>(fields: R, base: { [Name in keyof R]?: unknown }): Partial<R> =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => differs(value, base[name as keyof R])),
  ) as Partial<R>

/** Fields of the change that somebody else has changed in another way. */
export const findCollisions = <R extends object>(change: Partial<R>, base: R, theirs: R): (keyof R)[] =>
  (Object.keys(change) as (keyof R)[]).filter(
    (field) => differs(base[field], theirs[field]) && differs(change[field], theirs[field]),
  )

/**
 * Shows a change at once and sends it. A change of other fields by somebody else merges without a question; a change of
 * the same fields becomes a conflict, and a failure brings the former values back.
 */
export function useChange<R extends object>(options: ChangeOptions<R>) {
  const [overlay, setOverlay] = useState<Partial<R>>({})
  const [conflict, setConflict] = useState<Conflict<R>>()
  const [failure, setFailure] = useState<{ error: unknown; retry: () => void }>()
  // The page shows a stored record a moment after it is accepted.
  const accepted = useRef<{ stored: Versioned<R>; over: Versioned<R> | undefined } | undefined>(undefined)
  const rendered = useRef(options.current)
  rendered.current = options.current
  const isBehind = accepted.current !== undefined && accepted.current.over === options.current
  const current = isBehind ? accepted.current?.stored : options.current
  const latest = useRef(options)
  latest.current = { ...options, current }
  const queue = useRef(Promise.resolve())

  /** A later change of the same field stays, because it is on its way. */
  const uncover = (change: Partial<R>) =>
    setOverlay(
      (covered) =>
        Object.fromEntries(
          Object.entries(covered).filter(([name, value]) => change[name as keyof R] !== value),
        ) as Partial<R>,
    )

  /** The next change of the queue does not wait for the page. */
  function accept(stored: Versioned<R>): void {
    accepted.current = { stored, over: rendered.current }
    latest.current = { ...latest.current, current: stored }
    latest.current.accept(stored)
  }

  async function store(change: Partial<R>, base: R): Promise<void> {
    let known = latest.current.current
    for (let attempt = 0; known && attempt < MAX_ATTEMPTS; attempt++) {
      const fields = findCollisions(change, base, known.record)
      if (fields.length) return ask(fields, change, known.record)
      try {
        return accept(await latest.current.send(change, known.etag))
      } catch (error) {
        if (!(error instanceof GroundworkError) || error.status !== CHANGED_STATUS) throw error
        known = await latest.current.read()
        accept(known)
      }
    }
  }

  function ask(fields: (keyof R)[], mine: Partial<R>, theirs: R): void {
    const close = () => setConflict(undefined)
    setConflict({
      ...{ fields, mine, theirs, takeTheirs: close },
      keepMine() {
        close()
        save(mine, theirs)
      },
    })
  }

  /** `base` is the record as it was when the person began. */
  function save(change: Partial<R>, base?: R): void {
    const from = base ?? latest.current.current?.record
    if (!from) return
    setFailure(undefined)
    setOverlay((covered) => ({ ...covered, ...change }))
    queue.current = queue.current
      .then(() => store(change, from))
      .catch((error: unknown) => setFailure({ error, retry: () => save(change, base) }))
      .then(() => uncover(change))
  }

  const shown = current && { ...current.record, ...overlay }
  return { shown, save, conflict, failure, isSaving: Object.keys(overlay).length > 0 }
}
