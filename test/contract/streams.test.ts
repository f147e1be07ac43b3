import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import Papa from 'papaparse'
import { expect, test, vi } from 'vitest'
import { app } from '../../src/app'
import type { AnyOperation } from '../../src/http/operation'
import { MAX_FILE_BYTES } from '../../src/http/upload'
import { QUEUE } from '../workspace/imports/scenario'
import { aroundRestore, createScenario, eachOperation, validPath } from './table'

const { here, records } = await createScenario()

const MIB = 1024 * 1024
/** An R2 part and its copy, a second part in transit, and the pieces between. */
const MAX_BACKLOG_BYTES = 16 * MIB

const { Parser } = Papa

function countBytes(bucket: R2Bucket, given: (bytes: number) => void): R2Bucket {
  const around = <T extends object>(inner: T): T =>
    new Proxy(inner, {
      get(target, name) {
        const member = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return async (...args: unknown[]) => {
          const result: unknown = await member.apply(target, args)
          const body = args[1]
          if (name === 'put' || name === 'uploadPart') given((body as Uint8Array).byteLength)
          return name === 'createMultipartUpload' ? around(result as R2MultipartUpload) : result
        }
      },
    })
  return around(bucket)
}

/** The bytes received, and the largest backlog of bytes sent but not received. */
class Backlog {
  received = 0
  maxBacklog = 0

  receive(bytes: number) {
    this.received += bytes
  }

  noteSent(bytes: number) {
    this.maxBacklog = Math.max(this.maxBacklog, bytes - this.received)
  }
}

/** Imports with one part have one reader: `receiveImportRows` splits the rows of all kinds alike. */
const readers = new Set<string>()
const isFirstOfReader = ({ upload }: AnyOperation) => {
  const reader = `${upload?.part} ${upload?.json !== undefined} ${upload?.maxBytes}`
  return upload && !readers.has(reader) && readers.add(reader)
}

test.each(eachOperation(isFirstOfReader))('%s holds a few chunks of a file of any size', async (_, op) => {
  const size = (op.upload?.maxBytes ?? MAX_FILE_BYTES) - MIB
  const [stored, cut] = [new Backlog(), new Backlog()]
  class Counting extends Parser {
    constructor(config: Papa.ParseConfig) {
      super(config)
      const parse = this.parse.bind(this)
      this.parse = (text: string, base: number, keeps: boolean) => {
        const parsed = parse(text, base, keeps)
        if (keeps) cut.receive(parsed.meta.cursor)
        return parsed
      }
    }
  }
  const spy = vi.spyOn(Papa, 'Parser').mockImplementation(Counting as never)
  const encoder = new TextEncoder()
  const part = `--b\r\ncontent-disposition: form-data; name="${op.upload?.part}"; filename="a.csv"\r\n\r\n`
  // A restore reads ZIP files alone.
  const start = op.id === 'restoreExport' ? 'PK\u0003\u0004' : ''
  const first = encoder.encode(`${part}${start}email,value,note\n`)
  const chunk = encoder.encode(`nobody,none,${'x'.repeat(1_000)}\n`.repeat(60))
  let sent = 0
  const body = new ReadableStream(
    {
      type: 'bytes',
      pull(controller) {
        const next = sent === 0 ? first : chunk
        controller.enqueue(next.slice())
        sent += next.length
        for (const reader of [stored, cut]) reader.noteSent(sent)
        if (sent < size) return
        controller.enqueue(encoder.encode('\r\n--b--\r\n'))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const FILES = countBytes(env.FILES, (bytes) => stored.receive(bytes))
  const headers = { 'x-api-key': await here.key(), 'content-type': 'multipart/form-data; boundary=b' }
  const path = `https://groundwork.test${await validPath(op, records)}`
  const request = new Request(path, { method: op.method.toUpperCase(), headers, body })
  const context = createExecutionContext()
  const { status } = await aroundRestore(op, records, async () => app.fetch(request, { ...env, FILES, QUEUE }, context))
  await waitOnExecutionContext(context)
  spy.mockRestore()
  expect([201, 400]).toContain(status)
  const readers = [stored, cut].filter(({ received }) => received > 0)
  expect(readers.length).toBeGreaterThan(0)
  for (const { received: had, maxBacklog } of readers) {
    expect(had).toBeGreaterThan(size - MIB)
    expect(maxBacklog).toBeLessThan(MAX_BACKLOG_BYTES)
  }
})
