import { useState } from 'preact/hooks'
import { FormDialog } from '../../parts/form-dialog'
import type { Version, VersionFields } from './requests'
import { texts } from './texts/texts'

interface VersionDialogProps {
  title: string
  action: string
  /** Absent for a new version. */
  version?: Version
  /** `base` is what the person began with. */
  onSave: (fields: VersionFields, base: Version | undefined) => Promise<void>
  onClose: () => void
}

const toMoment = (day: string): string | null => (day ? new Date(day).toISOString() : null)
const toDay = (moment: string | null | undefined): string => moment?.slice(0, 10) ?? ''

const toFields = (form: FormData): VersionFields => ({
  name: String(form.get('name')).trim(),
  startDate: toMoment(String(form.get('startDate'))),
  releaseDate: toMoment(String(form.get('releaseDate'))),
})

/** Only what the person has changed. A time of another system stays while its day stays. */
function pickChanges(fields: VersionFields, version: Version | undefined): VersionFields {
  if (!version) return fields
  const isSame = (name: keyof VersionFields) =>
    name === 'name' ? fields.name === version.name : toDay(fields[name]) === toDay(version[name])
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => !isSame(name as keyof VersionFields)),
  ) as VersionFields
}

export function VersionDialog({ title, action, version: current, onSave, onClose }: VersionDialogProps) {
  // A change by somebody else must not look like a change by this person.
  const [version] = useState(current)
  return (
    <FormDialog
      title={title}
      action={action}
      failed={texts.notSaved}
      onClose={onClose}
      onSubmit={async (form) => {
        const fields = pickChanges(toFields(form), version)
        if (Object.keys(fields).length) await onSave(fields, version)
      }}
    >
      <label class="field">
        <span class="label">{texts.fields.name}</span>
        <input
          class="input"
          name="name"
          required
          pattern=".*\S.*"
          maxLength={255}
          defaultValue={version?.name}
          autofocus
        />
      </label>
      <label class="field">
        <span class="label">{texts.fields.startDate}</span>
        <input class="input" name="startDate" type="date" defaultValue={toDay(version?.startDate)} />
      </label>
      <label class="field">
        <span class="label">{texts.fields.releaseDate}</span>
        <input class="input" name="releaseDate" type="date" defaultValue={toDay(version?.releaseDate)} />
      </label>
    </FormDialog>
  )
}
