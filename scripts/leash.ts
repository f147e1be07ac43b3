// Loaded into a long-running process (`node --import`): ends the process when the parent is gone, even after a crash.
import process from 'node:process'
import { setInterval } from 'node:timers'

const parentProcessId = process.ppid
setInterval(() => {
  if (process.ppid !== parentProcessId) process.kill(process.pid, 'SIGTERM')
}, 500).unref()
