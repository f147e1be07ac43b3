import type { Settings } from '../../env'

/** How often mail may go out within an hour. */
export interface PerHour {
  segment: number
  workspace: number
}

const DEFAULTS: PerHour = { segment: 20, workspace: 200 }

/** As it is set; what is missing, or is no number, is as it is by default. */
export const perHour = (env: Settings): PerHour => ({
  segment: counted(env.MAILINGS_PER_HOUR) ?? DEFAULTS.segment,
  workspace: counted(env.WORKSPACE_MAILINGS_PER_HOUR) ?? DEFAULTS.workspace,
})

const counted = (setting: string | undefined) => (/^[1-9]\d{0,11}$/.test(setting ?? '') ? Number(setting) : undefined)
