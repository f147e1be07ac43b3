import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readReference } from '../../scripts/pages/reference'
import { makeSampleCall, writeTypeScript } from '../../scripts/pages/samples'

const root = path.resolve(import.meta.dirname, '../..')
const folder = path.join(root, 'dist', 'docs-samples')
const { operations, schemas } = readReference()

const compilerOptions = {
  ...{ target: 'ES2022', module: 'NodeNext', moduleResolution: 'NodeNext', lib: ['ES2024', 'DOM', 'DOM.Iterable'] },
  ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noEmit: true },
  ...{ types: ['node'], typeRoots: [path.join(root, 'node_modules', '@types')], allowImportingTsExtensions: true },
  paths: { 'groundwork-client': [path.join(root, 'clients', 'typescript', 'src', 'index.ts')] },
}

function compile(files: Record<string, string>): string {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}')
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }))
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, `${name}.ts`), text)
  try {
    return execFileSync(path.join(root, 'node_modules', '.bin', 'tsc'), ['-p', folder], { encoding: 'utf8' })
  } catch (error) {
    return String((error as { stdout?: string }).stdout)
  }
}

const samples = Object.fromEntries(operations.map((op) => [op.id, writeTypeScript(op, makeSampleCall(op, schemas))]))

test('the TypeScript sample of every operation compiles in strict mode with the types of the client', () => {
  expect(compile(samples)).toBe('')
})

test('the compiler finds a wrong sample', () => {
  const wrong = String(samples.createEpic).replace("summary: '", 'summary: 1, // ')
  expect(compile({ wrong })).toContain("Type 'number' is not assignable to type 'string'")
})
