export {
  type Client,
  type ClientOptions,
  createClient,
  type ListId,
  type OperationMethods,
  type Outcome,
} from './client.ts'
export { type ErrorCode, GroundworkError } from './errors.ts'
export { EventsGoneError, type FollowOptions, follow, readLatestEventId } from './follow.ts'
export { applyEvent, type MirrorChange, type MirrorStore, mirror, readEvent } from './mirror.ts'
export type { ApiResponse, OperationId, RequestOptions, Upload } from './request.ts'
export type * from './types.ts'
export { type Delivery, type VerifiedDelivery, verifyWebhook, WebhookError } from './webhook.ts'
