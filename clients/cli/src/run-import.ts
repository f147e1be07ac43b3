// groundwork import: shows what an import would do, asks, and follows the run.
import process from 'node:process'
import { confirm, isCancel, log, note, progress } from '@clack/prompts'
import type { Client, ImportRun } from 'groundwork-client'
import { CliError, EXIT } from './exit.ts'
import { readUpload } from './operation.ts'
import { formatTable, printData, printNote } from './output.ts'

export interface ImportFlags {
  into: string
  product?: string
  segment?: string
  update?: boolean
  createMissing?: string
  dates?: 'dmy' | 'mdy'
  mapping?: string
  dryRun?: boolean
  yes?: boolean
  json?: boolean
}

type Run = ImportRun
const POLL_MS = 1_000

/** Sends the file to the operation of its kind of record. */
function sendFile(client: Client, file: string, flags: ImportFlags, isDryRun: boolean): Promise<Run> {
  const common = {
    file: readUpload(file),
    dryRun: isDryRun ? ('true' as const) : ('false' as const),
    onConflict: flags.update ? ('update' as const) : ('skip' as const),
    ...(flags.createMissing !== undefined && { createMissing: flags.createMissing }),
    ...(flags.dates && { dates: flags.dates }),
    ...(flags.mapping !== undefined && { fields: { mapping: flags.mapping } }),
  }
  const product = () => {
    if (flags.product) return flags.product
    throw new CliError('--product is missing: the key of the product that gets the records, like GW-DEMO.')
  }
  const send = {
    backlog: () => client.importBacklog({ product_external_key: product(), ...common } as never),
    ideas: () => client.importFeedbackItems({ product: product(), ...common } as never),
    changelog: () => client.importChangelogEntries({ product: flags.product, ...common } as never),
    people: () => client.importMembers(common as never),
    suppressions: () => client.importSuppressions(common as never),
    segment: () => client.importUsersIntoSegment({ segmentId: Number(flags.segment), ...common } as never),
  }[flags.segment ? 'segment' : flags.into]
  if (!send)
    throw new CliError(`--into must be backlog, ideas, changelog, people or suppressions, not "${flags.into}".`)
  return send() as Promise<Run>
}

export async function runImport(client: Client, file: string, flags: ImportFlags): Promise<void> {
  const isTerminal = process.stdout.isTTY && !flags.json
  const preview = await sendFile(client, file, flags, true)
  if (flags.dryRun) return flags.json ? printData(preview, flags) : describePreview(preview)
  if (!flags.json) describePreview(preview)
  if (!flags.yes) {
    if (!isTerminal)
      throw new CliError('The import needs your consent. Look at the result of --dry-run, then send --yes.')
    const consent = await confirm({ message: `Import ${preview.totals.rows} rows?` })
    if (isCancel(consent) || !consent) return log.info('Nothing was imported.')
  }
  const run = await followRun(client, await sendFile(client, file, flags, false), isTerminal)
  if (flags.json) printData(run, flags)
  else describeResult(run)
  if (run.status === 'failed') throw new CliError(run.problem ?? 'No row could be imported.', EXIT.refused)
}

const isRunning = ({ status }: Run) => status === 'pending' || status === 'running'

async function followRun(client: Client, started: Run, isTerminal: boolean): Promise<Run> {
  if (!isRunning(started)) return started
  const bar = isTerminal ? progress({ max: 100 }) : undefined
  bar?.start('Importing')
  let run = started
  for (let shown = 0; isRunning(run); ) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    run = (await client.getImport({ importId: run.id })) as Run
    bar?.advance(run.progress - shown, `${run.progress} %`)
    shown = run.progress
  }
  bar?.stop('Imported')
  return run
}

function describePreview({ mapping, totals, warnings, rejected, preview = [] }: Run): void {
  const { preset, certainty, presetReason, columns } = mapping
  note(
    [
      `Product: ${preset ?? 'unknown'}${certainty ? ` (${certainty})` : ''}`,
      ...(presetReason ? [presetReason] : []),
    ].join('\n'),
    'File',
  )
  const rows = columns.map(({ column, ...meaning }) => ({
    column,
    becomes:
      'field' in meaning && meaning.field
        ? meaning.field
        : 'attribute' in meaning && meaning.attribute
          ? `attribute ${meaning.attribute}`
          : 'left out',
  }))
  note(formatTable(rows), 'Columns')
  if (preview.length) note(formatTable(preview.slice(0, 3)), 'First records')
  describeTotals(totals, warnings, rejected)
}

function describeTotals(totals: Run['totals'], warnings: Run['warnings'], rejected: Run['rejected']): void {
  const counts = Object.entries(totals).filter(([, count]) => count)
  note(counts.map(([name, count]) => `${name}: ${count}`).join('\n'), 'Rows')
  const kinds = (warnings ?? [])
    .slice(0, 10)
    .map(({ field, value, rows, became }) => `${field} "${value}" in ${rows} rows: ${became ?? 'left out'}`)
  if (kinds.length) note(kinds.join('\n'), 'Warnings')
  const reasons = (rejected ?? []).slice(0, 10).map(({ row, reason }) => `row ${row}: ${reason}`)
  if (reasons.length) note(reasons.join('\n'), 'Rejected')
}

function describeResult(run: Run): void {
  describeTotals(run.totals, run.warnings, run.rejected)
  printNote(`Run ${run.id}: ${run.status}.`)
  if (run.totals.rejected)
    printNote(`Rejected rows as a file: groundwork downloadRejectedRows --import-id ${run.id} --output rejected.csv`)
  printNote(`Take it back: groundwork undoImport --import-id ${run.id}`)
}
