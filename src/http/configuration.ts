import type { Env } from '../env'
import { ApiError } from '../text/errors'
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

/** Creates a 503 that names the setting, never its value. */
export function notConfiguredError(setting: string, cause?: unknown): ApiError {
  const message = `The service is not configured: ${setting} is missing or invalid. Ask the operator of the service to set it.`
  return new ApiError('not_configured', message, { headers: { 'Retry-After': '60' }, cause })
}

/** Returns the 503 for an unexpected error if a missing or invalid setting explains the error. */
export function findConfigurationError(env: Env, cause?: unknown): ApiError | undefined {
  if (cause instanceof SettingError) return notConfiguredError(cause.setting, cause)
  const missing = REQUIRED_SETTING_NAMES.find((name) => !env[name])
  return missing && notConfiguredError(missing, cause)
}
