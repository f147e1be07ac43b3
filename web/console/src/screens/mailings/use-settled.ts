import { useEffect, useState } from 'preact/hooks'

const PAUSE_MS = 400

/** The value after a pause of the person who types. The first value counts at once. */
export function useSettled<Value>(value: Value): Value {
  const [settled, settle] = useState(value)
  const text = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
