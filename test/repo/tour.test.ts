import { spawnSync } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

test("a new service starts, and the README's tour prints what the README shows", () => {
  const tour = spawnSync(process.execPath, [path.join(root, 'scripts/tour.mjs')], { cwd: root, encoding: 'utf8' })
  expect(tour.stdout + tour.stderr).toMatch(/^\d+ steps, 0 print something else than the README shows\n$/)
  expect(tour.status).toBe(0)
}, 120_000)
