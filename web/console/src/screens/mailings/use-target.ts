import { type Mailing, useSegments } from './requests'
import { texts } from './texts/texts'

/** The name of the segment, or the kind of a mailing to other people. */
export function useTarget({ kind, segmentId }: Mailing): string {
  const segments = useSegments()
  if (segmentId === null || kind !== 'segment') return texts.kinds[kind]
  const segment = segments?.find(({ id }) => id === segmentId)
  return segment?.name ?? (segments ? texts.removedSegment : texts.kinds.segment)
}
