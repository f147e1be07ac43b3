import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { findBreakingChanges, listUnnamedChanges, type OpenApiDocument } from '../../scripts/checks/breaking'

const root = path.resolve(import.meta.dirname, '../..')
const readJson = (file: string): OpenApiDocument => JSON.parse(readFileSync(path.join(root, file), 'utf8'))

/** The document of the last release, without texts. `npm run openapi -- --release` writes the file. */
const released = readJson('test/repo/released-openapi.json')
const present = readJson('openapi.json')

test('every breaking change since the last release is in the changelog', () => {
  const changelog = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8')
  const remedy =
    'Add an entry that begins with **Breaking:** and names the operation to the next release in CHANGELOG.md.'
  expect(listUnnamedChanges(findBreakingChanges(released, present), changelog), remedy).toEqual([])
})

type Part = Record<string, unknown>

/** The members of a schema. */
const membersOf = (schema: Part | undefined) => (schema?.properties ?? {}) as Record<string, Part>

/** A copy of the present document with a planted change of `POST …/teams` or of its schemas. */
function plant(
  change: (document: { paths: Record<string, Record<string, Part>>; schemas: Record<string, Part> }) => void,
) {
  const document = structuredClone(present)
  change({ paths: document.paths as never, schemas: document.components.schemas as never })
  return findBreakingChanges(present, document).map(({ operation, problem }) => `${operation}: ${problem}`)
}

const TEAMS = 'POST /api/v2/teams'

test('an equal document has no breaking change', () => {
  expect(plant(() => undefined)).toEqual([])
})

test.each<[string, Parameters<typeof plant>[0], string]>([
  ['a removed operation', ({ paths }) => void delete paths['/api/v2/teams']?.post, `${TEAMS}: the operation is gone`],
  [
    'a new required member',
    ({ schemas }) => void Object.assign(schemas.CreateTeam ?? {}, { required: ['name', 'color'] }),
    `${TEAMS}: body: color is required now`,
  ],
  [
    'a new required parameter',
    ({ paths }) => {
      const query = { name: 'reason', in: 'query', required: true, schema: { type: 'string' } }
      const { post } = paths['/api/v2/teams'] as { post: { parameters: Part[] } }
      post.parameters.push(query)
    },
    `${TEAMS}: the parameter query reason is required now`,
  ],
  [
    'a removed member of the answer',
    ({ schemas }) => void delete membersOf(schemas.TeamDetail).name,
    `${TEAMS}: answer 201/data: the member name is gone`,
  ],
  [
    'a member of the answer that can be missing',
    ({ schemas }) => void Object.assign(schemas.TeamDetail ?? {}, { required: ['id'] }),
    `${TEAMS}: answer 201/data: the member name can be missing now`,
  ],
  [
    'a narrowed enumeration',
    ({ schemas }) => void Object.assign(membersOf(schemas.CreateEpic).progress ?? {}, { enum: ['to-do', 'done'] }),
    'POST /api/initiatives/{product_external_key}/epics: body/progress: the value in-progress is not accepted any more',
  ],
  [
    'another type of an answer',
    ({ schemas }) => void Object.assign(membersOf(schemas.TeamDetail), { id: { type: 'string' } }),
    `${TEAMS}: answer 201/data/id: can be a string now`,
  ],
])('%s is a breaking change', (_, change, problem) => {
  expect(plant(change)).toContain(problem)
})

test('a change needs an entry of the next release that names the operation', () => {
  const changes = [{ operation: TEAMS, problem: 'the operation is gone' }]
  const entry = '- **Breaking:** `POST\n  /api/v2/teams` is gone.\n'
  expect(listUnnamedChanges(changes, `# Changelog\n\n## 0.4.0\n\n${entry}- More.\n\n## 0.3.0\n`)).toEqual([])
  for (const changelog of [
    `# Changelog\n\n## 0.4.0\n\n- More.\n\n## 0.3.0\n\n${entry}`,
    `# Changelog\n\n## 0.4.0\n\n- \`${TEAMS}\` is faster.\n`,
    '# Changelog\n\n## 0.4.0\n\n- **Breaking:** `POST /api/v2/users` is gone.\n- More of `POST /api/v2/teams`.\n',
  ])
    expect(listUnnamedChanges(changes, changelog)).toEqual(changes)
})
