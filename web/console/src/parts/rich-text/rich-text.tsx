import type { ComponentProps, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Skeleton } from '../skeleton'
import type EditorPart from './editor'

type EditorProps = ComponentProps<typeof EditorPart>

/** The editor loads when somebody edits. `onMissing` runs if the editor does not load. */
export function RichText({ onMissing, ...props }: EditorProps & { onMissing: () => void }) {
  const [Part, setPart] = useState<ComponentType<EditorProps>>()
  useEffect(() => {
    import('./editor').then(({ default: part }) => setPart(() => part)).catch(onMissing)
  }, [])
  return Part ? <Part {...props} /> : <Skeleton lines={4} />
}
