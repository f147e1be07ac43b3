import { spawnSync } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

test('a new service starts, and the tour prints what docs/tour.md and the README show', () => {
  const tour = spawnSync(process.execPath, [path.join(root, 'scripts/tour.ts')], { cwd: root, encoding: 'utf8' })
  expect(tour.stdout + tour.stderr).toMatch(
    /^\d{2,} steps, 4 of them in the README; 0 print something else than is shown\n$/,
  )
  expect(tour.status).toBe(0)
}, 120_000)
