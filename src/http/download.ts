export interface FileDownload {
  type: string
  name: string
  pieces: AsyncGenerator<string>
}

/** A piece is made only after the client took the previous piece. An error cuts the file off, visible to the client. */
export function downloadResponse({ type, name, pieces }: FileDownload): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      async cancel() {
        await pieces.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    headers: { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` },
  })
}

/** Makes the first item before the response, because an error of the first item must become an error response. */
export async function awaitFirstItem<T>(items: AsyncGenerator<T>): Promise<AsyncGenerator<T>> {
  const first = await items.next()
  return (async function* () {
    try {
      if (!first.done) yield first.value
      yield* items
    } finally {
      await items.return(undefined)
    }
  })()
}
