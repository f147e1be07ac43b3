#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { Command, CommanderError } from 'commander'
import packageFile from '../package.json' with { type: 'json' }
import { makeCompletion } from './completion.ts'
import { openClient } from './config.ts'
import { type EventFlags, type ForwardFlags, forwardWebhooks, showEvents } from './events.ts'
import { CliError, EXIT, exitCodeOf, formatError } from './exit.ts'
import { login, logout, openPage, whoami } from './login.ts'
import { callOperation, formatHelp, isOperation, operations, parseCall } from './operation.ts'
import { formatTable, printData, printLine, printNote } from './output.ts'
import { EXPORTED, type ExportFlags, runExport, runRestore, saveResponse } from './run-export.ts'
import { type ImportFlags, runImport } from './run-import.ts'

const program = new Command('groundwork')
  .description(
    'Groundwork on the command line. Any operation by its id: groundwork createEpic --product GW-DEMO --summary "Offline mode"',
  )
  .version(packageFile.version)
  .showHelpAfterError('(groundwork --help lists the commands)')
  .exitOverride()

/** A command with the flags that every command has. */
const command = (parent: Command, usage: string, about: string) =>
  parent
    .command(usage)
    .description(about)
    .option('--json', 'JSON on the standard output')
    .option('--url <url>', 'address of the service')
    .option('--key <key>', 'API key')

command(program, 'login', 'store the address and a key on this machine').action(login)
program.command('logout').description('forget the stored key').action(logout)
command(program, 'whoami', 'workspace, user and scopes of your key').action(whoami)

program
  .command('operations [words...]')
  .description('find operations by words')
  .option('--json', 'JSON on the standard output')
  .action((words: string[], flags: { json?: boolean }) => {
    const found = Object.entries(operations).filter(([id, { summary, tag }]) =>
      words.every((word) => `${id} ${summary} ${tag}`.toLowerCase().includes(word.toLowerCase())),
    )
    const rows = found.map(([id, { summary, tag }]) => ({ id, summary, name: tag }))
    if (flags.json) printData(rows, flags)
    else printLine(formatTable(rows))
  })

command(program, 'import <file>', 'import a file of another product, with a preview')
  .requiredOption('--into <records>', 'backlog, ideas, changelog, people or suppressions')
  .option('--product <key>', 'product that gets the records')
  .option('--segment <id>', 'segment that the people join')
  .option('--update', 'update known records; default: skip')
  .option('--create-missing <kinds>', 'create statuses,categories,tags,versions,segments of the file')
  .option('--dates <order>', 'dmy or mdy, where the file leaves the order open')
  .option('--mapping <json>', 'meaning of columns')
  .option('--dry-run', 'show the preview only')
  .option('--yes', 'import without asking')
  .action((file: string, flags: ImportFlags) => runImport(openClient(flags as never), file, flags))

command(program, 'export <records>', `save records as a file: ${EXPORTED.join(', ')}`)
  .option('--product <key>', 'product of the records')
  .option('--format <format>', 'csv, json or ndjson', 'csv')
  .option('--include <parts>', 'further parts, such as comments, votes, or files,events of a workspace')
  .option('-o, --output <file>', 'file to write; default: the standard output')
  .action((what: string, flags: ExportFlags) => runExport(openClient(flags as never), what, flags))

command(program, 'restore <file>', 'restore the export of a workspace into an empty workspace').action(
  (file: string, flags: { json?: boolean }) => runRestore(openClient(flags as never), file, flags),
)

command(program, 'events', 'the newest events, or new events as they happen')
  .option('--type <types>', 'types or patterns, such as epic.*,kpi.created')
  .option('--product <key>', 'events of a product')
  .option('--origin <origin>', 'events of an origin, such as import')
  .option('--after <id>', 'events after this id')
  .option('-f, --follow', 'wait for new events')
  .action((flags: EventFlags) => showEvents(openClient(flags as never), flags))

const webhooks = program.command('webhooks').description('deliveries of webhooks on this machine')
command(webhooks, 'forward', 'send new events to an address on this machine, signed like a webhook')
  .requiredOption('--to <address>', 'such as localhost:3000/hooks')
  .option('--events <types>', 'types or patterns; default: all')
  .option('--secret <secret>', 'whsec_…; default: a new secret')
  .action((flags: ForwardFlags) => forwardWebhooks(openClient(flags as never), flags))

const mail = program.command('mail').description('mail of the workspace')
command(mail, 'test', 'send a test mail')
  .requiredOption('--to <addresses>', 'at most five, separated by commas')
  .requiredOption('--subject <text>')
  .requiredOption('--html <file>', 'file with the HTML of the mail')
  .action(async (flags: { to: string; subject: string; html: string; json?: boolean }) => {
    const body = { to: flags.to.split(','), subject: flags.subject, html: readFileSync(flags.html, 'utf8') }
    printData(await openClient(flags as never).sendTestEmail({ body }), flags)
  })

command(program, 'open [page]', 'open a page of the service in your browser').action(
  (page: string | undefined, flags) => openPage(page ?? 'docs', flags),
)
program
  .command('completion <shell>')
  .description('completion for bash, zsh or fish')
  .action((shell: string) => {
    process.stdout.write(`${makeCompletion(shell)}\n`)
  })

async function runOperation(id: string, args: readonly string[]): Promise<void> {
  if (!isOperation(id)) return
  const call = parseCall(id, args)
  const { control } = call
  if (control.help !== undefined) return printLine(formatHelp(id))
  const data = await callOperation(openClient(control), id, call)
  if (data instanceof Response) return saveResponse(data, control.output)
  printData(data, { json: control.json !== undefined })
}

const [first, ...rest] = process.argv.slice(2)
try {
  if (first !== undefined && isOperation(first)) await runOperation(first, rest)
  else await program.parseAsync()
} catch (error) {
  // commander has printed its own message.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.wrongUse
  else {
    printNote(formatError(error, rest.includes('--json')))
    if (error instanceof CliError || exitCodeOf(error)) process.exitCode = exitCodeOf(error)
  }
}
