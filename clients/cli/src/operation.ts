// groundwork <operation> --flag value: any operation by its id.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Client, ListId, OperationId } from 'groundwork-client'
import { CliError } from './exit.ts'
import OPERATIONS from './operations.json' with { type: 'json' }

interface Flag {
  name: string
  type: string
  in?: string
  required?: boolean
  values?: unknown[]
  about?: string
}

export interface CliOperation {
  summary: string
  tag: string
  method: string
  parameters: Flag[]
  body?: Flag[]
  isList?: boolean
  part?: string
}

export const operations = OPERATIONS as Record<string, CliOperation>

export const isOperation = (id: string | undefined): id is OperationId =>
  id !== undefined && Object.hasOwn(operations, id)

/** `--product`, `--productExternalKey` and `--product-external-key` mean `product_external_key`. */
const normalize = (name: string) => name.toLowerCase().replace(/[-_.]/g, '')
const namesOf = ({ name }: Flag) => [name, name.replace(/_external_key$/, '')].map(normalize)

export const flagOf = ({ name }: Flag) =>
  name
    .replace(/_external_key$/, '')
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()

const CONTROL_FLAGS = ['json', 'all', 'help', 'body', 'file', 'url', 'key', 'output', 'ifmatch'] as const
type ControlFlag = (typeof CONTROL_FLAGS)[number]
const WITHOUT_VALUE: readonly string[] = ['json', 'all', 'help']

export interface ParsedCall {
  control: Partial<Record<ControlFlag, string>>
  input: Record<string, unknown>
}

/** Splits the arguments into flags of the command line, and the input of the operation. */
export function parseCall(id: string, args: readonly string[]): ParsedCall {
  const operation = operations[id] as CliOperation
  const known = [...operation.parameters, ...(operation.isList ? [] : (operation.body ?? []))]
  const control: ParsedCall['control'] = {}
  const parameters: Record<string, unknown> = {}
  const members: Record<string, unknown> = {}
  for (const [name, value] of readFlags(args, known)) {
    const flag = known.find((one) => namesOf(one).includes(name))
    const isControl =
      (CONTROL_FLAGS as readonly string[]).includes(name) && !(flag && name !== 'body' && name !== 'json')
    if (isControl) control[name as ControlFlag] = value
    else if (flag?.in) parameters[flag.name] = convert(flag, value)
    else if (flag) members[flag.name] = convert(flag, value)
    else if (name.startsWith('attributes')) parameters[`attributes.${name.slice('attributes'.length)}`] = value
    else throw new CliError(unknownFlag(id, name, known))
  }
  const body = readBody(operation, control.body, members)
  const file = control.file === undefined ? undefined : readUpload(control.file)
  const input = { ...parameters, ...(body !== undefined && { body }), ...(file && { file }) }
  if (control.help === undefined) requireFlags(operation, parameters, body)
  return { control, input }
}

function* readFlags(args: readonly string[], known: readonly Flag[]): Generator<[name: string, value: string]> {
  for (let n = 0; n < args.length; n++) {
    const [, raw, given] = /^--([\w.-]+)(?:=([\s\S]*))?$/.exec(args[n] ?? '') ?? []
    if (raw === undefined) throw new CliError(`"${args[n]}" is no flag. Flags begin with --, like --summary "Text".`)
    const name = normalize(raw)
    const isSwitch = WITHOUT_VALUE.includes(name) && !known.some((flag) => namesOf(flag).includes(name))
    if (isSwitch) {
      yield [name, 'true']
      continue
    }
    const value = given ?? args[++n]
    if (value === undefined) throw new CliError(`--${raw} needs a value.`)
    yield [name, value]
  }
}

function convert({ type, name }: Flag, value: string): unknown {
  switch (type) {
    case 'integer':
    case 'number':
      if (value.trim() === '' || Number.isNaN(Number(value)))
        throw new CliError(`--${name} must be a number, not "${value}".`)
      return Number(value)
    case 'boolean':
      if (value !== 'true' && value !== 'false') throw new CliError(`--${name} must be true or false, not "${value}".`)
      return value === 'true'
    case 'array':
      return value.startsWith('[') ? parseJson(`--${name}`, value) : value.split(',').map(convertItem)
    case 'object':
      return parseJson(`--${name}`, value)
    default:
      return value
  }
}

/** Ids stay numbers: `--user-id 1,2`. */
const convertItem = (item: string): string | number => (/^\d{1,15}$/.test(item.trim()) ? Number(item) : item.trim())

function parseJson(what: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CliError(`${what} is no JSON. Quote the text for your shell, like '{"summary":"Text"}'.`)
  }
}

/** `--body '{…}'`, `--body @file.json`, or `--body -` for the standard input; flags add members. */
function readBody({ body, isList, part }: CliOperation, given: string | undefined, members: Record<string, unknown>) {
  if (!body) {
    if (given !== undefined) throw new CliError('This operation takes no body.')
    return undefined
  }
  const text = given === '-' ? readFileSync(0, 'utf8') : given?.startsWith('@') ? readText(given.slice(1)) : given
  const sent = text === undefined ? undefined : parseJson('--body', text)
  if (isList) return sent
  if (sent === undefined && part !== undefined && !Object.keys(members).length) return undefined
  return { ...(sent as object | undefined), ...members }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new CliError(`The file ${file} cannot be read. Check the path.`)
  }
}

export function readUpload(file: string): { name: string; content: Uint8Array<ArrayBuffer> } {
  try {
    return { name: path.basename(file), content: new Uint8Array(readFileSync(file)) }
  } catch {
    throw new CliError(`The file ${file} cannot be read. Check the path.`)
  }
}

function requireFlags(operation: CliOperation, parameters: object, body: unknown): void {
  const missing = [
    ...operation.parameters.filter(({ required, name }) => required && !(name in parameters)),
    ...(operation.isList || operation.part ? [] : (operation.body ?? [])).filter(
      ({ required, name }) => required && !(name in Object(body)),
    ),
  ]
  if (missing.length) throw new CliError(`Missing: ${missing.map((flag) => `--${flagOf(flag)}`).join(', ')}.`)
  if (operation.isList && body === undefined)
    throw new CliError("Missing: --body '[…]', --body @file.json or --body -.")
}

function unknownFlag(id: string, name: string, known: readonly Flag[]): string {
  const near = known.find((flag) => namesOf(flag).some((one) => one.startsWith(name) || name.startsWith(one)))
  const hint = near ? ` Did you mean --${flagOf(near)}?` : ''
  return `${id} has no flag --${name}.${hint} \`groundwork ${id} --help\` lists the flags.`
}

export function formatHelp(id: string): string {
  const { summary, parameters, body = [], isList, part } = operations[id] as CliOperation
  const flags = [...parameters, ...(isList ? [] : body)]
  const rows = flags.map((flag) => {
    const values = flag.values?.join('|')
    return [`  --${flagOf(flag)}${flag.required ? ' (required)' : ''}`, values ?? flag.type, flag.about ?? ''] as const
  })
  const widths = [0, 1].map((n) => Math.max(0, ...rows.map((row) => row[n]?.length ?? 0)))
  const lines = rows.map(([one, two, about]) =>
    `${one.padEnd(widths[0] ?? 0)}  ${two.padEnd(widths[1] ?? 0)}  ${about}`.trimEnd(),
  )
  const more = [
    ...(body.length || isList ? ["  --body '{…}' | @file | -", '    JSON of the body; flags add members'] : []),
    ...(part ? ['  --file path', '    the file to upload'] : []),
    '  --json   --all (every page)   --if-match ETAG   --output FILE   --url URL   --key KEY',
  ]
  return [`${summary}.`, '', `groundwork ${id} [flags]`, ...lines, ...more].join('\n')
}

/** Calls the operation; `all` reads every page of a list. */
export async function callOperation(client: Client, id: OperationId, { control, input }: ParsedCall): Promise<unknown> {
  const options = { ...(control.ifmatch !== undefined && { ifMatch: control.ifmatch }) }
  if (control.all === undefined) {
    const { data } = await client.request(id, input as never, options)
    return data
  }
  const records: unknown[] = []
  for await (const record of client.each(id as ListId, input as never)) records.push(record)
  return records
}
