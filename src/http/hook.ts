import type { Context } from 'hono'
import { readHookBody } from './body'
import { BodyMemory } from './memory'
import type { AppEnv } from './response'

/** Pseudo workspace for counting bodies of unknown senders. */
export const UNKNOWN_SENDER_WORKSPACE_ID = 0

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
    return await handle(await readHookBody(c.req.raw, maxBytes, (bytes) => held.reserve(bytes)))
  } finally {
    held.release()
  }
}
