// Loaded into a long-running process (`node --import`): ends it when the process that started it is gone, however it went.
import process from 'node:process'
import { setInterval } from 'node:timers'

const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
}, 500).unref()
