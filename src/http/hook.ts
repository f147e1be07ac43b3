import type { Context } from 'hono'
import { readHook } from './body'
import { BodyMemory } from './memory'
import type { AppEnv } from './response'

/** Pseudo workspace for counting bodies of unknown senders. */
export const UNKNOWN_WORKSPACE = 0

interface HookBodyOptions {
  subscriptionId: number
  maxBytes: number
}

/** The isolate counts the bytes until the handler ends. */
export async function withHookBody<T>(
  c: Context<AppEnv>,
  { subscriptionId, maxBytes }: HookBodyOptions,
  handle: (body: Uint8Array<ArrayBuffer>) => Promise<T>,
): Promise<T> {
  const held = new BodyMemory(subscriptionId, (until) => c.executionCtx.waitUntil(until))
  try {
    return await handle(await readHook(c.req.raw, maxBytes, (bytes) => held.reserve(bytes)))
  } finally {
    held.release()
  }
}
