import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import Papa from 'papaparse'
import { expect, test, vi } from 'vitest'
import { app } from '../../src/app'
import { MAX_FILE_BYTES } from '../../src/http/upload'
import { QUEUE } from '../workspace/imports/setting'
import { each, stage, target } from './table'

const { here, records } = await stage()

const MIB = 1024 * 1024
/** An R2 part and its copy, a second part in transit, and the pieces between. */
const HELD = 16 * MIB

const { Parser } = Papa

function counting(bucket: R2Bucket, given: (bytes: number) => void): R2Bucket {
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
class Reader {
  had = 0
  behind = 0

  take(bytes: number) {
    this.had += bytes
  }

  sent(bytes: number) {
    this.behind = Math.max(this.behind, bytes - this.had)
  }
}

test.each(each((op) => op.upload))('%s holds a few pieces of a file, however large it is', async (_, op) => {
  const size = (op.upload?.maxBytes ?? MAX_FILE_BYTES) - MIB
  const [stored, cut] = [new Reader(), new Reader()]
  class Counting extends Parser {
    constructor(config: Papa.ParseConfig) {
      super(config)
      const parse = this.parse.bind(this)
      this.parse = (text: string, base: number, keeps: boolean) => {
        const parsed = parse(text, base, keeps)
        if (keeps) cut.take(parsed.meta.cursor)
        return parsed
      }
    }
  }
  const spy = vi.spyOn(Papa, 'Parser').mockImplementation(Counting as never)
  const encoder = new TextEncoder()
  const part = `--b\r\ncontent-disposition: form-data; name="${op.upload?.part}"; filename="a.csv"\r\n\r\n`
  const first = encoder.encode(`${part}email,value,note\n`)
  const chunk = encoder.encode(`nobody,none,${'x'.repeat(1_000)}\n`.repeat(60))
  let sent = 0
  const body = new ReadableStream(
    {
      type: 'bytes',
      pull(controller) {
        const next = sent === 0 ? first : chunk
        controller.enqueue(next.slice())
        sent += next.length
        for (const reader of [stored, cut]) reader.sent(sent)
        if (sent < size) return
        controller.enqueue(encoder.encode('\r\n--b--\r\n'))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const FILES = counting(env.FILES, (bytes) => stored.take(bytes))
  const headers = { 'x-api-key': await here.key(), 'content-type': 'multipart/form-data; boundary=b' }
  const path = `https://groundwork.test${await target(op, records)}`
  const request = new Request(path, { method: op.method.toUpperCase(), headers, body })
  const context = createExecutionContext()
  const { status } = await app.fetch(request, { ...env, FILES, QUEUE }, context)
  await waitOnExecutionContext(context)
  spy.mockRestore()
  expect([201, 400]).toContain(status)
  const readers = [stored, cut].filter(({ had }) => had > 0)
  expect(readers.length).toBeGreaterThan(0)
  for (const { had, behind } of readers) {
    expect(had).toBeGreaterThan(size - MIB)
    expect(behind).toBeLessThan(HELD)
  }
})
