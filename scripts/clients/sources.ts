// The sources of the clients that come from openapi.json.
import { methodOfName } from '../../clients/typescript/src/method.ts'
import { makeCliOperations } from './cli-operations.ts'
import {
  type Described,
  type Document,
  JSON_TYPE,
  listOperations,
  type Operation,
  parametersOf,
  uploadOf,
  uploadPartOf,
} from './document.ts'
import { typeNameOf, writeComment, writeName, writeType } from './schema-types.ts'

const GENERATED = '// Written by `npm run openapi`. Change the operation table instead.\n'

/** One line per operation: id, method, path, and the part of an upload. */
function writeOperations(operations: readonly Described[]): string {
  let before: string[] = []
  const lines = operations.map(({ method, path: at, op }) => {
    const upload = uploadOf(op)
    const named = method === methodOfName(op.operationId) ? '' : method
    const segments = shortenPath(at).split('/')
    const shared = segments.findIndex((segment, n) => segment !== before[n])
    const kept = shared < 0 ? segments.length : shared
    before = segments
    const rest = segments.slice(kept).map((segment, n) => (kept + n ? `/${segment}` : segment))
    return [op.operationId, `${named}${kept || ''}${rest.join('')}`, ...(upload ? [uploadPartOf(upload)] : [])].join(
      ' ',
    )
  })
  const comment = `/**
 * Operations by id: path with P for the path of a product and A for /api/, part of an upload. A number stands for as many
 * segments of the path before, and a method that the id does not tell stands in front.
 */`
  return `${GENERATED}\n${comment}\nexport const OPERATIONS = \`${lines.join('\n')}\`\n`
}

const shortenPath = (at: string) =>
  at.replace(/^\/api\/initiatives\/\{product_external_key\}/, 'P').replace(/^\/api\//, 'A')

function writeTypes(document: Document, operations: readonly Described[]): string {
  const { schemas } = document.components
  const needed = Object.entries(schemas).filter(([name]) => !/(Envelope|Envelope\w+|Failure)$/.test(name))
  const types = needed.map(
    ([name, schema]) =>
      `${writeComment(schema.description, '')}export type ${typeNameOf(name)} = ${writeType(schema)}\n`,
  )
  const members = operations.map((described) => writeOperation(document, described))
  return `${GENERATED}\nimport type { Upload } from './request.ts'\n\n${types.join('\n')}\n/** Input, data and codes of each operation. */\nexport interface Operations {\n${members.join('\n')}\n}\n`
}

function writeOperation(document: Document, { op }: Described): string {
  const input = writeInput(document, op)
  const codes = listCodes(document, op)
  const data = writeData(document, op)
  return `${writeComment(`${op.summary}.`, '  ')}  ${op.operationId}: {\n    input: ${input}\n    data: ${data}\n    code: ${codes.map((code) => JSON.stringify(code)).join(' | ')}\n  }`
}

function writeInput(document: Document, op: Operation): string {
  const parameters = parametersOf(document, op)
  const lines = parameters.map(({ name, required, description, schema, in: where }) => {
    const key = name.endsWith('<name>')
      ? `[attribute: \`${name.slice(0, -'<name>'.length)}\${string}\`]`
      : writeName(name)
    const optional = required || key.startsWith('[') ? '' : '?'
    const value =
      where === 'query' && schema.type === 'array'
        ? `${writeType(schema.items ?? {}, 3)} | ${writeType(schema, 3)}`
        : writeType(schema, 3)
    return `${writeComment(description, '      ')}      ${key}${optional}: ${value}${optional || key.startsWith('[') ? ' | undefined' : ''}`
  })
  const { requestBody } = op
  const upload = uploadOf(op)
  const json = requestBody?.content[JSON_TYPE]?.schema
  if (upload) {
    lines.push('      /** The file. */', `      file${json ? '?' : ''}: Upload${json ? ' | undefined' : ''}`)
    const part = uploadPartOf(upload)
    const fields = Object.entries(upload.properties ?? {}).filter(([name]) => name !== part)
    if (fields.length)
      lines.push(
        `      fields?: ${writeType({ type: 'object', properties: Object.fromEntries(fields) }, 4)} | undefined`,
      )
  }
  if (json) {
    const isOptional = !requestBody?.required || upload !== undefined
    lines.push(`      body${isOptional ? '?' : ''}: ${writeType(json, 4)}${isOptional ? ' | undefined' : ''}`)
  }
  return lines.length ? `{\n${lines.join('\n')}\n    }` : 'Record<never, never>'
}

function writeData({ components }: Document, op: Operation): string {
  const success = Object.entries(op.responses).find(([status]) => status.startsWith('2'))?.[1]
  const { $ref } = success?.content?.[JSON_TYPE]?.schema ?? {}
  const envelope = $ref ? components.schemas[typeNameOf($ref)] : undefined
  const data = envelope?.properties?.data
  return data ? writeType(data, 3) : 'Response'
}

function listCodes({ components }: Document, op: Operation): string[] {
  return Object.values(op.responses).flatMap(({ $ref }) => {
    const schema = components.responses[typeNameOf($ref ?? '')]?.content[JSON_TYPE]?.schema
    const failure = schema?.$ref ? components.schemas[typeNameOf(schema.$ref)] : undefined
    return (failure?.properties?.error?.properties?.code?.enum ?? []) as string[]
  })
}

/** Contents of generated files of the clients, by path below clients/. */
export function makeClientSources(source: object): Map<string, string> {
  const document = source as Document
  const operations = listOperations(document)
  return new Map([
    ['typescript/src/operations.ts', writeOperations(operations)],
    ['typescript/src/types.ts', writeTypes(document, operations)],
    ['cli/src/operations.json', `${JSON.stringify(makeCliOperations(document), null, 1)}\n`],
  ])
}
