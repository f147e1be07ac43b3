// Writes the skeleton of a resource of a product: `npm run new -- competitor`, or `npm run new -- competitor backlog`.
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

const [name = '', area = 'discovery'] = process.argv.slice(2)
const keyArea = KEY_AREAS[area]
if (!/^[a-z]+$/.test(name) || !keyArea) fail('Usage: npm run new -- <singular name, a-z> [area]')
const [plural, Name] = [`${name}s`, `${name.charAt(0).toUpperCase()}${name.slice(1)}`]
const Plural = `${Name}s`
const folder = `src/${area}/${plural}`
if (existsSync(path.join(root, folder))) fail(`${folder} exists. Choose another name.`)
const number = String(readdirSync(path.join(root, 'migrations')).length + 1).padStart(4, '0')
const at = `/api/initiatives/{product_external_key}/${plural}`
const written: string[] = []

write(
  `migrations/${number}_${plural}.sql`,
  `CREATE TABLE ${plural} (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE INDEX ${plural}_name ON ${plural} (product_id, name, id) WHERE deleted_at IS NULL;
CREATE INDEX ${plural}_removed ON ${plural} (deleted_at) WHERE deleted_at IS NOT NULL;
`,
)
write(
  `src/db/schema/${plural}.ts`,
  `import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { idColumns, removableColumns } from './columns'

export const ${plural} = sqliteTable('${plural}', {
  ...idColumns,
  productId: integer('product_id').notNull(),
  name: text().notNull(),
  ...removableColumns,
})
`,
)
write(
  `${folder}/schema.ts`,
  `import * as z from 'zod'
import { listQuery } from '../../http/pagination'
import { integer, line, ProductParams, Timestamp } from '../../http/schemas'

export const ${Name}Params = ProductParams.extend({
  ${name}Id: integer({ min: 1 }).meta({ description: 'Id of the ${name}.', example: 1 }),
})

const name = line(100).meta({ description: 'Name of the ${name}, unique in the product.' })

export const Create${Name} = z.object({ name }).meta({ id: 'Create${Name}', examples: [{ name: 'First' }] })

export const Modify${Name} = z
  .object({ name: name.optional() })
  .meta({ id: 'Modify${Name}', examples: [{ name: 'Second' }] })

export const List${Plural} = listQuery(['name', '-name'])

export const ${Name} = z
  .object({ id: z.int(), name: z.string(), createdAt: Timestamp, updatedAt: Timestamp })
  .meta({ id: '${Name}', description: 'A ${name} of a product.' })
`,
)
write(
  `${folder}/queries.ts`,
  `import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import { insertStatement, updateStatement } from '../../db/records/change'
import { lifecycle } from '../../db/records/lifecycle'
import { listReader } from '../../db/records/list'
import { type Key, record } from '../../db/records/record'
import { ${plural} } from '../../db/schema/${plural}'
import { productId } from '../../db/sql/access'
import { moment } from '../../db/sql/field'
import { Create${Name}, List${Plural}, Modify${Name} } from './schema'

const key = { ${name}Id: ${plural}.id }
type ${Name}Key = Key<typeof key>

const ${name} = record('${name}', {
  table: ${plural},
  scope: 'product',
  key,
  unique: { column: ${plural}.name, takenMessage: 'Another ${name} of this product has this name. Choose another name.' },
  fields: {
    id: ${plural}.id,
    name: ${plural}.name,
    createdAt: moment(${plural}.createdAt),
    updatedAt: moment(${plural}.updatedAt),
  },
})

const insert${Name} = insertStatement(${name}, Create${Name}, { values: { productId } })
const emitCreated = ${name}.emit('created')

export const create${Name} = (db: Database, body: z.output<typeof Create${Name}>) =>
  ${name}.save(db, { statements: [insert${Name}(body), emitCreated({})], returning: ${name}.inserted() })

export const get${Name} = ${name}.get

export const list${Plural} = listReader(${name}, List${Plural}, { sorts: { name: ${plural}.name } }).page

const update${Name} = updateStatement(${name}, Modify${Name})

export const modify${Name} = (
  db: Database,
  key: ${Name}Key,
  body: z.output<typeof Modify${Name}>,
  ifMatch: string | null,
) =>
  ${name}.save(db, {
    guards: ${name}.writeGuards(key, ifMatch),
    statements: update${Name}(key, body),
    returning: ${name}.returningByKey(key),
  })

const { removal, restoration } = lifecycle(${name})

export const remove${Name} = (db: Database, key: ${Name}Key, ifMatch: string | null) => db.write(removal(key, ifMatch))

export const restore${Name} = (db: Database, key: ${Name}Key) => ${name}.save(db, restoration(key))
`,
)

const operation = (id: string, route: string, summary: string, rest: string) => `
export const ${id} = operation({
  id: '${id}',
  of: '${name}',
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
import { Create${Name}, List${Plural}, Modify${Name}, ${Name}, ${Name}Params } from './schema'
`,
    operation(
      `create${Name}`,
      `POST ${at}`,
      `Create a ${name}`,
      list(
        `description: 'A name of another ${name} of the product is a 409.'`,
        'params: ProductParams',
        `body: Create${Name}`,
        `data: ${Name}`,
        `message: '${Name} saved'`,
        `location: '${at}/{id}'`,
        `handle: ({ body, db }) => queries.create${Name}(db, body)`,
      ),
    ),
    operation(
      `list${Plural}`,
      `GET ${at}`,
      `List ${plural}`,
      list(
        `description: 'The ${plural} of the product in the order of their names.'`,
        'params: ProductParams',
        `query: List${Plural}`,
        `data: z.array(${Name})`,
        `handle: ({ query, db }) => queries.list${Plural}(db, query)`,
      ),
    ),
    operation(
      `get${Name}`,
      `GET ${at}/{${name}Id}`,
      `Retrieve a ${name}`,
      list(
        `description: 'Returns the ${name}.'`,
        `params: ${Name}Params`,
        `data: ${Name}`,
        `handle: ({ params, db }) => queries.get${Name}(db, params)`,
      ),
    ),
    operation(
      `modify${Name}`,
      `PUT ${at}/{${name}Id}`,
      `Modify a ${name}`,
      list(
        `description: 'Changes the fields that you send.'`,
        `params: ${Name}Params`,
        `body: Modify${Name}`,
        `data: ${Name}`,
        `message: '${Name} saved'`,
        `handle: ({ params, body, db, ifMatch }) => queries.modify${Name}(db, params, body, ifMatch)`,
      ),
    ),
    operation(
      `remove${Name}`,
      `DELETE ${at}/{${name}Id}`,
      `Remove a ${name}`,
      list(
        `description: 'You can restore the ${name} for 30 days.'`,
        `params: ${Name}Params`,
        `message: '${Name} removed'`,
        `handle: ({ params, db, ifMatch }) => queries.remove${Name}(db, params, ifMatch)`,
      ),
    ),
    operation(
      `restore${Name}`,
      `POST ${at}/{${name}Id}/restore`,
      `Restore a removed ${name}`,
      list(
        `description: 'A name that another ${name} has taken since is a 409.'`,
        `params: ${Name}Params`,
        `data: ${Name}`,
        `message: '${Name} restored'`,
        `handle: ({ params, db }) => queries.restore${Name}(db, params)`,
      ),
    ),
  ].join(''),
)
insert(
  'src/resources.ts',
  '\n  webhook: {',
  `  ${name}: { area: '${keyArea}', tag: '${Plural}', missing: '${name}_not_found', events: LIFECYCLE_EVENTS },\n`,
)
insert('src/resources.ts', '  Trace: ', `  ${Plural}: '${Plural} of a product.',\n`)
insert(`src/${area}/routes.ts`, '\n/** ', `import * as ${plural} from './${plural}/operations'\n`)
const verbs = [`create${Name}`, `list${Plural}`, `get${Name}`, `modify${Name}`, `remove${Name}`, `restore${Name}`]
insert(`src/${area}/routes.ts`, '] as const', `\n${verbs.map((verb) => `  ${plural}.${verb},\n`).join('')}`)
insert(
  'test/world.ts',
  '  assetId: {',
  `  ${name}Id: {
    path: \`\${PRODUCT_PATH}/${plural}\`,
    body: () => ({ name: \`${Name} \${randomSuffix()}\` }),
    pathValue: 'id',
    table: '${plural}',
  },
`,
)
execFileSync('biome', ['check', '--write', '--log-level=error', ...written], { cwd: root, stdio: 'inherit' })
console.log(`${written.join('\n')}\n\nContinue with "Adding a resource" in CONTRIBUTING.md.`)

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
