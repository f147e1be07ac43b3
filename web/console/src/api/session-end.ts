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

function goOn(): void {
  isSessionEnded.value = false
  asking = undefined
  resume?.()
}

/** The pages of a browser share the session, and one code is enough for all of them. */
const pages = new BroadcastChannel('groundwork-session')
pages.onmessage = ({ data }: MessageEvent<KnownPerson>) => {
  if (data.email === person?.email && data.workspaceId === person.workspaceId) goOn()
}

export function continueSession(): void {
  goOn()
  pages.postMessage(person)
}
