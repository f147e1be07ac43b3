import type { Statement, Template } from '../sql/statement'

const ERROR_OFFSET_PATTERN = / at offset (\d+)/
const NAME_IN_ERROR_PATTERN =
  /(?:no such (?:column|table|function):|ambiguous column name:|no column named) ([\w."]+)|near "([^"]+)"|of (?:aggregate|window function):? (\w+)/
const FAILED_CONSTRAINT_PATTERN = /constraint failed: (\w+)\./
const EXCERPT_LENGTH = 60

export class StatementFault extends Error {
  constructor(cause: Error, templates: readonly Template[]) {
    const { template, place, excerpt } = locateFault(cause.message, templates)
    super(`${cause.message} in ${place}${excerpt && `: ${excerpt}`}`, { cause })
    this.name = 'StatementFault'
    if (template) this.stack = `${this.name}: ${this.message}\n${callerFrames(findFaultyPart(cause.message, template))}`
  }
}

export const describeFault = (cause: unknown, statements: readonly Statement[]): unknown =>
  cause instanceof Error && /SQLITE_|D1_ERROR/.test(cause.message)
    ? new StatementFault(
        cause,
        statements.map(({ template }) => template()),
      )
    : cause

function locateFault(message: string, templates: readonly Template[]) {
  const offset = findErrorOffset(message)
  const name = findNameInError(message)
  const table = FAILED_CONSTRAINT_PATTERN.exec(message)?.[1]
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
    excerpt: excerptAround(first.template.text, first.at, length),
  }
}

const findErrorOffset = (message: string) => {
  const offset = ERROR_OFFSET_PATTERN.exec(message)?.[1]
  return offset === undefined ? undefined : Number(offset)
}

function findNameInError(message: string): string | undefined {
  const [, missing, near, misused] = NAME_IN_ERROR_PATTERN.exec(message) ?? []
  return (missing ?? near ?? misused)?.replaceAll('"', '')
}

const startsWithName = (text: string, name = '') =>
  text !== '' && text.replaceAll('"', '').toLowerCase().startsWith(name.toLowerCase())

function excerptAround(text: string, at: number, length: number): string {
  const [before, after] = [
    text.slice(Math.max(0, at - EXCERPT_LENGTH), at),
    text.slice(at + length, at + length + EXCERPT_LENGTH),
  ]
  const [start, end] = [at > EXCERPT_LENGTH ? '…' : '', at + length + EXCERPT_LENGTH < text.length ? '…' : '']
  return `${start}${before}»${text.slice(at, at + length)}«${after}${end}`
}

function findFaultyPart(message: string, template: Template): Error {
  const around = template.text.slice(findErrorOffset(message) ?? 0).slice(0, findNameInError(message)?.length ?? 1)
  return template.parts?.find(({ text }) => text().includes(around))?.madeAt ?? template.madeAt
}

export function callerFrames({ stack = '' }: Error): string {
  const frames = stack.split('\n').slice(1)
  const others = frames.filter((frame) => !/[/\\]src[/\\]db[/\\]|node_modules/.test(frame))
  return (others.length ? others : frames).join('\n')
}
