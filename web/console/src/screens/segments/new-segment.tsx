import { useEffect, useState } from 'preact/hooks'
import { client } from '../../api/client'
import { Failure } from '../../parts/failure'
import { Bar } from '../../shell/bar'
import { goTo } from '../../state/place'
import { showCreated } from '../../state/toast'
import type { ScreenProps } from '../screens'
import { NAME_FIELD } from './properties-card'
import { type NewSegment as Body, readAgain } from './requests'
import { toRules } from './rules'
import { SaveActions } from './save-actions'
import { SegmentPage } from './segment-page'
import { CRUMB, texts } from './texts/texts'
import { type Draft, useDraft } from './use-draft'

const toBody = ({ type, name, description, doubleOptIn, rules }: Draft): Body => ({
  ...{ type, name: name.trim() },
  ...(description.trim() && { description: description.trim() }),
  ...(type === 'dynamic' ? { rules: toRules(rules) } : { doubleOptIn }),
})

export function NewSegment({ main }: ScreenProps) {
  const edit = useDraft(undefined)
  const [error, setError] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  // The shell gives the focus to the page first.
  useEffect(() => {
    const frame = requestAnimationFrame(() => document.getElementById(NAME_FIELD)?.focus())
    return () => cancelAnimationFrame(frame)
  }, [])
  const create = async () => {
    if (!edit.isReady || isSaving) return
    setSaving(true)
    setError(undefined)
    try {
      const { id, name } = await client.createSegment({ body: toBody(edit.draft) })
      void readAgain()
      goTo(`/segments/${id}`, { replaces: true })
      showCreated(name, `/segments/${id}`)
    } catch (cause) {
      setError(cause)
      setSaving(false)
    }
  }
  return (
    <>
      <Bar title={texts.create} crumb={CRUMB}>
        <SaveActions
          action={texts.createSegment}
          isDirty
          reason={edit.reason}
          isSaving={isSaving}
          onSave={() => void create()}
        />
      </Bar>
      <SegmentPage
        {...{ edit, main, error }}
        may
        notices={error !== undefined && <Failure title={texts.notCreated} error={error} />}
      />
    </>
  )
}
