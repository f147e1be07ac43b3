import { renderFields, renderParameters } from './fields.ts'
import { escapeHtml, type Page, renderCode, renderText } from './html.ts'
import { renderRoute, renderSide } from './navigation.ts'
import { type Operation, type Reference, resolveSchema, type Schema, slugOf } from './reference.ts'
import { isFile, makeSampleCall, writeCurl, writePython, writeTypeScript } from './samples.ts'
import { renderTryIt } from './try-it.ts'
import { collectHints, makeValue } from './values.ts'

const link = (href: string, text: string) => `<a href="${href}">${text}</a>`

/** The list that shows the values of a path parameter: beside the path of the record, or the first of its resource. */
function findSource(name: string, { operations }: Reference, op: Operation): Operation | undefined {
  const owner = operations.find(({ path }) => path.endsWith(`/{${name}}`))
  const at = owner?.path.slice(0, -name.length - 3)
  const lists = operations.filter(
    ({ method, id, tag }) => method === 'GET' && id.startsWith('list') && tag === owner?.tag,
  )
  const isReachable = (list: Operation) => !list.path.includes(`{${name}}`)
  const list =
    lists.find(({ path }) => path === at) ?? (name.endsWith('external_key') ? lists.find(isReachable) : undefined)
  return list === op ? undefined : list
}

function listFacts(op: Operation): [name: string, value: string][] {
  const conventions = (anchor: string, text: string) => link(`/docs/api-conventions#${anchor}`, text)
  const scope = op.scope ? `<code>${op.scope}</code>` : op.needsKey ? 'any key' : 'no key'
  const has = (header: string) => op.headers.some(({ name }) => name === header)
  const limits = [
    `${op.units} ${op.units === 1 ? 'unit' : 'units'} of the ${link('/docs/guides/limits', 'rate limits')}`,
    ...(op.upload ? ['files up to 25 MiB, import files up to 95 MB'] : op.body ? ['a body up to 10 MiB'] : []),
  ]
  return [
    [link('/docs/guides/authentication', 'Scope'), scope],
    ['Id', `<code>${op.id}</code>, the name in the client and the command line`],
    ['Limits', limits.join('; ')],
    ...(has('Idempotency-Key')
      ? [[conventions('idempotency', 'Repetition'), 'safe with an <code>Idempotency-Key</code>'] as [string, string]]
      : []),
    ...(has('If-Match')
      ? [
          [
            conventions('conditional-requests', 'Versions'),
            '<code>If-Match</code> changes only the version that you have read',
          ] as [string, string],
        ]
      : []),
    ...(has('If-None-Match')
      ? [
          [
            conventions('conditional-requests', 'Versions'),
            '<code>If-None-Match</code> answers 304 while nothing has changed',
          ] as [string, string],
        ]
      : []),
  ]
}

function renderInput(op: Operation, reference: Reference): string {
  const { schemas } = reference
  const parameters = (where: string, title: string) => {
    const chosen = op.parameters.filter((one) => one.in === where)
    if (!chosen.length) return ''
    const fields = chosen.map(({ name, schema, required, description, 'x-rate-limit-units': units }) => {
      const source = where === 'path' ? findSource(name, reference, op) : undefined
      return {
        ...{ name, schema, isRequired: Boolean(required), description },
        facts: [
          ...(source ? [`From ${link(source.href, `<code>${source.id}</code>`)}.`] : []),
          ...(units ? [`Takes ${units} units of the rate limits.`] : []),
        ],
      }
    })
    return `<h2 id="${slugOf(title)}">${title}</h2>\n${renderParameters(fields, schemas)}`
  }
  const upload = op.upload
    ? `<h2 id="form">Form</h2>\n<p>Sent as <code>multipart/form-data</code>${op.body ? ', or the rows as JSON' : ''}.</p>\n${renderFields(op.upload, { schemas })}`
    : ''
  const isList = op.body && resolveSchema(schemas, op.body.schema).type === 'array'
  const fields = op.body ? renderFields(op.body.schema, { schemas }) : ''
  const body = op.body
    ? `<h2 id="body">Body</h2>\n<p>${op.body.isRequired ? 'JSON' : 'JSON, optional'}${isList && fields ? ': a list of entries with these fields' : ''}.</p>\n${fields}`
    : ''
  return parameters('path', 'Path parameters') + parameters('query', 'Query parameters') + upload + body
}

/** `data` of the envelope. */
function dataSchemaOf(op: Operation, schemas: Record<string, Schema>): Schema | undefined {
  const media = op.success.response.content?.['application/json']
  return media && !isFile(op) ? resolveSchema(schemas, media.schema).properties?.data : undefined
}

function renderAnswer(op: Operation, reference: Reference): string {
  const { schemas } = reference
  const { status, response } = op.success
  const title = '<h2 id="answer">Answer</h2>\n'
  const data = dataSchemaOf(op, schemas)
  const media = response.content?.['application/json']
  if (!data || !media) {
    const types = Object.keys(response.content ?? {}).map((type) => `<code>${escapeHtml(type)}</code>`)
    return `${title}<p>Status ${status}: a file (${types.join(', ')}), without an envelope.</p>\n`
  }
  const fields = renderFields(data, { schemas, isAnswer: true })
  const example =
    media.example ??
    Object.values(media.examples ?? {})[0]?.value ??
    makeValue(media.schema, schemas, collectHints(op, reference))
  const list = resolveSchema(schemas, data).type === 'array' ? ', for each record' : ''
  return `${title}<p>Status ${status}. ${fields ? `The fields of <code>data</code>${list}:` : '<code>data</code> is empty.'}</p>\n${fields}<details><summary>Example of the answer</summary>${renderCode(JSON.stringify(example, null, 2), 'Example of the answer')}</details>\n`
}

function renderErrors(op: Operation): string {
  const rows = op.failures.flatMap(({ status, codes }) =>
    codes.map(
      (code) =>
        `<li><span class="status">${status}</span> ${link(`/docs/errors/${code}`, `<code>${code}</code>`)}</li>`,
    ),
  )
  return `<h2 id="errors">Errors</h2>\n<ul class="codes">${rows.join('\n')}</ul>\n`
}

function renderEvents(op: Operation, { resources }: Reference): string {
  const events = op.events.map((type) => {
    const resource = resources.find((one) => one.events.some((event) => event.type === type))
    return `<li>${link(`${resource?.href}#${type}`, `<code>${type}</code>`)}</li>`
  })
  if (!events.length) return ''
  return `<h2 id="events">Events</h2>\n<p>A call that changes something emits ${events.length > 1 ? 'these events' : 'this event'}. Each further record that changes has an event of its own. ${link('/docs/guides/webhooks', 'Webhooks')} receive them.</p>\n<ul class="codes">${events.join('\n')}</ul>\n`
}

/** A longer description continues below the fields. */
const MAX_LEAD = 500
const MAX_PARAGRAPH = 360

/** Paragraphs of a few sentences. */
function splitParagraphs(text: string): string[] {
  const sentences = text.replace(/\s+/g, ' ').split(/(?<=\.) (?=[A-Z`[][^)]*(?:\(|$))/)
  const paragraphs: string[] = []
  for (const sentence of sentences) {
    const last = paragraphs.at(-1)
    if (last !== undefined && last.length + sentence.length < MAX_PARAGRAPH)
      paragraphs[paragraphs.length - 1] = `${last} ${sentence}`
    else paragraphs.push(sentence)
  }
  return paragraphs
}

function describe({ description }: Operation): { lead: string; details: string } {
  const paragraphs = description.length > MAX_LEAD ? splitParagraphs(description) : [description]
  const [lead = '', ...others] = paragraphs.filter(Boolean).map((text) => `<p>${renderText(text)}</p>\n`)
  return { lead, details: others.length ? `<h2 id="details">Details</h2>\n${others.join('')}` : '' }
}

/** Operations on the same record or list. */
function listRelated(op: Operation, { operations }: Reference): Operation[] {
  const base = op.path.replace(/\/(restore|external\/.*|export|import|bulk(-create)?|\{\w+\})$/, '')
  return operations.filter(
    (other) => other !== op && other.tag === op.tag && (other.path === base || other.path.startsWith(`${base}/`)),
  )
}

export function makeOperationPage(op: Operation, reference: Reference): Page {
  const call = makeSampleCall(op, reference.schemas)
  const facts = listFacts(op).map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`)
  const related = listRelated(op, reference).map(({ href, summary }) => `<li>${link(href, escapeHtml(summary))}</li>`)
  const resource = reference.resources.find(({ tag }) => tag === op.tag)
  const { lead, details } = describe(op)
  const body = `<h1>${escapeHtml(op.summary)}</h1>
<p class="route">${renderRoute(op)}</p>
${lead}<dl class="facts">${facts.join('\n')}</dl>
<h2 id="samples">Samples</h2>
<h3 id="curl">curl</h3>
${renderCode(writeCurl(op, call), 'Call with curl')}<h3 id="typescript">TypeScript</h3>
${renderCode(writeTypeScript(op, call), 'Call with TypeScript')}<h3 id="python">Python</h3>
${renderCode(writePython(op, call), 'Call with Python')}${renderTryIt(op, call, reference.schemas)}${renderInput(op, reference)}${details}${renderAnswer(op, reference)}${renderErrors(op)}${renderEvents(op, reference)}${related.length ? `<h2 id="related">Related operations</h2>\n<ul class="related">${related.join('\n')}</ul>\n` : ''}`
  return {
    title: op.summary,
    section: 'reference',
    trail: [
      { href: '/docs', text: 'Reference' },
      { href: resource?.href ?? '/docs', text: op.tag },
    ],
    side: renderSide(reference, op),
    description: `${op.method} ${op.path}`,
    body,
  }
}
