// The worker behind front.ts: the bench puts the service or a floor under this name.
import type { Env } from '../../src/env.ts'

declare const worker: { fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> }
export default worker
