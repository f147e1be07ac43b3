import type { Random } from '../../random.ts'

export type PathValue = string | number
export type Parameters = Record<string, PathValue>

/** A record that the walk has seen: the parameters of its path, and the last answer with the record. */
export interface Place {
  parameters: Parameters
  data: Record<string, unknown>
}

const ITEMS = ['epic_external_key', 'feature_external_key', 'card_external_key']
/** Parameters that name records of other parameters. */
const KINDS: Record<string, readonly string[]> = {
  item_external_key: ITEMS,
  map_card_external_key: ['card_external_key'],
}

const isWithin = ({ parameters }: Place, scope: Parameters) =>
  Object.entries(scope).every(([name, value]) => !(name in parameters) || parameters[name] === value)

/** The records of the walk by path parameter. */
export class Places {
  readonly #random: Random
  readonly #places = new Map<string, Map<string, Place>>()
  readonly #removed = new Map<string, Map<string, Place>>()

  constructor(random: Random) {
    this.#random = random
  }

  add(kind: string, parameters: Parameters, data: Record<string, unknown>): void {
    const own = String(parameters[kind])
    if (this.#of(this.#removed, kind).has(own)) return
    const known = this.#of(this.#places, kind)
    known.set(own, { parameters, data: { ...known.get(own)?.data, ...data } })
  }

  count(kind: string): number {
    return this.#of(this.#places, kind).size
  }

  pick(kind: string, scope: Parameters = {}, { removed = false } = {}): Place | undefined {
    const from = removed ? this.#removed : this.#places
    const fitting = (KINDS[kind] ?? [kind]).flatMap((one) =>
      [...this.#of(from, one).values()].flatMap((place) => {
        const value = place.parameters[one]
        return value !== undefined && isWithin(place, scope)
          ? [{ ...place, parameters: { ...place.parameters, [kind]: value } }]
          : []
      }),
    )
    // Newer records have more content, and their neighbors stand.
    return fitting.length ? this.#random.pick(this.#random.chance(50) ? fitting.slice(-30) : fitting) : undefined
  }

  find(kind: string, matches: (place: Place) => boolean): Place | undefined {
    return [...this.#of(this.#places, kind).values()].find(matches)
  }

  remove(kind: string, value: PathValue): void {
    this.#move(kind, value, this.#places, this.#removed)
  }

  restore(kind: string, value: PathValue): void {
    this.#move(kind, value, this.#removed, this.#places)
  }

  #move(kind: string, value: PathValue, from: Map<string, Map<string, Place>>, to: typeof from): void {
    for (const one of KINDS[kind] ?? [kind]) {
      const place = this.#of(from, one).get(String(value))
      if (!place) continue
      this.#of(from, one).delete(String(value))
      this.#of(to, one).set(String(value), place)
    }
  }

  #of(places: Map<string, Map<string, Place>>, kind: string): Map<string, Place> {
    const found = places.get(kind) ?? new Map<string, Place>()
    places.set(kind, found)
    return found
  }
}
