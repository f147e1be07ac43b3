// A form on which customers send ideas. The API key stays on the server.
//   GROUNDWORK_URL, GROUNDWORK_KEY   address of the service, and a key with the scopes `feedback:write` and `segments:write`
//   GROUNDWORK_PRODUCT               key of the product, such as GW-DEMO
//   node portal-form.ts --port 3000
import { createServer } from 'node:http'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { createClient, GroundworkError } from 'groundwork-client'

const { values } = parseArgs({ options: { port: { type: 'string', default: '3000' } } })
const { GROUNDWORK_URL: url = 'http://localhost:8787', GROUNDWORK_KEY: key = '' } = process.env
const product = process.env.GROUNDWORK_PRODUCT ?? 'GW-DEMO'
const groundwork = createClient({ url, key })

const MAX_BODY_BYTES = 100_000
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (value: string) => value.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)

interface Fields {
  title: string
  description: string
  email: string
}

const renderPage = (message: string, { title, description, email }: Fields) => `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <title>Send an idea</title>
  <h1>Send an idea</h1>
  <p role="status">${escapeHtml(message)}</p>
  <form method="post">
    <p><label>Title<br><input name="title" required maxlength="200" value="${escapeHtml(title)}"></label></p>
    <p><label>What would it help you with?<br><textarea name="description" rows="6">${escapeHtml(description)}</textarea></label></p>
    <p><label>Your e-mail address<br><input name="email" type="email" required value="${escapeHtml(email)}"></label></p>
    <p><button>Send</button></p>
  </form>
</html>`

const EMPTY: Fields = { title: '', description: '', email: '' }

/** Plain text becomes a paragraph: the service stores HTML, and removes scripts. */
async function sendIdea({ title, description, email }: Fields): Promise<string> {
  const idea = await groundwork.createFeedbackItem({
    body: { title, product, long_description: `<p>${escapeHtml(description)}</p>`, user: { email } },
  })
  return `Thank you. Your idea has the number ${idea.external_key}.`
}

createServer(async (request, response) => {
  const reply = (status: number, message: string, fields = EMPTY) =>
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(renderPage(message, fields))
  if (request.method !== 'POST') return reply(200, 'We read every idea.')
  if (Number(request.headers['content-length'] ?? MAX_BODY_BYTES + 1) > MAX_BODY_BYTES)
    return reply(413, 'The text is too long.')
  const form = new URLSearchParams(await text(request))
  const [title = '', description = '', email = ''] = ['title', 'description', 'email'].map(
    (name) => form.get(name) ?? '',
  )
  const fields = { title, description, email }
  try {
    return reply(200, await sendIdea(fields))
  } catch (error) {
    // What the visitor wrote stays in the form.
    if (error instanceof GroundworkError && error.code === 'validation_failed') return reply(400, error.message, fields)
    console.error(error)
    return reply(503, 'Your idea could not be sent. Please try again in a minute.', fields)
  }
}).listen(Number(values.port), () => console.log(`Open http://localhost:${values.port}`))
