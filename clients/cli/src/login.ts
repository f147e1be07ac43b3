// groundwork login, logout, whoami and open.
import { spawn } from 'node:child_process'
import process from 'node:process'
import { cancel, isCancel, outro, password, text } from '@clack/prompts'
import { createClient } from 'groundwork-client'
import { type ConnectionFlags, findConnection, forgetConnection, openClient, storeConnection } from './config.ts'
import { CliError } from './exit.ts'
import { formatRecord, printData, printLine, printNote } from './output.ts'

const DEFAULT_URL = 'http://localhost:8787'

export async function login({ url, key }: ConnectionFlags): Promise<void> {
  const connection = url && key ? { url, key } : await askForConnection({ url, key })
  if (!connection) return
  const stored = { url: connection.url.replace(/\/+$/, ''), key: connection.key.replace(/^Bearer +/i, '').trim() }
  const { workspace, user } = await createClient(stored).getMe()
  const file = storeConnection(stored)
  printNote(`Signed in to ${workspace.name} as ${user.email || user.id}. The key is stored in ${file}.`)
}

async function askForConnection({ url, key }: ConnectionFlags) {
  if (!process.stdin.isTTY) throw new CliError('Send --url and --key; this terminal cannot ask for them.')
  const address = url ?? (await text({ message: 'Address of the service', initialValue: DEFAULT_URL }))
  if (isCancel(address)) return void cancel('Nothing was stored.')
  const secret = key ?? (await password({ message: 'API key' }))
  if (isCancel(secret)) return void cancel('Nothing was stored.')
  return { url: address, key: secret }
}

export function logout(): void {
  forgetConnection()
  outro('The stored key is gone from this machine. It stays valid until you revoke it.')
}

export async function whoami(flags: ConnectionFlags & { json?: boolean }): Promise<void> {
  const me = await openClient(flags).getMe()
  if (flags.json) return printData(me, flags)
  const { workspace, user, scopes, products, expiresAt } = me
  const rows = {
    service: findConnection(flags).url,
    workspace: workspace.name,
    user: user.email,
    role: user.role,
    scopes: scopes.join(' '),
    products: products?.join(' ') ?? 'all',
    expires: expiresAt,
  }
  printLine(formatRecord(rows))
}

const OPENERS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer' }

export function openPage(page: string, flags: ConnectionFlags): void {
  const url = `${findConnection(flags).url}/${page.replace(/^\/+/, '')}`
  printLine(url)
  const child = spawn(OPENERS[process.platform] ?? 'xdg-open', [url], { stdio: 'ignore', detached: true })
  child.on('error', () => printNote('Open the address in your browser.'))
  child.unref()
}
