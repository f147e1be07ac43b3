import { signal } from '@preact/signals'

interface IssuedSecret {
  name: string
  secret: string
}

/** The service shows a secret once: the page keeps it until the person has copied it. */
export const issued = signal<IssuedSecret | undefined>(undefined)

export function showSecret({ name, secret }: IssuedSecret): void {
  issued.value = { name, secret }
}

export function forgetSecret(): void {
  issued.value = undefined
}
