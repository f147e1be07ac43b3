/*
 * With several homes, a batch first asks whether the workspace is in this database. With one home no workspace can
 * move, and no batch asks.
 */

const fencedDatabases = new WeakSet<D1Database>()

export const fenceDatabase = (d1: D1Database): void => void fencedDatabases.add(d1)

export const isFenced = (d1: D1Database): boolean => fencedDatabases.has(d1)

/** Thrown by a batch of a workspace that is in another home. The batch did nothing. */
export class WorkspaceMoved extends Error {
  readonly home: number

  constructor(home: number) {
    super(`The workspace is in home ${home}.`)
    this.home = home
  }
}
