import type { Settings } from '../../env'

export interface PerHour {
  segment: number
  workspace: number
}

const DEFAULTS: PerHour = { segment: 20, workspace: 200 }

/** Reads the limits of mailings per hour; invalid or missing settings fall back to the defaults. */
export const perHour = (env: Settings): PerHour => ({
  segment: counted(env.MAILINGS_PER_HOUR) ?? DEFAULTS.segment,
  workspace: counted(env.WORKSPACE_MAILINGS_PER_HOUR) ?? DEFAULTS.workspace,
})

const counted = (setting: string | undefined) => (/^[1-9]\d{0,11}$/.test(setting ?? '') ? Number(setting) : undefined)
