import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { afterAll, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const copy = mkdtempSync(path.join(tmpdir(), 'groundwork-new-'))
afterAll(() => rmSync(copy, { recursive: true }))

const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: copy, encoding: 'utf8', stdio: 'pipe' })

test('npm run new writes a resource that compiles, in six files', () => {
  for (const name of ['migrations', 'scripts', 'src', 'package.json', 'tsconfig.json', 'biome.json', '.gitignore'])
    cpSync(path.join(root, name), path.join(copy, name), { recursive: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
  const files = run('scripts/run.mjs', 'new/new', 'skeleton-of-test')
    .split('\n')
    .filter((line) => /\.(ts|sql)$/.test(line))
  expect(files).toHaveLength(6)
  const config = { extends: './tsconfig.json', include: ['src/operations.ts', 'src/env.d.ts'] }
  writeFileSync(path.join(copy, 'tsconfig.new.json'), JSON.stringify(config))
  const errors = () => {
    try {
      return run('node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.new.json')
    } catch (error) {
      return (error as { stdout: string }).stdout
    }
  }
  expect(errors(), 'Change the names in scripts/new/new.ts too.').toBe('')
  expect(readFileSync(path.join(copy, 'src/discovery/routes.ts'), 'utf8')).toContain(
    'skeletonOfTests.mergeSkeletonOfTest',
  )
}, 240_000)
