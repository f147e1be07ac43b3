import { signal } from '@preact/signals'

/** Whose session it is; null until the first answer. */
export interface KnownPerson {
  email: string
  workspaceId: number
}
let person: KnownPerson | null = null

export function rememberPerson(known: KnownPerson): void {
  person = known
}

export const knownPerson = (): KnownPerson | null => person

/** True while the session has ended and the page waits for a code. */
export const isSessionEnded = signal(false)

let resume: (() => void) | undefined
let asking: Promise<void> | undefined

/** False if nobody was signed in: the page goes to the sign-in then. */
export async function askToSignInAgain(): Promise<boolean> {
  if (!person) return false
  isSessionEnded.value = true
  asking ??= new Promise<void>((resolve) => {
    resume = resolve
  })
  await asking
  return true
}

export function continueSession(): void {
  isSessionEnded.value = false
  asking = undefined
  resume?.()
}
