import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { QUIET_ENV, root, UserProblem } from '../../scripts/wrangler.ts'

const npm = (args: string[], cwd: string) =>
  execFileSync('npm', args, { cwd, env: { ...process.env, ...QUIET_ENV }, stdio: ['ignore', 'ignore', 'inherit'] })

/** Packs the package of a folder as npm would publish it, installs the tarball in an empty project, and returns the project. */
export function installPacked(folder: string): string {
  const project = mkdtempSync(path.join(tmpdir(), 'groundwork-packed-'))
  npm(['pack', '--silent', '--pack-destination', project], folder)
  const tarball = readdirSync(project).find((name) => name.endsWith('.tgz'))
  if (!tarball) throw new UserProblem('npm pack made no tarball.')
  writeFileSync(path.join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }))
  npm(['install', '--silent', '--no-audit', '--no-fund', `./${tarball}`], project)
  return project
}

/** The Node of the machine, not the Node of the `node` package. */
export function machineNode(): string {
  const file = (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => path.join(folder, 'node'))
    .find(existsSync)
  if (!file) throw new UserProblem('This machine has no Node of its own.')
  return file
}

/** Builds the TypeScript client, and installs the packed client in an empty project. */
export function installClient(): string {
  const client = path.join(root, 'clients', 'typescript')
  rmSync(path.join(client, 'dist'), { recursive: true, force: true })
  execFileSync(path.join(root, 'node_modules', '.bin', 'tsc'), ['-p', client], { cwd: root, stdio: 'inherit' })
  return installPacked(client)
}
