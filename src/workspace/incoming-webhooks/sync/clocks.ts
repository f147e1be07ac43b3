/**
 * Time of a change of a field: milliseconds, 1 for the side that created the item or else 0, and the id of the event. Both
 * sides compute the same clock for a change.
 */
export type Clock = readonly [at: number, isOfOriginal: 0 | 1, eventId: number]

/** The ids order the changes of one side, because events carry the arrival time of the request. */
export function isLater(clock: Clock, known: Clock | undefined): boolean {
  if (!known) return true
  const [at, side, id] = clock
  const [knownAt, knownSide, knownId] = known
  if (side === knownSide) return id > knownId
  return at === knownAt ? side > knownSide : at > knownAt
}

/** The later clock. A change never has an earlier time than the change of the same side before. */
export function takeLater(known: Clock | undefined, clock: Clock): Clock {
  if (!known) return clock
  const [first, last] = isLater(clock, known) ? [known, clock] : [clock, known]
  return first[1] === last[1] ? [Math.max(first[0], last[0]), last[1], last[2]] : last
}
