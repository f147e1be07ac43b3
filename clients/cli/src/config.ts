import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { type Client, createClient } from 'groundwork-client'
import { CliError, EXIT } from './exit.ts'

export interface Connection {
  url: string
  key: string
}

export interface ConnectionFlags {
  url?: string | undefined
  key?: string | undefined
}

const configFile = () =>
  path.join(process.env.XDG_CONFIG_HOME ?? path.join(homedir(), '.config'), 'groundwork', 'config.json')

function readStored(): Partial<Connection> {
  try {
    return JSON.parse(readFileSync(configFile(), 'utf8')) as Partial<Connection>
  } catch {
    return {}
  }
}

/** Only the user can read the file, because it holds the key. */
export function storeConnection(connection: Connection): string {
  const file = configFile()
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, `${JSON.stringify(connection, null, 2)}\n`, { mode: 0o600 })
  chmodSync(file, 0o600)
  return file
}

export const forgetConnection = (): void => rmSync(configFile(), { force: true })

/** Flags win over the environment, and the environment over the stored connection. */
export function findConnection(flags: ConnectionFlags = {}): Connection {
  const stored = readStored()
  const url = flags.url ?? process.env.GROUNDWORK_URL ?? stored.url
  const key = flags.key ?? process.env.GROUNDWORK_KEY ?? stored.key
  if (!url || !key) {
    const missing = 'You are not signed in. Run `groundwork login`, or set GROUNDWORK_URL and GROUNDWORK_KEY.'
    throw new CliError(missing, EXIT.notSignedIn)
  }
  return { url: url.replace(/\/+$/, ''), key: key.replace(/^Bearer +/i, '') }
}

export const openClient = (flags?: ConnectionFlags): Client => createClient(findConnection(flags))
