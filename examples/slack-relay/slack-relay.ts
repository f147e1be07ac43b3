// Tells a channel of Slack about new ideas and releases. Create a webhook for `feedback.created` and
// `solution_version.released` with the address of this program.
//   GROUNDWORK_WEBHOOK_SECRET   whsec_…, shown when you create the webhook
//   SLACK_WEBHOOK_URL           address of an incoming webhook of Slack
//   node slack-relay.ts --port 3000
import { createServer } from 'node:http'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { type Delivery, verifyWebhook, WebhookError } from 'groundwork-client'

const { values } = parseArgs({ options: { port: { type: 'string', default: '3000' } } })
const { GROUNDWORK_WEBHOOK_SECRET: secret = '', SLACK_WEBHOOK_URL: slack = '' } = process.env

/** Slack reads `&`, `<` and `>` as its own syntax. */
const escapeText = (value: unknown) =>
  String(value).replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? sign)

function describe({ type, data }: Delivery): string | undefined {
  const record = data as Record<string, unknown>
  if (type === 'feedback.created') return `New idea ${record.external_key}: ${escapeText(record.title)}`
  if (type === 'solution_version.released') return `Released: ${escapeText(record.name)}`
  return undefined
}

// A delivery can arrive twice. Keep the ids in a database if the program may restart within minutes.
const MAX_REMEMBERED_IDS = 1_000
const handled = new Set<string>()

createServer(async (request, response) => {
  try {
    const { id, delivery } = await verifyWebhook(request.headers, await text(request), secret)
    const message = handled.has(id) ? undefined : describe(delivery)
    if (message !== undefined) {
      const answer = await fetch(slack, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text: message }),
      })
      if (!answer.ok) throw new Error(`Slack answered ${answer.status}.`)
    }
    handled.add(id)
    for (const oldest of handled) if (handled.size > MAX_REMEMBERED_IDS) handled.delete(oldest)
    response.writeHead(204).end()
  } catch (error) {
    if (!(error instanceof WebhookError)) console.error(error)
    // The service repeats a delivery that got a 500.
    response.writeHead(error instanceof WebhookError ? 400 : 500).end()
  }
}).listen(Number(values.port), () => console.log(`Listening on port ${values.port}`))
