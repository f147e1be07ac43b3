import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const files = globSync('{,test/outside/,clients/*/,examples/**/}package-lock.json', {
  cwd: root,
  exclude: (name) => name.includes('node_modules'),
})

interface LockFile {
  packages: Record<string, { integrity?: string; link?: boolean; inBundle?: boolean; resolved?: string }>
}

test.each(files)('%s has the hash of each package and no address', (file) => {
  const { packages }: LockFile = JSON.parse(readFileSync(path.join(root, file), 'utf8'))
  const installed = Object.entries(packages).filter(([name, { link, inBundle }]) => name && !link && !inBundle)
  expect(installed.length).toBeGreaterThan(0)
  expect(installed.filter(([name, { integrity }]) => name.includes('node_modules/') && !integrity)).toEqual([])
  // The registry is a setting of who installs.
  expect(installed.filter(([, { resolved }]) => resolved)).toEqual([])
})
