// npm run check: the fast part of `npm test`.
import process from 'node:process'
import { check } from './run.ts'

process.exitCode = (await check()).failed ? 1 : 0
