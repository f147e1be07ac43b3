import { expect, test } from 'vitest'
import { createDatabase } from '../../scripts/migrations/dump'
import { followMoves, type MoveState, refuseMovingWorkspace } from '../../scripts/service/moving'

const WORKSPACE = 12

const moved = (home: number, createdAt = 1): MoveState => ({ state: 'moved', home, createdAt })
const arriving = (home: number, createdAt = 1): MoveState => ({ state: 'arriving', home, createdAt })
const leaving = (home: number, createdAt = 1): MoveState => ({ state: 'leaving', home, createdAt })

test.each<[string, (MoveState | undefined)[], number]>([
  ['never moved', [undefined], 0],
  ['leaves', [leaving(1), arriving(0)], 0],
  ['has moved', [moved(1), undefined], 1],
  ['has moved, and the arrival has no end yet', [moved(1), arriving(0)], 1],
  ['has moved twice', [moved(1), moved(2, 2), undefined], 2],
  ['has moved twice, and the second arrival has no end yet', [moved(1), moved(2, 2), arriving(1, 2)], 2],
  ['moves back', [arriving(1, 2), leaving(0, 2)], 1],
  ['moves back to a home in the middle', [moved(1), arriving(2, 3), leaving(1, 3)], 2],
])('the commands find a workspace that %s', async (_, rows, expected) => {
  const { number, move } = await followMoves(WORKSPACE, 3, async (home) => rows[home])
  expect([number, move]).toEqual([expected, rows[expected]])
})

test('a command writes nothing into a workspace that moves', () => {
  const database = createDatabase()
  const isRefused = (state: string) => {
    database.exec(`INSERT OR REPLACE INTO workspace_moves (workspace_id, state, home, created_at, updated_at)
      VALUES (${WORKSPACE}, '${state}', 1, 1, 1)`)
    try {
      database.exec(refuseMovingWorkspace(WORKSPACE))
      return false
    } catch {
      return true
    }
  }
  const states = ['requested', 'leaving', 'moved', 'arriving', 'failed']
  expect(states.filter(isRefused)).toEqual(['leaving', 'moved', 'arriving'])
  expect(() => database.exec(refuseMovingWorkspace(WORKSPACE + 1))).not.toThrow()
})
