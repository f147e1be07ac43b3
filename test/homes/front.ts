// Runs the production build on an object (`npm run measure:homes`). A request with `x-statements` sets the database up.
import { openObjectHome } from './object-database.ts'
import worker from './worker.js'

export { ObjectHome } from './object-home.ts'

export default {
  async fetch(request: Request, env: Cloudflare.Env, context: ExecutionContext): Promise<Response> {
    const DB = openObjectHome(env.HOME.getByName('home'))
    if (!request.headers.has('x-statements')) return worker.fetch(request, { ...env, DB }, context)
    const statements: string[] = await request.json()
    await DB.batch(statements.map((text) => DB.prepare(text)))
    return new Response()
  },
}
