import { Banner } from '../../parts/banner'
import { BASE } from '../../state/place'
import { listMailWarnings } from './mail-warnings'
import type { Warning } from './mapping'
import { importTexts } from './texts/texts'

/** Says before and after an import that people who want no mail get mail. */
export function MailBanner({ warnings }: { warnings: readonly Warning[] }) {
  const lines = listMailWarnings(importTexts, warnings)
  if (!lines.length) return null
  const { title, hint, remedy } = importTexts.mailWarnings
  return (
    <Banner
      tone="amber"
      icon="warn"
      title={title}
      action={
        <a class="btn small" href={`${BASE}/suppressions`}>
          {remedy}
        </a>
      }
    >
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p>{hint}</p>
    </Banner>
  )
}
