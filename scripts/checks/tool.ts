import { spawn } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { QUIET_ENV, root } from '../wrangler.ts'

export type ToolCommand = [name: string, ...args: string[]]

/** Runs a tool, and returns what it printed. */
export function readTool([name, ...args]: ToolCommand): Promise<{ code: number; output: string }> {
  const file = path.join(root, 'node_modules', '.bin', name)
  const env = { ...process.env, ...QUIET_ENV }
  const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  return new Promise((resolve) => child.on('close', (code) => resolve({ code: code ?? 1, output })))
}

export function runTool([name, ...args]: ToolCommand, env: Record<string, string> = {}): Promise<number> {
  const file = path.join(root, 'node_modules', '.bin', name)
  const child = spawn(file, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...QUIET_ENV, ...env } })
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)))
}
