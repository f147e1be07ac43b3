import { app } from './app'
import { rowsPerDay } from './db/budget'
import { openStore, type Store } from './db/client'
import type { Origin } from './db/origin'
import type { Env, Settings } from './env'
import { wakeListeners } from './http/wake'
import type { Kind, Outlet, QueueMessage } from './messages'

/** What the doors of the queue and the cron give to the work behind them, so that none of it reads a binding. */
export interface Deps {
  /** The database, with the moment that its statements take for now. */
  store(now: number): Store
  outlet: Outlet
  files: R2Bucket
  settings: Settings
  fetch: typeof fetch
  /** The service itself, as its callers ask it; `origin` is what makes the request. */
  ask(request: Request, origin: Origin): Promise<Response>
  /** Milliseconds. */
  now(): number
  /** 0–1, for jitter. */
  random(): number
}

/** What is done with the messages of one kind. Its file begins with what it acknowledges, retries and gives up. */
export interface Handler<K extends Kind> {
  /** Milliseconds until the message should come again; undefined when it is done with. */
  handle(message: QueueMessage<K>, deps: Deps): Promise<number | undefined>
  /** The same for one that the queue gave up on; without it that is handled once more like any other. */
  handleDead?(message: QueueMessage<K>, deps: Deps): Promise<number | undefined>
  /** Milliseconds until a message comes again whose handling failed. */
  afterFailure: number
}

/** Mail for the provider goes on a queue of its own, whose consumer is held to what the provider takes. */
export const outletOf = ({ QUEUE, MAIL_QUEUE }: Pick<Env, 'QUEUE' | 'MAIL_QUEUE'>): Outlet => ({
  async sendBatch(messages) {
    const { mail = [], other = [] } = Object.groupBy(messages, ({ body }) =>
      body.kind === 'mail.chunk' ? 'mail' : 'other',
    )
    if (other.length) await QUEUE.sendBatch(other)
    if (mail.length) await MAIL_QUEUE.sendBatch(mail)
  },
})

/** `behind`: what goes on beside the work, and is to be done by its end. */
export function depsOf(env: Env, behind: Pick<ExecutionContext, 'waitUntil'>): Deps {
  const told = (subscriptionId: number) => behind.waitUntil(wakeListeners(env, subscriptionId, Date.now()))
  return {
    store: (now) => openStore(env.DB, now, { trips: 0, ms: 0, told }, rowsPerDay(env)),
    outlet: outletOf(env),
    files: env.FILES,
    settings: env,
    fetch: (input, init) => fetch(input, init),
    ask: (request, origin) => askOf(env, request, origin),
    now: Date.now,
    random: Math.random,
  }
}

/** Asks the service within this invocation, which lasts until what goes on behind the answer is done. */
export async function askOf(env: Env, request: Request, origin: Origin): Promise<Response> {
  const behind: Promise<unknown>[] = []
  const context = {
    waitUntil: (work: Promise<unknown>) => void behind.push(work),
    passThroughOnException() {},
    props: { origin },
  }
  const response = await app.fetch(request, env, context as unknown as ExecutionContext)
  await Promise.allSettled(behind)
  return response
}
