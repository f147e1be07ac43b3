/** Runs the statements in one transaction, and answers the rows of each statement. */
export default {
  async fetch(request, env) {
    const { binding, statements } = await request.json()
    const database = env[binding]
    try {
      const results = await database.batch(statements.map((statement) => database.prepare(statement)))
      return Response.json(results.map(({ results: rows }) => rows))
    } catch (error) {
      return new Response(error.message, { status: 500 })
    }
  },
}
