import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json'

const root = path.resolve(import.meta.dirname, '../..')
const files = ['.ci/run', ...globSync('.github/workflows/*.yml', { cwd: root }).sort()]
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8')

const PAGES = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/*.md', { cwd: root })]

/** Commands of the text that do not exist. */
function unknownCommands(text: string): string[] {
  const scripts = Object.keys(packageJson.scripts)
  const named = Array.from(text.matchAll(/\bnpm (?:run(?: -s)? )?([a-z][\w:]*)/g), ([command, name = '']) => ({
    command,
    exists: scripts.includes(name) || (!command.includes(' run ') && ['ci', 'install', 'test', 'start'].includes(name)),
  }))
  const programs = Array.from(text.matchAll(/run: (\.\S+)$/gm), ([, program = '']) => ({
    command: program,
    exists: existsSync(path.join(root, program)) && (statSync(path.join(root, program)).mode & 0o100) !== 0,
  }))
  return [...named, ...programs].filter(({ exists }) => !exists).map(({ command }) => command)
}

test('the workflows of CI and of deployments exist', () => {
  expect(files).toEqual(['.ci/run', '.github/workflows/ci.yml', '.github/workflows/deploy.yml'])
})

test.each(files)('%s names commands that exist', (file) => {
  expect(unknownCommands(textOf(file))).toEqual([])
})

test.each(PAGES)('%s names scripts of package.json', (file) => {
  const scripts = Object.keys(packageJson.scripts)
  const named = Array.from(textOf(file).matchAll(/\bnpm run (?:-s )?([a-z][\w:]*)/g), ([, name = '']) => name)
  expect(named.filter((name) => !scripts.includes(name))).toEqual([])
})

test('a command that does not exist is found', () => {
  expect(unknownCommands('- run: npm run deploi\n- run: .ci/ran\n- run: npm run deploy')).toEqual([
    'npm run deploi',
    '.ci/ran',
  ])
})

test.each(files.slice(1))('%s pins its actions to a major version, and may only read the repository', (file) => {
  const text = textOf(file)
  const actions = Array.from(text.matchAll(/uses: (\S+)/g), ([, action]) => action)
  expect(actions.length).toBeGreaterThan(0)
  for (const action of actions) expect(action).toMatch(/^actions\/[\w-]+@v\d+$/)
  expect(text.match(/^permissions:\n((?: {2}.*\n)+)/m)?.[1]).toBe('  contents: read\n')
  expect(text.match(/permissions:/g)).toHaveLength(1)
  expect(text).not.toMatch(/run: .*\$\{\{/)
  expect(text).not.toContain('\t')
})
