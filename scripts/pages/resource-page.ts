import { renderFields } from './fields.ts'
import { type Page, renderCode, renderText } from './html.ts'
import { renderOperationList, renderSide } from './navigation.ts'
import type { Event, Reference, Resource } from './reference.ts'

/** Guides that belong to a resource. */
const GUIDES: Record<string, { href: string; text: string }> = {
  Segments: { href: '/docs/guides/segments-and-mail', text: 'Segments and mail' },
  Members: { href: '/docs/guides/segments-and-mail', text: 'Segments and mail' },
  Mail: { href: '/docs/guides/segments-and-mail', text: 'Segments and mail' },
  Webhooks: { href: '/docs/guides/webhooks', text: 'Webhooks' },
  Events: { href: '/docs/guides/pagination-and-mirroring', text: 'Pagination and mirroring' },
  Imports: { href: '/docs/guides/imports', text: 'Imports' },
  Exports: { href: '/docs/exports', text: 'Exports' },
  'API keys': { href: '/docs/guides/authentication', text: 'Authentication and scopes' },
}

function renderEvent(event: Event, reference: Reference): string {
  const data = reference.schemas[event.schema.$ref?.split('/').at(-1) ?? '']?.properties?.data
  const fields = data ? renderFields(data, { schemas: reference.schemas, isAnswer: true }) : ''
  const nested = fields && `<details><summary>Fields of <code>data</code></summary>${fields}</details>`
  return `<h3 id="${event.type}"><code>${event.type}</code></h3>
<p>${renderText(event.description)}</p>
<details><summary>Example of a delivery</summary>${renderCode(JSON.stringify(event.example, null, 2), `Delivery of ${event.type}`)}</details>
${nested}`
}

export function makeResourcePage(resource: Resource, reference: Reference): Page {
  const guide = GUIDES[resource.tag]
  const events = resource.events.map((event) => renderEvent(event, reference))
  const body = `<h1>${resource.tag}</h1>
<p>${renderText(resource.description)}${guide ? ` Guide: <a href="${guide.href}">${guide.text}</a>.` : ''}</p>
<h2 id="operations">Operations</h2>
${renderOperationList(resource.operations)}${events.length ? `<h2 id="events">Events</h2>\n<p><a href="/docs/guides/webhooks">Webhooks</a> and the <a href="/docs/reference/events/listEvents">list of events</a> carry these events.</p>\n${events.join('\n')}` : ''}`
  return {
    title: resource.tag,
    section: 'reference',
    trail: [{ href: '/docs', text: 'Reference' }],
    side: renderSide(reference, resource),
    description: resource.description,
    body,
  }
}

/** All operations; the page of the search too. */
export function makeReferencePage(reference: Reference): Page {
  const sections = reference.resources.map(
    ({ tag, href, description, operations }) =>
      `<h2 id="${href.split('/').at(-1)}"><a href="${href}">${tag}</a></h2>\n<p>${renderText(description)}</p>\n${renderOperationList(operations)}`,
  )
  const body = `<h1>Reference</h1>
<section id="results" class="found" aria-labelledby="results-title" hidden><h2 id="results-title">Search</h2><ol></ol></section>
<p>${reference.operations.length} operations. The <a href="/docs/guides/getting-started">first call</a> takes a minute; the <a href="/docs/api-conventions">conventions</a> hold for every operation. For programs: <a href="/openapi.json">openapi.json</a>, a TypeScript client and a command line.</p>
${sections.join('\n')}`
  return {
    title: 'Reference',
    section: 'reference',
    side: renderSide(reference),
    description: 'All operations of the API.',
    body,
  }
}
