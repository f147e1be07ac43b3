import type { ComponentChildren, RefObject } from 'preact'
import { CountCard } from './count-card'
import { MembersCard } from './members-card'
import { PropertiesCard, PropertiesText } from './properties-card'
import { type Segment, useKnownPeople } from './requests'
import { areComplete, describeRules, toRules } from './rules'
import { RulesCard, RulesText } from './rules-card'
import { SampleCard } from './sample-card'
import { texts } from './texts/texts'
import type { SegmentDraft } from './use-draft'
import { usePreview } from './use-preview'
import { UsedBy } from './used-by'

interface SegmentPageProps {
  edit: SegmentDraft
  may: boolean
  /** Whether the person may read mailings. */
  seesMail?: boolean
  main: RefObject<HTMLElement | null>
  /** Absent for a new segment. */
  stored?: Segment
  /** Why the segment was not saved. */
  error: unknown
  notices: ComponentChildren
}

export function SegmentPage({ edit, may, seesMail = false, main, stored, error, notices }: SegmentPageProps) {
  const { type, rules } = edit.draft
  const isDynamic = type === 'dynamic'
  const isComplete = areComplete(rules)
  const { data: people } = useKnownPeople()
  const live = usePreview(isDynamic && isComplete ? toRules(rules) : undefined)
  return (
    <main id="main" ref={main} tabIndex={-1} class="padded">
      <div class="segment-page">
        <div class="stack loose">
          {notices}
          {isDynamic && may && (
            <RulesCard
              rules={rules}
              people={people}
              error={live.error ?? error}
              unsetCounts={live.isCounting || !isComplete ? [] : (live.counted?.preview.unsetCounts ?? [])}
              onChange={(changed) => edit.change({ rules: changed })}
            />
          )}
          {isDynamic && !may && <RulesText text={describeRules(stored?.rules ?? null)} />}
          {isDynamic && (
            <SampleCard
              rules={rules}
              preview={live.counted?.preview}
              isCounting={live.isCounting}
              segmentId={edit.changes?.rules ? undefined : stored?.id}
            />
          )}
          {!isDynamic && stored && <MembersCard segment={stored} may={may} main={main} />}
          {!isDynamic && !stored && <p class="card pad muted">{texts.addLater}</p>}
        </div>
        <aside class="stack" aria-label={texts.properties}>
          {isDynamic && <CountCard live={live} total={people?.total} isComplete={isComplete} />}
          {may ? <PropertiesCard edit={edit} isNew={!stored} /> : <PropertiesText edit={edit} />}
          {stored && seesMail && <UsedBy segmentId={stored.id} />}
        </aside>
      </div>
    </main>
  )
}
