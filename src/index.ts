import { app } from './app'
import type { Env } from './env'
import type { OutsideMessage } from './outside'

export default {
  fetch: app.fetch,
} satisfies ExportedHandler<Env, OutsideMessage>
