import { useEffect, useRef, useState } from 'preact/hooks'
import { type ChangeOptions, differs, findChanges, useChange, type Versioned } from './change'

/** A form: what the person typed stays until the service has stored it, and only changed fields are sent. */
export function useDraft<R extends object>(options: ChangeOptions<R>) {
  const [typed, setTyped] = useState<Partial<R>>({})
  // The record when the person began.
  const base = useRef<R | undefined>(undefined)
  const discard = () => {
    setTyped({})
    base.current = undefined
  }
  // The sent fields, until the page has the stored record: else it would show the former values for a moment.
  const sent = useRef<{ fields: Partial<R>; before: Versioned<R> | undefined } | undefined>(undefined)
  const { save, conflict, failure, isSaving } = useChange<R>({
    ...options,
    async send(change, etag) {
      const stored = await options.send(change, etag)
      sent.current = { fields: change, before: options.current }
      return stored
    },
  })
  useEffect(() => {
    if (!sent.current || options.current === sent.current.before) return
    const { fields } = sent.current
    sent.current = undefined
    base.current = undefined
    setTyped(
      (before) =>
        Object.fromEntries(
          Object.entries(before).filter(([name, value]) => differs(fields[name as keyof R], value)),
        ) as Partial<R>,
    )
  })
  const stored = options.current?.record
  const changes: Partial<R> = stored ? findChanges<Partial<R>>(typed, stored) : {}
  return {
    value: stored && { ...stored, ...typed },
    edit(more: Partial<R>) {
      base.current ??= stored
      setTyped((before) => ({ ...before, ...more }))
    },
    submit: () => save(changes, base.current),
    discard,
    isChanged: Object.keys(changes).length > 0,
    isSaving,
    failure,
    conflict: conflict && {
      ...conflict,
      takeTheirs() {
        discard()
        conflict.takeTheirs()
      },
    },
  }
}
