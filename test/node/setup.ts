// What the Workers runtime has and Node lacks, before the modules of the service.
import { createHash, timingSafeEqual } from 'node:crypto'
import { renewStorage } from './workers'

class DigestStream extends WritableStream<Uint8Array> {
  readonly digest: Promise<ArrayBuffer>

  constructor(algorithm: string) {
    const hash = createHash(algorithm.replace('-', '').toLowerCase())
    const { promise, resolve, reject } = Promise.withResolvers<ArrayBuffer>()
    promise.catch(() => {})
    super({
      write: (chunk) => void hash.update(chunk),
      close: () => resolve(new Uint8Array(hash.digest()).buffer),
      abort: reject,
    })
    this.digest = promise
  }
}

class IdentityTransformStream extends TransformStream {}

const scheduler = {
  wait: (milliseconds: number, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, milliseconds)
      signal?.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(signal.reason)
      })
    }),
}

const bytesOf = (value: ArrayBuffer | ArrayBufferView) =>
  ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value)

Object.assign(globalThis, { scheduler, IdentityTransformStream })
Object.assign(crypto, { DigestStream })
Object.assign(crypto.subtle, {
  timingSafeEqual: (a: ArrayBuffer | ArrayBufferView, b: ArrayBuffer | ArrayBufferView) =>
    timingSafeEqual(bytesOf(a), bytesOf(b)),
})

// A stream as a body is half duplex in Node, and needs to say so.
const describeDuplex = (init: RequestInit | Request): RequestInit => {
  const { body } = init
  if (!(body instanceof ReadableStream)) return init as RequestInit
  const { method, headers, redirect, signal } = init
  return { method, headers, redirect, body, ...(signal && { signal }), duplex: 'half' } as RequestInit
}

class StreamingRequest extends Request {
  constructor(input: RequestInfo | URL, init: RequestInit | Request = {}) {
    super(input, describeDuplex(init))
  }
}
Object.assign(globalThis, { Request: StreamingRequest })

await renewStorage()
