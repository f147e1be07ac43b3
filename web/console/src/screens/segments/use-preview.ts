import { useEffect, useState } from 'preact/hooks'
import { client } from '../../api/client'
import type { Preview } from './requests'
import type { Rules } from './rules'

/** The service counts 60 previews a minute. */
const PAUSE_MS = 500

export interface Counted {
  preview: Preview
  /** How many more people match than before the last change. */
  difference: number
  /** The rules that were counted, as JSON. */
  rules: string
}

/** Counts the people who match, when the rules rest. Undefined rules are not complete yet. */
export function usePreview(rules: Rules | undefined) {
  const [counted, setCounted] = useState<Counted>()
  const [error, setError] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)
  const text = rules && JSON.stringify(rules)
  useEffect(() => {
    setError(undefined)
    if (!rules || !text) return
    const controller = new AbortController()
    const count = async () => {
      try {
        const preview = await client.previewSegment({ body: { rules } }, { signal: controller.signal })
        setCounted((before) => ({
          ...{ preview, rules: text },
          difference: before && before.rules !== text ? preview.userCount - before.preview.userCount : 0,
        }))
      } catch (cause) {
        if (!controller.signal.aborted) setError(cause)
      }
    }
    const timer = setTimeout(() => void count(), attempt === 0 && !counted ? 0 : PAUSE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [text, attempt])
  return {
    counted,
    error,
    isCounting: text !== undefined && error === undefined && counted?.rules !== text,
    retry: () => setAttempt(attempt + 1),
  }
}

export type LiveCount = ReturnType<typeof usePreview>
