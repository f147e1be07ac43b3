// npm run sql -- <operationId>: prints the statements of an operation, with their places, query plans and rows.
import path from 'node:path'
import process from 'node:process'
import { startVitest } from 'vitest/node'
import { root, runMain, UserProblem } from '../wrangler.ts'
import { formatStatement } from './format-sql.ts'

await runMain(async () => {
  const [operation] = process.argv.slice(2)
  if (!operation) throw new UserProblem('Name an operation: npm run sql -- listTags')
  process.env.SQL_OPERATION = operation
  const vitest = await startVitest([], { root, project: ['sql'], watch: false, run: true, reporters: [{}] })
  const modules = vitest.state.getTestModules()
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const errors = [
    ...modules.flatMap((module) => module.errors()),
    ...tests.flatMap((test) => test.result().errors ?? []),
  ]
  await vitest.close()
  const { nearIds, batches = [] } = tests[0]?.meta() ?? {}
  if (nearIds) throw new UserProblem(`No operation has the id "${operation}". Similar ids: ${nearIds.join(', ')}`)
  for (const [n, statements] of batches.entries()) {
    console.log(`${operation}, batch ${n + 1} of ${batches.length}\n`)
    for (const [m, statement] of statements.entries())
      console.log(formatStatement(statement, `${m + 1} of ${statements.length}`))
  }
  // A faulty statement makes the response and the query plan fail too.
  const fault = errors.find(({ name }) => name === 'StatementFault')
  const failures = (fault ? [fault] : errors).map(({ stack, message }) => stack ?? message)
  if (failures.length) throw new UserProblem(failures.join('\n\n').replaceAll(`${root}${path.sep}`, ''))
})
