import { app } from './app'
import { createDatabaseMeter, type DatabaseMeter } from './db/client/batch'
import { openStore, type Store } from './db/client/client'
import { readQuotas } from './db/client/quota'
import { rememberedSize } from './db/client/storage'
import type { Origin, RequestOrigin } from './db/sql/origin'
import type { Env, Settings } from './env'
import { firstHomeOf, type Home, hasHome, homeOf, listHomes, listOtherHomes } from './homes'
import { enqueueWebhookDelivery } from './http/queue'
import { type DataPoint, writeDataPoint } from './http/telemetry'
import type { MessageKind, MessageOutlet, QueueMessage } from './messages'

type HomeDeps = Pick<BackgroundDeps, 'store' | 'files' | 'databaseSize' | 'home'>

export interface BackgroundDeps {
  /** `origin`: the cause of the written events. */
  store(now: number, meter?: DatabaseMeter, origin?: Origin): Store
  outlet: MessageOutlet
  files: R2Bucket
  /** Number of the home; absent: 0. */
  home?: number
  /** Bytes of the database, as its last answer stated; 0 if unknown. */
  databaseSize(): number
  /** The store and the files of the home of a workspace; absent if `store` and `files` belong to the only home. */
  openHome?(workspaceId: number): HomeDeps
  /** The homes without the workspace, for names that are unique in the service. */
  listOtherHomes?(workspaceId: number): HomeDeps[]
  /** False if the id belongs to no home; absent with one home. */
  knowsHome?(workspaceId: number): boolean
  settings: Settings
  record(point: DataPoint): void
  fetch: typeof fetch
  /** Sends a request to the service itself; `origin` names the cause of the request. */
  sendRequest(request: Request, origin: RequestOrigin): Promise<Response>
  now(): number
  random(): number
}

export interface MessageDeps extends BackgroundDeps {
  /** Makes a call to a receiver when a connection of the workspace's share is free. */
  connect(call: () => Promise<void>): Promise<void>
}

/** The handler's file begins with its error policy: acknowledged, retried, given up. */
export interface MessageHandler<K extends MessageKind> {
  handle(message: QueueMessage<K>, deps: MessageDeps): Promise<number | undefined>
  handleDead?(message: QueueMessage<K>, deps: MessageDeps): Promise<number | undefined>
  /** Milliseconds until a retry after an exception. */
  afterFailure: number
}

/** Mail for the provider goes to a separate queue, because the consumer of mail keeps to the provider's rate limit. */
export const createOutlet = ({ QUEUE, MAIL_QUEUE }: Pick<Env, 'QUEUE' | 'MAIL_QUEUE'>): MessageOutlet => ({
  async sendBatch(messages) {
    const { mail = [], other = [] } = Object.groupBy(messages, ({ body }) =>
      body.kind === 'mail.chunk' ? 'mail' : 'other',
    )
    if (other.length) await QUEUE.sendBatch(other)
    if (mail.length) await MAIL_QUEUE.sendBatch(mail)
  },
})

/** Without `home`, the first home. */
export function createBackgroundDeps(
  env: Env,
  execution: Pick<ExecutionContext, 'waitUntil'>,
  home = firstHomeOf(env),
): BackgroundDeps {
  const onEvent = (subscriptionId: number) =>
    execution.waitUntil(enqueueWebhookDelivery(env, subscriptionId, { now: Date.now() }))
  const open = ({ number, env: { DB, FILES } }: Home): HomeDeps => ({
    home: number,
    store: (now, meter = createDatabaseMeter(), origin) =>
      openStore(DB, now, Object.assign(meter, { onEvent }), readQuotas(env), origin),
    files: FILES,
    databaseSize: () => rememberedSize(DB),
  })
  return {
    ...open(home),
    openHome: (workspaceId) => open(homeOf(env, workspaceId)),
    ...(listHomes(env).length > 1 && { knowsHome: (workspaceId: number) => hasHome(env, workspaceId) }),
    listOtherHomes: (workspaceId) => listOtherHomes(env, workspaceId).map(open),
    outlet: createOutlet(env),
    settings: env,
    record: (point) => writeDataPoint(env, point),
    fetch: (input, init) => fetch(input, init),
    sendRequest: (request, origin) => callService(env, request, origin),
    now: Date.now,
    random: Math.random,
  }
}

export async function callService(env: Env, request: Request, origin: RequestOrigin): Promise<Response> {
  const backgroundWork: Promise<unknown>[] = []
  const context = {
    waitUntil: (work: Promise<unknown>) => void backgroundWork.push(work),
    passThroughOnException() {},
    props: { origin },
  }
  const response = await app.fetch(request, env, context as unknown as ExecutionContext)
  await Promise.allSettled(backgroundWork)
  return response
}
