/** A file that is made while it is read. */
export interface Download {
  /** Its media type. */
  type: string
  name: string
  pieces: AsyncGenerator<string>
}

/**
 * The answer of such a file: a piece is made when the client has taken the one before, and none once it is gone. What
 * goes wrong on the way cuts the file off, which the client sees.
 */
export function download({ type, name, pieces }: Download): Response {
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

/** The same, with its first item made: what is refused with that is an answer of its own. */
export async function begun<T>(items: AsyncGenerator<T>): Promise<AsyncGenerator<T>> {
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
