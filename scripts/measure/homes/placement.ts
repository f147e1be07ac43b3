// Loads of workspaces, and the homes that they are placed in. A load is the requests of a workspace per second.
import type { Random } from '../../../test/random.ts'

/** The loads of workspaces in the order of their creation: the n-th busiest sends 1/n of the busiest (Zipf). */
export function listZipfLoads(random: Random, count: number, perSecond: number, limitPerSecond: number): number[] {
  const weights = Array.from({ length: count }, (_, n) => 1 / (n + 1))
  const loads = limitLoads(weights, perSecond, limitPerSecond)
  for (let n = count - 1; n > 0; n--) {
    const other = random.below(n + 1)
    ;[loads[n], loads[other]] = [loads[other] ?? 0, loads[n] ?? 0]
  }
  return loads
}

/** Loads in proportion to falling weights, none above the limit; the rest goes to the lower loads. */
function limitLoads(weights: readonly number[], perSecond: number, limitPerSecond: number): number[] {
  let left = perSecond
  let weightLeft = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => {
    const load = Math.min(limitPerSecond, (left * weight) / weightLeft)
    left -= load
    weightLeft -= weight
    return load
  })
}

/** Loads of the workspaces of each home. */
export type Placement = number[][]

export const sumLoads = (loads: readonly number[]): number => loads.reduce((sum, load) => sum + load, 0)

const emptyHomes = (homes: number): Placement => Array.from({ length: homes }, () => [])

/** A new workspace goes to the home with the fewest workspaces. */
export function placeByCount(loads: readonly number[], homes: number): Placement {
  const placement = emptyHomes(homes)
  for (const [n, load] of loads.entries()) placement[n % homes]?.push(load)
  return placement
}

/** A new workspace goes to the home with the least load so far. The load of the new workspace is unknown. */
export function placeByLoad(loads: readonly number[], homes: number): Placement {
  const placement = emptyHomes(homes)
  const sums = new Float64Array(homes)
  for (const load of loads) {
    const least = sums.indexOf(Math.min(...sums))
    placement[least]?.push(load)
    sums[least] = (sums[least] ?? 0) + load
  }
  return placement
}

/** Moves workspaces from the busiest home to the least busy home while a home is above the mean by the tolerance. */
export function moveWorkspaces(placement: Placement, tolerance: number): { placement: Placement; moves: number } {
  const moved = placement.map((loads) => [...loads])
  const mean = sumLoads(moved.map(sumLoads)) / moved.length
  for (let moves = 0; ; moves++) {
    const byLoad = moved.toSorted((one, other) => sumLoads(one) - sumLoads(other))
    const [least, busiest] = [byLoad[0] ?? [], byLoad.at(-1) ?? []]
    const gap = (sumLoads(busiest) - sumLoads(least)) / 2
    // The load that comes closest to half of the gap levels both homes.
    const best = busiest.reduce((found, load) => (Math.abs(load - gap) < Math.abs(found - gap) ? load : found), 0)
    if (sumLoads(busiest) <= mean * (1 + tolerance) || best === 0) return { placement: moved, moves }
    busiest.splice(busiest.indexOf(best), 1)
    least.push(best)
  }
}
