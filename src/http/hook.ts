import type { Context } from 'hono'
import type { AppEnv } from './answer'
import { readHook } from './body'
import { Held } from './memory'

/** Pseudo workspace for counting bodies of unknown senders. */
export const NOBODY = 0

interface Reading {
  subscriptionId: number
  maxBytes: number
}

/** Reads and handles the body of a hook. The isolate counts the bytes until the handler ends. */
export async function withHookBody<T>(
  c: Context<AppEnv>,
  { subscriptionId, maxBytes }: Reading,
  handle: (body: Uint8Array<ArrayBuffer>) => Promise<T>,
): Promise<T> {
  const held = new Held(subscriptionId, (until) => c.executionCtx.waitUntil(until))
  try {
    return await handle(await readHook(c.req.raw, maxBytes, (bytes) => held.take(bytes)))
  } finally {
    held.release()
  }
}
