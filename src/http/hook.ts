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
export const withHookBody = <T>(
  c: Context<AppEnv>,
  { subscriptionId, maxBytes }: HookBodyOptions,
  handle: (body: Uint8Array<ArrayBuffer>) => Promise<T>,
): Promise<T> =>
  withBodyMemory(c, subscriptionId, async (reserve) => handle(await readHookBody(c.req.raw, maxBytes, reserve)))

/** Releases the reserved bytes when the handler ends. */
export async function withBodyMemory<T>(
  c: Context<AppEnv>,
  subscriptionId: number,
  handle: (reserve: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  const held = new BodyMemory(subscriptionId, (until) => c.executionCtx.waitUntil(until))
  try {
    return await handle((bytes) => held.reserve(bytes))
  } finally {
    held.release()
  }
}
