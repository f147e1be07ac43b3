// Writes the skeleton of a resource of a product: `npm run new -- glossary-term`, or `npm run new -- glossary-term backlog`.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { root } from '../wrangler.ts'

const KEY_AREAS: Record<string, string> = {
  workspace: 'products',
  backlog: 'backlog',
  feedback: 'feedback',
  people: 'segments',
  discovery: 'personas',
}

const [singular = '', area = 'discovery'] = process.argv.slice(2)
const keyArea = KEY_AREAS[area]
if (!/^[a-z]+(-[a-z]+)*$/.test(singular) || /[^s]s$/.test(singular) || !keyArea)
  fail(`Usage: npm run new -- <singular, like glossary-term> [${Object.keys(KEY_AREAS).join(' | ')}]`)
const plural = singular
  .replace(/([^aeiou])y$/, '$1ie')
  .replace(/(s|x|ch|sh)$/, '$1e')
  .concat('s')
const noun = singular.replaceAll('-', ' ')
const nouns = plural.replaceAll('-', ' ')
const aNoun = `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
const resource = singular.replaceAll('-', '_')
const table = plural.replaceAll('-', '_')
const [name, names] = [camelCase(singular), camelCase(plural)]
const [Name, Names, Nouns] = [capitalize(name), capitalize(names), capitalize(nouns)]
const folder = `src/${area}/${plural}`
if (existsSync(path.join(root, folder))) fail(`${folder} exists. Choose another name.`)
const number = String(readdirSync(path.join(root, 'migrations')).length + 1).padStart(4, '0')
const at = `/api/initiatives/{product_external_key}/${plural}`
const written: string[] = []

write(
  `migrations/${number}_${table}.sql`,
  `CREATE TABLE IF NOT EXISTS ${table} (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX IF NOT EXISTS ${table}_name ON ${table} (product_id, name) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS ${table}_removed ON ${table} (deleted_at) WHERE deleted_at IS NOT NULL;
`,
)
write(
  `${folder}/schema.ts`,
  `import * as z from 'zod'
import { createListQuery } from '../../http/pagination'
import { integer, line, ProductParams, Timestamp } from '../../http/schemas'

export const ${Name}Params = ProductParams.extend({
  ${name}Id: integer({ min: 1 }).meta({ description: 'Id of the ${noun}.', example: 1 }),
})

const name = line(100).meta({ description: 'Name of the ${noun}, unique in the product.' })

export const Create${Name} = z.object({ name }).meta({ id: 'Create${Name}', examples: [{ name: 'First' }] })

export const Modify${Name} = z
  .object({ name: name.optional() })
  .meta({ id: 'Modify${Name}', examples: [{ name: 'Second' }] })

export const Merge${Name} = z.object({ into: z.int().positive() }).meta({ id: 'Merge${Name}', examples: [{ into: 2 }] })

export const List${Names} = createListQuery(['name', '-name'])

export const ${Name} = z
  .object({ id: z.int(), name: z.string(), createdAt: Timestamp, updatedAt: Timestamp })
  .meta({ id: '${Name}', description: '${capitalize(aNoun)} of a product.' })
`,
)
write(
  `${folder}/queries.ts`,
  `import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import { insertStatement, updateStatement } from '../../db/records/change'
import { makeLifecycle } from '../../db/records/lifecycle'
import { makeListReader } from '../../db/records/list'
import { type Key, record } from '../../db/records/record'
import { idColumns, isRemoved, isVisible, removableColumns } from '../../db/schema/columns'
import { productId } from '../../db/sql/access'
import { moment } from '../../db/sql/field'
import { Create${Name}, List${Names}, Modify${Name} } from './schema'

export const ${names} = sqliteTable(
  '${table}',
  {
    ...idColumns,
    productId: integer('product_id').notNull(),
    name: text().notNull(),
    ...removableColumns,
  },
  (t) => [
    uniqueIndex('${table}_name').on(t.productId, t.name).where(isVisible),
    index('${table}_removed').on(t.deletedAt).where(isRemoved),
  ],
)

const ${name}KeyColumns = { ${name}Id: ${names}.id }
type ${Name}Key = Key<typeof ${name}KeyColumns>

export const ${name} = record('${resource}', {
  table: ${names},
  scope: 'product',
  key: ${name}KeyColumns,
  unique: { column: ${names}.name, takenMessage: 'Another ${noun} has this name. Choose another name.' },
  fields: {
    id: ${names}.id,
    name: ${names}.name,
    createdAt: moment(${names}.createdAt),
    updatedAt: moment(${names}.updatedAt),
  },
})

const insert${Name} = insertStatement(${name}, Create${Name}, { values: { productId } })
const emit${Name}Created = ${name}.emit('created')
export const create${Name} = (db: Database, body: z.output<typeof Create${Name}>) =>
  ${name}.save(db, { statements: [insert${Name}(body), emit${Name}Created({})], returning: ${name}.inserted() })

export const get${Name} = ${name}.get
export const list${Names} = makeListReader(${name}, List${Names}, { sorts: { name: ${names}.name } }).page

const update${Name} = updateStatement(${name}, Modify${Name})
type ${Name}Modification = z.output<typeof Modify${Name}>
export const modify${Name} = (db: Database, key: ${Name}Key, body: ${Name}Modification, ifMatch: string | null) =>
  ${name}.save(db, {
    guards: ${name}.writeGuards(key, ifMatch),
    statements: update${Name}(key, body),
    returning: ${name}.returningByKey(key),
  })

const ${name}Lifecycle = makeLifecycle(${name})
export const { remove: remove${Name}, restore: restore${Name} } = ${name}Lifecycle
export const merge${Name} = (db: Database, key: ${Name}Key, into: number) =>
  ${name}.save(db, ${name}Lifecycle.merging(key, into))
`,
)

const operation = (id: string, route: string, summary: string, rest: string) => `
export const ${id} = operation({
  id: '${id}',
  of: '${resource}',
  route: '${route}',
  summary: '${summary}',
${rest}
})
`
const list = (...lines: string[]) => lines.map((line) => `  ${line},`).join('\n')
write(
  `${folder}/operations.ts`,
  [
    `import * as z from 'zod'
import { operation } from '../../http/operation'
import { ProductParams } from '../../http/schemas'
import * as queries from './queries'
import { Create${Name}, List${Names}, Merge${Name}, Modify${Name}, ${Name}, ${Name}Params } from './schema'
`,
    operation(
      `create${Name}`,
      `POST ${at}`,
      `Create ${aNoun}`,
      list(
        `description: 'A name of another ${noun} of the product is a 409.'`,
        'params: ProductParams',
        `body: Create${Name}`,
        `data: ${Name}`,
        `message: '${capitalize(noun)} saved'`,
        `location: '${at}/{id}'`,
        `handle: ({ body, db }) => queries.create${Name}(db, body)`,
      ),
    ),
    operation(
      `list${Names}`,
      `GET ${at}`,
      `List ${nouns}`,
      list(
        'params: ProductParams',
        `query: List${Names}`,
        `data: z.array(${Name})`,
        `handle: ({ query, db }) => queries.list${Names}(db, query)`,
      ),
    ),
    operation(
      `get${Name}`,
      `GET ${at}/{${name}Id}`,
      `Retrieve ${aNoun}`,
      list(`params: ${Name}Params`, `data: ${Name}`, `handle: ({ params, db }) => queries.get${Name}(db, params)`),
    ),
    operation(
      `modify${Name}`,
      `PUT ${at}/{${name}Id}`,
      `Modify ${aNoun}`,
      list(
        `params: ${Name}Params`,
        `body: Modify${Name}`,
        `data: ${Name}`,
        `message: '${capitalize(noun)} saved'`,
        `handle: ({ params, body, db, ifMatch }) => queries.modify${Name}(db, params, body, ifMatch)`,
      ),
    ),
    operation(
      `remove${Name}`,
      `DELETE ${at}/{${name}Id}`,
      `Remove ${aNoun}`,
      list(
        `description: 'You can restore the ${noun} for 30 days.'`,
        `params: ${Name}Params`,
        `message: '${capitalize(noun)} removed'`,
        `handle: ({ params, db, ifMatch }) => queries.remove${Name}(db, params, ifMatch)`,
      ),
    ),
    operation(
      `restore${Name}`,
      `POST ${at}/{${name}Id}/restore`,
      `Restore a removed ${noun}`,
      list(
        `description: 'A name that another ${noun} has taken since is a 409.'`,
        `params: ${Name}Params`,
        `data: ${Name}`,
        `message: '${capitalize(noun)} restored'`,
        `handle: ({ params, db }) => queries.restore${Name}(db, params)`,
      ),
    ),
    operation(
      `merge${Name}`,
      `POST ${at}/{${name}Id}/merge`,
      `Merge ${aNoun} into another ${noun}`,
      list(
        `description: 'This ${noun} is removed. The ${noun} with the id \`into\` is the response.'`,
        `params: ${Name}Params`,
        `body: Merge${Name}`,
        `data: ${Name}`,
        `message: '${Nouns} merged'`,
        `handle: ({ params, body, db }) => queries.merge${Name}(db, params, body.into)`,
      ),
    ),
  ].join(''),
)
insert(
  'src/resources.ts',
  '\n} as const satisfies Record<string, ResourceDeclaration>',
  `\n  ${resource}: { area: '${keyArea}', tag: '${Nouns}', missing: '${resource}_not_found', events: LIFECYCLE_EVENTS },`,
)
insert('src/resources.ts', '  Service: ', `  '${Nouns}': '${Nouns} of a product.',\n`)
const routes = `src/${area}/routes.ts`
insert(routes, 'import ', `import * as ${names} from './${plural}/operations'\n`)
const ids = [
  `create${Name}`,
  `list${Names}`,
  ...['get', 'modify', 'remove', 'restore', 'merge'].map((verb) => `${verb}${Name}`),
]
insert(routes, '] as const', `\n${ids.map((id) => `  ${names}.${id},\n`).join('')}`)
execFileSync('biome', ['check', '--write', '--log-level=error', ...written], { cwd: root, stdio: 'inherit' })
console.log(`${written.join('\n')}\n\nContinue with "Adding a resource" in CONTRIBUTING.md.`)

function camelCase(text: string): string {
  return text.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  writeFileSync(path.join(root, file), text)
  if (!written.includes(file)) written.push(file)
}

function insert(file: string, before: string, text: string): void {
  const content = readFileSync(path.join(root, file), 'utf8')
  if (!content.includes(before)) fail(`${file} has no ${JSON.stringify(before)}.`)
  write(
    file,
    content.replace(before, () => `${text}${before}`),
  )
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
