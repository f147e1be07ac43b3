// What start-up is compared with: the two libraries of the service, and one operation.
import { Hono } from 'hono'
import * as z from 'zod'

const Body = z.object({ name: z.string().min(1) })

const app = new Hono()
app.post('/', async (c) => c.json({ success: true, data: Body.parse(await c.req.json()) }))

export default app
