// Programs on the generated clients: each creates an epic, finds it in the list, and gets the failure of a wrong request.

const START = `import process from 'node:process'
const { SERVICE_URL = '', SERVICE_TOKEN = '' } = process.env
const headers = { Authorization: \`Bearer \${SERVICE_TOKEN}\` }
const product = 'GW-DEMO'
const summary = \`Generated \${Date.now()}\`
function expect(isTrue: boolean, what: string): asserts isTrue {
  if (!isTrue) throw new Error(what)
}
`

export const TOURS = {
  'hey-api': `import { client } from './client.gen'
import { createEpic, listEpics } from './sdk.gen'
import { zCreateEpic } from './zod.gen'
${START}
client.setConfig({ baseUrl: SERVICE_URL, headers })
const path = { product_external_key: product }
const body = zCreateEpic.parse({ summary })
const created = await createEpic({ path, body })
expect(created.data?.data.summary === summary, JSON.stringify(created.error))
const listed = await listEpics({ path, query: { sort: ['-createdAt'], limit: 5 } })
expect(listed.data?.data.some((epic) => epic.summary === summary) === true, 'The epic is not in the list.')
const failed = await createEpic({ path, body: { summary: '' } })
expect(failed.error?.error.code === 'validation_failed', JSON.stringify(failed))
`,
  orval: `import { createEpic, listEpics } from './client'
${START}
const relativeFetch = globalThis.fetch
globalThis.fetch = (input, init) => relativeFetch(new URL(String(input), SERVICE_URL), init)
const created = await createEpic(product, { summary }, { headers })
expect(created.status === 200 && created.data.data.summary === summary, JSON.stringify(created.data))
const listed = await listEpics(product, { sort: ['-createdAt'], limit: 5 }, { headers })
expect(listed.status === 200 && listed.data.data.some((epic) => epic.summary === summary), 'The epic is not in the list.')
const failed = await createEpic(product, { summary: '' }, { headers })
expect(failed.status === 400 && failed.data.error.code === 'validation_failed', JSON.stringify(failed.data))
`,
  kubb: `import { createEpic } from './clients/createEpic.ts'
import { listEpics } from './clients/listEpics.ts'
import { setConfig } from './.kubb/fetch.ts'
${START}
setConfig({ baseURL: SERVICE_URL, headers })
const config = { headers }
// Its fetch sets no media type.
const json = { headers: { ...headers, 'Content-Type': 'application/json' } }
const created = await createEpic(product, { summary }, undefined, json)
expect(created.data.summary === summary, JSON.stringify(created))
const listed = await listEpics(product, { sort: ['-createdAt'], limit: 5 }, undefined, config)
expect(listed.data.some((epic) => epic.summary === summary), 'The epic is not in the list.')
`,
} as const
