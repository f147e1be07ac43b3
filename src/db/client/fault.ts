import type { Statement, Template } from '../sql/statement'

const OFFSET = / at offset (\d+)/
const NAME_IN_ERROR =
  /(?:no such (?:column|table|function):|ambiguous column name:|no column named) ([\w."]+)|near "([^"]+)"|of (?:aggregate|window function):? (\w+)/
const CONSTRAINT = /constraint failed: (\w+)\./
const EXCERPT = 60

export class StatementFault extends Error {
  constructor(cause: Error, templates: readonly Template[]) {
    const { template, place, excerpt } = locate(cause.message, templates)
    super(`${cause.message} in ${place}${excerpt && `: ${excerpt}`}`, { cause })
    this.name = 'StatementFault'
    if (template) this.stack = `${this.name}: ${this.message}\n${callerFrames(findPart(cause.message, template))}`
  }
}

export const describeFault = (cause: unknown, statements: readonly Statement[]): unknown =>
  cause instanceof Error && /SQLITE_|D1_ERROR/.test(cause.message)
    ? new StatementFault(
        cause,
        statements.map(({ template }) => template()),
      )
    : cause

function locate(message: string, templates: readonly Template[]) {
  const offset = findOffset(message)
  const name = findName(message)
  const table = CONSTRAINT.exec(message)?.[1]
  const matches = templates.flatMap((template, n) => {
    const at = offset ?? template.text.search(new RegExp(`\\b${table ?? name}\\b`))
    const isMatch = offset === undefined ? at >= 0 : startsWithName(template.text.slice(at), name)
    return isMatch ? [{ template, n, at }] : []
  })
  const [first] = matches
  if (!first) return { place: `a batch of ${templates.length} statements`, excerpt: '' }
  const places = matches.map(({ n }) => n + 1).join(' or ')
  const length = name?.length ?? table?.length ?? 1
  return {
    template: first.template,
    place: `statement ${places} of ${templates.length}`,
    excerpt: excerptOf(first.template.text, first.at, length),
  }
}

const findOffset = (message: string) => {
  const offset = OFFSET.exec(message)?.[1]
  return offset === undefined ? undefined : Number(offset)
}

function findName(message: string): string | undefined {
  const [, missing, near, misused] = NAME_IN_ERROR.exec(message) ?? []
  return (missing ?? near ?? misused)?.replaceAll('"', '')
}

const startsWithName = (text: string, name = '') =>
  text !== '' && text.replaceAll('"', '').toLowerCase().startsWith(name.toLowerCase())

function excerptOf(text: string, at: number, length: number): string {
  const [before, after] = [text.slice(Math.max(0, at - EXCERPT), at), text.slice(at + length, at + length + EXCERPT)]
  const [start, end] = [at > EXCERPT ? '…' : '', at + length + EXCERPT < text.length ? '…' : '']
  return `${start}${before}»${text.slice(at, at + length)}«${after}${end}`
}

function findPart(message: string, template: Template): Error {
  const around = template.text.slice(findOffset(message) ?? 0).slice(0, findName(message)?.length ?? 1)
  return template.parts?.find(({ text }) => text().includes(around))?.madeAt ?? template.madeAt
}

export function callerFrames({ stack = '' }: Error): string {
  const frames = stack.split('\n').slice(1)
  const others = frames.filter((frame) => !/[/\\]src[/\\]db[/\\]|node_modules/.test(frame))
  return (others.length ? others : frames).join('\n')
}
