interface ProgressRequest {
  url: string
  method: string
  headers: Record<string, string>
  form: FormData
  signal?: AbortSignal | undefined
  onProgress: (sent: number, total: number) => void
  fetch: typeof fetch
}

/** The used members, because not every runtime with this client has the types of a browser. */
interface BrowserRequest {
  responseType: string
  readonly response: unknown
  readonly status: number
  readonly upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null }
  onload: (() => void) | null
  onerror: (() => void) | null
  onabort: (() => void) | null
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getAllResponseHeaders(): string
  send(body: FormData): void
  abort(): void
}
declare const XMLHttpRequest: (new () => BrowserRequest) | undefined

/** Sends a form, and reports the sent bytes. */
export const sendWithProgress = (request: ProgressRequest): Promise<Response> =>
  typeof XMLHttpRequest === 'function' ? sendByXhr(new XMLHttpRequest(), request) : sendByStream(request)

/** Browsers report progress only for XMLHttpRequest. */
function sendByXhr(
  xhr: BrowserRequest,
  { url, method, headers, form, signal, onProgress }: ProgressRequest,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    xhr.open(method, url)
    xhr.responseType = 'blob'
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    xhr.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total)
    xhr.onload = () => {
      const lines = xhr.getAllResponseHeaders().trim().split('\r\n')
      const pairs = lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string])
      resolve(new Response(xhr.response as Blob, { status: xhr.status, headers: pairs }))
    }
    xhr.onerror = () => reject(new TypeError('The upload failed.'))
    xhr.onabort = () => reject(signal?.reason ?? new TypeError('The upload was aborted.'))
    signal?.addEventListener('abort', () => xhr.abort(), { once: true })
    xhr.send(form)
  })
}

async function sendByStream({ url, method, headers, form, signal, onProgress, fetch }: ProgressRequest) {
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type') ?? ''
  const bytes = await encoded.blob()
  let sent = 0
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sent += chunk.byteLength
      onProgress(sent, bytes.size)
      controller.enqueue(chunk)
    },
  })
  const init = {
    method,
    headers: { ...headers, 'content-type': type },
    body: bytes.stream().pipeThrough(count),
    duplex: 'half',
    ...(signal && { signal }),
  }
  return fetch(url, init as RequestInit)
}
