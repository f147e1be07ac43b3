// Calls that the pages show, in three languages.
import type { Operation, Schema } from './reference.ts'
import { makeValue } from './values.ts'

interface SampleFile {
  name: string
  content: string
}

/** Files by the part of the form. */
const FILES: Record<string, SampleFile> = {
  users: { name: 'people.csv', content: 'email,name,plan\nada@example.com,Ada Lovelace,pro\n' },
  metrics: { name: 'records.csv', content: 'date,value\n2026-03-01,4.1\n2026-03-02,4.25\n' },
}

const FILES_BY_OPERATION: Record<string, SampleFile> = {
  createAsset: { name: 'sketch.txt', content: 'A sketch of the checkout.\n' },
  restoreExport: { name: 'export.zip', content: '' },
  importBacklog: { name: 'items.csv', content: 'type,summary\nepic,Checkout\n' },
  importChangelogEntries: { name: 'changelog.csv', content: 'title,publishedAt\nDark mode,2026-01-31\n' },
  importSuppressions: { name: 'suppressions.csv', content: 'email,reason\nbob@example.com,unsubscribe\n' },
  importFeedbackItems: { name: 'ideas.csv', content: 'title,description\nDark mode,At night.\n' },
}

export interface SampleCall {
  path: Record<string, string | number>
  query: Record<string, string | number>
  body: unknown
  upload: { part: string; file: SampleFile } | undefined
}

/** Parameters whose common sample does not fit the body of an operation, or that have no sample. */
const OWN_VALUES: Record<string, Record<string, string>> = {
  searchRecords: { q: 'checkout' },
  createLink: { item_external_key: 'FE-1' },
  moveWorkItem: { item_external_key: 'US-2' },
}

export function makeSampleCall(op: Operation, schemas: Record<string, Schema>): SampleCall {
  const sampleOf = ({ schema }: { schema: Schema }) => makeValue(schema, schemas) as string | number
  const named = (where: string) =>
    Object.fromEntries(
      op.parameters
        .filter((one) => one.in === where && one.required)
        .map((one) => [one.name, OWN_VALUES[op.id]?.[one.name] ?? sampleOf(one)]),
    )
  const part = op.upload?.required?.[0]
  const file = part && (FILES_BY_OPERATION[op.id] ?? FILES[part])
  if (part && !file) throw new Error(`The upload of ${op.id} has no sample file. Add it to scripts/pages/samples.ts.`)
  return {
    path: named('path'),
    query: named('query'),
    body: op.upload || !op.body ? undefined : makeValue(op.body.schema, schemas),
    upload: part && file ? { part, file } : undefined,
  }
}

export function sampleUrlOf(op: Operation, { path, query }: SampleCall): string {
  const at = op.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])))
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return search.size ? `${at}?${search}` : at
}

const quoteShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

export function writeCurl(op: Operation, call: SampleCall): string {
  const { body, upload } = call
  const isGet = op.method === 'GET'
  const sendsBody = body !== undefined || upload !== undefined
  const method = isGet || (op.method === 'POST' && sendsBody) ? '' : ` -X ${op.method}`
  const lines = [
    `curl${method} "$GROUNDWORK_URL${sampleUrlOf(op, call)}"`,
    ...(op.needsKey ? ['-H "Authorization: Bearer $GROUNDWORK_KEY"'] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoteShell(JSON.stringify(body))}`]),
    ...(upload ? [`-F ${upload.part}=@${upload.file.name}`] : []),
  ]
  return lines.join(' \\\n  ')
}

const WIDTH = 88

const isName = (text: string) => /^[A-Za-z_$][\w$]*$/.test(text)

/** A literal of JavaScript or Python. Long objects and arrays stand on lines of their own. */
export function writeLiteral(value: unknown, language: 'ts' | 'py', indent = '', used = 0): string {
  if (value === null) return language === 'py' ? 'None' : 'null'
  if (typeof value === 'boolean' && language === 'py') return value ? 'True' : 'False'
  if (typeof value === 'string') return language === 'py' ? JSON.stringify(value) : quoteScript(value)
  if (typeof value !== 'object') return String(value)
  const inner = `${indent}${language === 'py' ? '    ' : '  '}`
  const isList = Array.isArray(value)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const write = (deep: string) =>
    Object.entries(value).map(([name, member]) => {
      const label = isList ? '' : `${language === 'ts' && isName(name) ? name : writeLiteral(name, language)}: `
      return `${label}${writeLiteral(member, language, deep, label.length + deep.length)}`
    })
  const members = write(inner)
  if (!members.length) return open + close
  const pad = isList || language === 'py' ? '' : ' '
  const line = `${open}${pad}${members.join(', ')}${pad}${close}`
  if (!line.includes('\n') && line.length + used <= WIDTH) return line
  return `${open}\n${members.map((member) => `${inner}${member},\n`).join('')}${indent}${close}`
}

const quoteScript = (text: string) =>
  text.includes("'") && !text.includes('"')
    ? JSON.stringify(text)
    : `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

export const isFile = ({ success }: Operation) =>
  !Object.keys(success.response.content ?? {}).includes('application/json') ||
  Object.keys(success.response.content ?? {}).length > 1

const isPaged = (op: Operation) => op.parameters.some(({ name }) => name === 'cursor')

export function writeTypeScript(op: Operation, { path, query, body, upload }: SampleCall): string {
  const input = {
    ...path,
    ...query,
    ...(body !== undefined && { body }),
    ...(upload && { file: { name: upload.file.name, content: '' } }),
  }
  const literal = Object.keys(input).length ? writeLiteral(input, 'ts', '', op.id.length + 24) : ''
  const given = literal.replace("content: ''", `content: await readFile('${upload?.file.name}')`)
  const read = upload ? "import { readFile } from 'node:fs/promises'\n" : ''
  const setup = `import { createClient } from 'groundwork-client'
${read}
const groundwork = createClient({
  url: process.env.GROUNDWORK_URL ?? 'http://localhost:8787',
  key: process.env.GROUNDWORK_KEY ?? '',
})
`
  if (isPaged(op))
    return `${setup}for await (const record of groundwork.each('${op.id}'${given && `, ${given}`})) console.log(record)`
  const call = `await groundwork.${op.id}(${given})`
  return isFile(op)
    ? `${setup}const response = ${call}\nconsole.log(await response.text())`
    : `${setup}const data = ${call}\nconsole.log(data)`
}

export function writePython(op: Operation, call: SampleCall): string {
  const { body, upload } = call
  const lines = [
    `os.environ["GROUNDWORK_URL"] + ${JSON.stringify(sampleUrlOf(op, call))}`,
    ...(op.needsKey ? ['headers={"Authorization": "Bearer " + os.environ["GROUNDWORK_KEY"]}'] : []),
    ...(body === undefined ? [] : [`json=${writeLiteral(body, 'py', '    ', 9)}`]),
    ...(upload ? [`files={"${upload.part}": open("${upload.file.name}", "rb")}`] : []),
  ]
  const print = isFile(op) ? 'response.text' : 'response.json()'
  return `import os
import requests

response = requests.${op.method.toLowerCase()}(
    ${lines.join(',\n    ')},
)
print(${print})`
}
