import { useState } from 'preact/hooks'
import type { Conflict } from '../api/change'
import { type ChangedRecord, useChangerName } from '../api/changer'
import { texts } from '../texts/texts'
import { Banner } from './banner'

interface ConflictBannerProps<R> {
  conflict: Conflict<R>
  /** How the page shows a value of a field. */
  show: (field: keyof R, value: R[keyof R]) => string
  name: (field: keyof R) => string
  /** The record, whose last change names the other person. */
  record?: ChangedRecord | undefined
}

/** The way out of a change that somebody else has overtaken. What the person typed stays until the choice. */
export function ConflictBanner<R>({ conflict, show, name, record }: ConflictBannerProps<R>) {
  const [isComparing, compare] = useState(false)
  const { fields, mine, theirs, keepMine, takeTheirs } = conflict
  const by = useChangerName(record, fields.map(String))
  return (
    <Banner
      tone="amber"
      icon="warn"
      title={texts.conflict.title(fields.map(name).join(', '), by)}
      isAlert
      action={
        <div class="row wrap">
          <button class="btn small" type="button" aria-expanded={isComparing} onClick={() => compare(!isComparing)}>
            {texts.conflict.compare}
          </button>
          <button class="btn small ghost" type="button" onClick={keepMine}>
            {texts.conflict.keepMine}
          </button>
          <button class="btn small ghost" type="button" onClick={takeTheirs}>
            {texts.conflict.takeTheirs(by)}
          </button>
        </div>
      }
    >
      <p>{texts.conflict.hint}</p>
      {isComparing &&
        fields.map((field) => (
          <dl key={String(field)} class="compare">
            <dt>{texts.conflict.mine}</dt>
            <dd>{show(field, mine[field] as R[keyof R])}</dd>
            <dt>{by ?? texts.conflict.theirs}</dt>
            <dd>{show(field, theirs[field])}</dd>
          </dl>
        ))}
    </Banner>
  )
}
