// Stands between a worker (the built service or the floor) and its database, where the bench asks for it: `--far` delays
// every call, and a recording notes what a request executes. Other runs go without it.
import worker from './front.js'

export default {
  async fetch(request, env, context) {
    const record = request.headers.get('x-bench-record')
    if (record) return recorded(request, env, JSON.parse(record))
    return worker.fetch(request, { ...env, DB: tapped(env.DB, env.FAR, []) }, context)
  },
}

/** Answers with what the request executed instead of what it answered. The clock stands still, and what is random is known. */
async function recorded(request, env, { now, random }) {
  const { now: clock } = Date
  const { randomUUID } = crypto
  Date.now = () => now
  crypto.randomUUID = () => random
  const calls = []
  const waiting = []
  try {
    const response = await worker.fetch(
      request,
      { ...env, DB: tapped(env.DB, 0, calls) },
      { waitUntil: (work) => waiting.push(work), passThroughOnException() {} },
    )
    const answered = calls.length
    const body = await response.text()
    await Promise.all(waiting)
    return Response.json({
      status: response.status,
      body: response.status < 300 ? undefined : body,
      bytes: new TextEncoder().encode(body).length,
      timing: response.headers.get('server-timing'),
      calls: calls.slice(0, answered),
    })
  } finally {
    Date.now = clock
    crypto.randomUUID = randomUUID
  }
}

/** A D1 database or session that waits `delay` milliseconds before each call, and notes the calls. */
function tapped(target, delay, calls) {
  return {
    prepare: (text) => statement(target.prepare(text), { text, bindings: [] }),
    withSession: (constraint) => tapped(target.withSession(constraint), delay, calls),
    getBookmark: () => target.getBookmark(),
    async batch(statements) {
      if (delay) await scheduler.wait(delay)
      const results = await target.batch(statements.map(({ real }) => real))
      calls.push(
        statements.map(({ text, bindings }, index) => ({
          text,
          bindings,
          rows: JSON.stringify(results[index].results).length,
          rowsRead: results[index].meta.rows_read,
          rowsWritten: results[index].meta.rows_written,
        })),
      )
      return results
    },
  }
}

function statement(real, { text, bindings }) {
  return { real, text, bindings, bind: (...values) => statement(real.bind(...values), { text, bindings: values }) }
}
