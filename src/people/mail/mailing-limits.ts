import type { Settings } from '../../env'

export interface MailingLimits {
  segment: number
  workspace: number
}

const DEFAULT_MAILING_LIMITS: MailingLimits = { segment: 20, workspace: 200 }

export const readMailingLimits = (env: Settings): MailingLimits => ({
  segment: parseCount(env.MAILINGS_PER_HOUR) ?? DEFAULT_MAILING_LIMITS.segment,
  workspace: parseCount(env.WORKSPACE_MAILINGS_PER_HOUR) ?? DEFAULT_MAILING_LIMITS.workspace,
})

const parseCount = (setting: string | undefined) =>
  /^[1-9]\d{0,11}$/.test(setting ?? '') ? Number(setting) : undefined
