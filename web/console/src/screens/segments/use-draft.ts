import { useMemo, useState } from 'preact/hooks'
import type { Segment } from './requests'
import { areComplete, type DraftRules, newCondition, toDraft, toRules } from './rules'
import { texts } from './texts/texts'

export interface Draft {
  type: Segment['type']
  name: string
  description: string
  doubleOptIn: boolean
  rules: DraftRules
}

const FIRST_ATTRIBUTE = 'createdAt'

const createDraft = (type: Segment['type']): Draft => ({
  ...{ type, name: '', description: '', doubleOptIn: false },
  rules: { match: 'all', conditions: [newCondition(FIRST_ATTRIBUTE)] },
})

const fromSegment = ({ type, name, description, doubleOptIn, rules }: Segment): Draft => ({
  ...{ type, name, description: description ?? '', doubleOptIn, rules: toDraft(rules) },
})

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Only what the person has changed. */
function findChanges(draft: Draft, stored: Segment): Partial<Segment> {
  const before = fromSegment(stored)
  const rules = toRules(draft.rules)
  return {
    ...(draft.name.trim() !== before.name && { name: draft.name.trim() }),
    ...(draft.description.trim() !== before.description && { description: draft.description.trim() || null }),
    ...(draft.doubleOptIn !== before.doubleOptIn && { doubleOptIn: draft.doubleOptIn }),
    ...(draft.type === 'dynamic' && !isSame(rules, toRules(before.rules)) && { rules }),
  }
}

function findReason({ name, type, rules }: Draft): string | undefined {
  if (!name.trim()) return texts.needsName
  return type === 'manual' || areComplete(rules) ? undefined : texts.needsRules
}

/** What a person edits lies above what is stored, until the person saves. */
export function useDraft(stored: Segment | undefined, firstType: Segment['type'] = 'dynamic') {
  const below = useMemo(() => (stored ? fromSegment(stored) : createDraft(firstType)), [stored])
  const [edit, setEdit] = useState<{ base: Segment | undefined; fields: Partial<Draft> }>()
  const draft = { ...below, ...edit?.fields }
  const base = edit?.base ?? stored
  const reason = findReason(draft)
  const changes = base ? findChanges(draft, base) : undefined
  return {
    ...{ draft, changes },
    /** The segment as it was when the person began. */
    base,
    isDirty: changes === undefined || Object.keys(changes).length > 0,
    isReady: reason === undefined,
    /** Why the segment cannot be saved. */
    reason,
    change: (fields: Partial<Draft>) =>
      setEdit((before) => ({ base: before?.base ?? stored, fields: { ...before?.fields, ...fields } })),
    discard: () => setEdit(undefined),
  }
}

export type SegmentDraft = ReturnType<typeof useDraft>
