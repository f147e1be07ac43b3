import type { DatabaseMeter } from '../db/client/batch'
import type { Env } from '../env'
import { logWarning } from '../text/log'

/**
 * A data point of Workers Analytics Engine (docs/operations.md). The index is the workspace; `0` stands for work
 * without a workspace.
 * Blobs: kind, operation, outcome, version, colo. Doubles: ms, database ms, batches, rows read, rows written, bytes.
 */
export interface DataPoint {
  kind: 'request' | 'message' | 'cron' | 'alert'
  /** Id of the operation, kind of the message, name of the cron job, or name of the alert. */
  operation: string
  /** HTTP status, `acknowledged`, `retried`, `done`, `failed` or `alerted`. */
  outcome: string
  workspace?: number | undefined
  colo?: string | undefined
  /** Milliseconds, of a request until its response begins. */
  ms: number
  meter: DatabaseMeter
  /** Bytes of the response, from `Content-Length`; of an alert, the bytes of the database. */
  bytes?: number | undefined
}

type TelemetryEnv = Pick<Env, 'TELEMETRY' | 'VERSION'>

/** Writes nothing without the binding. A failure of telemetry never fails the work. */
export function writeDataPoint(env: TelemetryEnv, point: DataPoint): void {
  const { kind, operation, outcome, workspace = 0, colo = '', ms, meter, bytes = 0 } = point
  try {
    env.TELEMETRY?.writeDataPoint({
      indexes: [String(workspace)],
      blobs: [kind, operation, outcome, env.VERSION?.id ?? '', colo],
      doubles: [ms, meter.ms, meter.trips, meter.rowsRead, meter.rowsWritten, bytes],
    })
  } catch (cause) {
    logWarning('A data point was not written.', {}, cause)
  }
}
