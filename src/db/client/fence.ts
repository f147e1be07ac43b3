/*
 * With several homes, a batch first asks whether the workspace is in this database. With one home no workspace can
 * move, and no batch asks.
 */

const homeByFencedDatabase = new WeakMap<D1Database, number>()

/** `home`: number of the home. */
export const fenceDatabase = (d1: D1Database, home: number): void => void homeByFencedDatabase.set(d1, home)

export const isFenced = (d1: D1Database): boolean => homeByFencedDatabase.has(d1)

/** Number of the home with the database; the only home counts as 0. */
export const homeOfDatabase = (d1: D1Database): number => homeByFencedDatabase.get(d1) ?? 0

/** Thrown by a batch of a workspace that is in another home. The batch did nothing. */
export class WorkspaceMoved extends Error {
  readonly home: number

  constructor(home: number) {
    super(`The workspace is in home ${home}.`)
    this.home = home
  }
}
