import * as z from 'zod'

export const NOTIFY_CHOICES = ['later', 'now', 'none'] as const

export const Notify = z.enum(NOTIFY_CHOICES, { error: 'Must be "later", "now" or "none"' })
