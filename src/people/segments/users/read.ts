import { normalAddress } from '../../../http/schemas'
import { MAX_NAME } from './schema'

export interface NewUser {
  email: string
  name: string
}

export interface RejectedUser extends NewUser {
  reason: string
}

/** One entry for each item, in order. */
export type ReadUser = NewUser | RejectedUser

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/** What was submitted, one by one: who can be added, and why the others cannot. */
export function readUsers(items: readonly unknown[]): ReadUser[] {
  return items.map(readUser)
}

function readUser(item: unknown): ReadUser {
  if (item === null || typeof item !== 'object' || Array.isArray(item)) {
    return { email: '', name: '', reason: 'The user is not an object. Send {"name": …, "email": …}.' }
  }
  const { name, email } = item as { name?: unknown; email?: unknown }
  const submitted = { email: typeof email === 'string' ? email : '', name: typeof name === 'string' ? name : '' }
  const reject = (reason: string) => ({ ...submitted, reason })
  if (typeof email !== 'string') return reject('email: Must be text.')
  if (typeof name !== 'string') return reject('name: Must be text.')
  const address = normalAddress(email)
  if (address === undefined) return reject('email: Must be an e-mail address, like ada@example.com.')
  const trimmed = name.trim()
  const problem = nameProblem(trimmed)
  return problem ? reject(`name: ${problem}`) : { email: address, name: trimmed }
}

/** What is wrong with a person's name, or undefined. */
export function nameProblem(name: string): string | undefined {
  if (name.length > MAX_NAME) return `Must have at most ${MAX_NAME} characters.`
  return CONTROL.test(name) ? 'Must be one line without control characters.' : undefined
}

/** Those who can be added, each address once; the first that brings a name gives it. */
export function distinctUsers(read: readonly ReadUser[]): NewUser[] {
  const byEmail = new Map<string, NewUser>()
  for (const user of read) {
    if ('reason' in user) continue
    if (!byEmail.get(user.email)?.name) byEmail.set(user.email, user)
  }
  return [...byEmail.values()]
}
