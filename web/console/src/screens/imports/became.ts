import { texts } from '../../texts/texts'
import { nameOfValue } from './field-name'
import type { Warning } from './mapping'
import { importTexts } from './texts/texts'

const ATTRIBUTE = 'attributes.'

/** What a value became, in words. */
export function describeBecame({ became }: Warning): string {
  if (became === null) return texts.imports.leftOut
  return became.startsWith(ATTRIBUTE) ? importTexts.attributeKept(became.slice(ATTRIBUTE.length)) : nameOfValue(became)
}
