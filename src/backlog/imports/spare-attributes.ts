import { type Attributes, MAX_ATTRIBUTE_TEXT } from '../../text/attributes'
import { addFreeAttribute } from '../../workspace/imports/attributes'
import type { CellProblem } from '../../workspace/imports/kind'

const NO_ROOM_REASON = `The value cannot stay as an attribute, because the attribute is taken, or would exceed ${MAX_ATTRIBUTE_TEXT.toLocaleString('en-US')} characters or the attributes of a record.`

/** Attributes of a row that keep names without a record. Only the lookups in SQL tell which names have no record. */
export class SpareAttributes {
  readonly names: Record<string, 1> = {}
  #all: Attributes

  constructor(attributes: Attributes) {
    this.#all = attributes
  }

  /** Whether the row has room for the attribute. */
  reserve(name: string, value: string): boolean {
    const all = addFreeAttribute(this.#all, name, value)
    if (all === this.#all) return false
    this.#all = all
    this.names[name] = 1
    return true
  }

  /** The end of the report on an unknown name. */
  describe(name: string, reason: string): Pick<CellProblem, 'became' | 'reason'> {
    return this.names[name] ? { became: `attributes.${name}`, reason } : { reason: `${reason} ${NO_ROOM_REASON}` }
  }
}
