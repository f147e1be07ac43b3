import { escapeHtml } from './html.ts'
import type { Operation, Schema } from './reference.ts'
import { resolveSchema } from './reference.ts'
import type { SampleCall } from './samples.ts'

function renderQueryField(name: string, value: string, schema: Schema, isRequired: boolean): string {
  const id = `query-${name.replace(/\W/g, '-')}`
  const values = schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : [])
  const label = `<label for="${id}"><code>${escapeHtml(name)}</code></label>`
  if (values.length) {
    const options = values.map((one) => `<option>${escapeHtml(String(one))}</option>`).join('')
    return `<div>${label}<select id="${id}" name="${escapeHtml(name)}" data-in="query"><option value=""></option>${options}</select></div>`
  }
  return `<div>${label}<input id="${id}" name="${escapeHtml(name)}" data-in="query" value="${escapeHtml(value)}" autocomplete="off"${isRequired ? ' required' : ''}></div>`
}

/** A form that sends the call to this service. The script of the page shows it. */
export function renderTryIt(op: Operation, call: SampleCall, schemas: Record<string, Schema>): string {
  const paths = Object.entries(call.path).map(
    ([name, value]) =>
      `<div><label for="path-${name}"><code>${name}</code></label><input id="path-${name}" name="${name}" data-in="path" value="${escapeHtml(String(value))}" autocomplete="off" required></div>`,
  )
  const queries = op.parameters
    .filter(({ in: where, name }) => where === 'query' && !name.includes('<'))
    .map(({ name, schema, required }) =>
      renderQueryField(name, String(call.query[name] ?? ''), resolveSchema(schemas, schema), Boolean(required)),
    )
  const required = op.parameters.some((one) => one.in === 'query' && one.required)
  const json = call.body === undefined ? '' : JSON.stringify(call.body, null, 2)
  const body = json
    ? `<div><label for="try-body">Body</label><textarea id="try-body" rows="${Math.min(16, json.split('\n').length + 1)}" spellcheck="false">${escapeHtml(json)}</textarea></div>`
    : ''
  const file = call.upload
    ? `<div><label for="try-file">File of the part <code>${call.upload.part}</code></label><input id="try-file" type="file" name="${call.upload.part}" required></div>`
    : ''
  const key = op.needsKey
    ? '<div><label for="try-key">API key, kept in this tab</label><input id="try-key" type="password" autocomplete="off" spellcheck="false" required></div>'
    : ''
  const warning = op.method === 'GET' ? '' : '<p class="hint">This call acts on the workspace of the key.</p>'
  return `<section id="try" aria-labelledby="try-title" hidden>
<h2 id="try-title">Try it</h2>
<form data-method="${op.method}" data-path="${escapeHtml(op.path)}">
${key}${paths.join('\n')}${queries.length ? `<details${required ? ' open' : ''}><summary>Query parameters</summary><div class="pairs">${queries.join('\n')}</div></details>` : ''}${body}${file}${warning}
<button>Send ${op.method}</button>
</form>
<p role="status" id="try-status"></p>
<pre id="try-answer" tabindex="0" role="region" aria-label="Answer" hidden><code></code></pre>
</section>
`
}
