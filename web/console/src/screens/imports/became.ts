import { texts } from '../../texts/texts'
import type { Warning } from './mapping'

const ATTRIBUTE = 'attributes.'

/** What a value became, in words. */
export function describeBecame({ became }: Warning): string {
  if (became === null) return texts.imports.leftOut
  return became.startsWith(ATTRIBUTE) ? texts.imports.attributeOf(became.slice(ATTRIBUTE.length)) : became
}
