import type { Context } from 'hono'
import type { AppEnv } from './answer'
import { readHook } from './body'
import { Held } from './memory'

/** Whom the bodies of senders that we do not know are counted for. */
export const NOBODY = 0

interface Reading {
  /** The workspace that the bytes are counted for. */
  subscriptionId: number
  maxBytes: number
}

/** Reads the body of a hook and handles it; the isolate counts the bytes until that is done. */
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
