import { toOneLine } from '../../text/attributes'
import type { CellProblemReporter } from '../../workspace/imports/kind'
import { parseJsonCell } from '../../workspace/imports/row-values'
import { MAX_SEGMENT_NAME_CHARACTERS } from '../segments/schema'

const MAX_SEGMENTS_PER_PERSON = 1_000
const UNKNOWN_SEGMENT_REASON =
  'No manual segment has this name. Create the segment first, or let the import create missing segments.'

/** A JSON array of names. The names of dynamic segments select no person, because their rules do. */
export function readSegmentNames(text: string, report: CellProblemReporter): string[] {
  const wrong = (value: string | null, reason: string) => report({ field: 'segments', value, reason })
  const list = parseJsonCell(text)
  if (!Array.isArray(list)) {
    wrong(text, 'Must be a JSON array of the names of segments.')
    return []
  }
  const names = new Set<string>()
  for (const one of list) {
    const name = typeof one === 'string' ? toOneLine(one) : ''
    if (name === '') wrong(JSON.stringify(one), 'Must be the name of a segment.')
    else if (names.has(name)) continue
    else if (names.size >= MAX_SEGMENTS_PER_PERSON) {
      wrong(null, `You can import at most ${MAX_SEGMENTS_PER_PERSON} segments per person.`)
      break
    } else {
      names.add(name)
      const isCreatable = name.length <= MAX_SEGMENT_NAME_CHARACTERS
      const lookup = { in: 'segments', key: name, isCreatable, otherwise: 'segmentNames' } as const
      report({ field: 'segments', value: name, reason: UNKNOWN_SEGMENT_REASON, lookup })
    }
  }
  return [...names]
}
