// npm run check: the fast part of `npm test`.
import process from 'node:process'
import { runStaticChecks } from './run.ts'

process.exitCode = (await runStaticChecks()).failed ? 1 : 0
