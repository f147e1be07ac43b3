import type { Env } from '../env'
import { type ApiError, notConfiguredError } from '../text/errors'
import { SettingError } from './token'

// Without any of these bindings and settings, requests fail at their first use.
const REQUIRED_SETTING_NAMES = [
  'QUEUE',
  'MAIL_QUEUE',
  'KEY_RATE',
  'WORKSPACE_RATE',
  'BULK_RATE',
  'ADDRESS_RATE',
  'SIGNING_SECRETS',
] as const satisfies readonly (keyof Env)[]

/** Returns the 503 for an unexpected error if a missing or invalid setting explains the error. */
export function findConfigurationError(env: Env, cause?: unknown): ApiError | undefined {
  if (cause instanceof SettingError) return notConfiguredError(cause.setting, cause)
  const missing = REQUIRED_SETTING_NAMES.find((name) => !env[name])
  return missing && notConfiguredError(missing, cause)
}
