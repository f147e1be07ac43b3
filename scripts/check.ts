// npm run check: the fast part of `npm test`.
import process from 'node:process'
import { check } from './checks.ts'

process.exitCode = (await check()).failed ? 1 : 0
