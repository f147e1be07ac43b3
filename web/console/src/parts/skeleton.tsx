import { useEffect, useState } from 'preact/hooks'

const PATIENCE_MS = 300

/** Lines in the place of the content, if the content takes longer than a moment. */
export function Skeleton({ lines = 4 }: { lines?: number }) {
  const [isShown, show] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => show(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!isShown) return null
  return (
    <div class="stack" aria-hidden="true">
      {Array.from({ length: lines }, (_, n) => (
        <div key={n} class={`skeleton s${(n % 3) + 1}`} />
      ))}
    </div>
  )
}
