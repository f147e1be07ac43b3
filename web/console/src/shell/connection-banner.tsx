import { useEffect, useState } from 'preact/hooks'
import { isReachable, isSlowed } from '../api/connection'
import { Banner } from '../parts/banner'
import { texts } from '../texts/texts'

const PATIENCE_MS = 2_000

/** A short fault is not worth a word. */
export function ConnectionBanner() {
  const [isLate, setLate] = useState(false)
  const reachable = isReachable.value
  useEffect(() => {
    if (reachable) return setLate(false)
    const timer = setTimeout(() => setLate(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [reachable])
  return (
    <div role="status">
      {reachable && isSlowed.value && (
        <Banner tone="gray" icon="clock" title={texts.slowed.title}>
          {texts.slowed.hint}
        </Banner>
      )}
      {!reachable && isLate && (
        <Banner tone="gray" icon="offline" title={texts.offline.title}>
          {texts.offline.hint}
        </Banner>
      )}
    </div>
  )
}
