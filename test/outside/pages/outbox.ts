import { pollFor } from '../../poll.ts'
import { apiKey, serviceUrl } from './inspect.ts'

interface Mailing {
  id: number
  kind: string
}

interface Recipient {
  position: number
  email: string
}

async function read<D>(path: string, key: string): Promise<D> {
  const response = await fetch(serviceUrl + path, { headers: { Authorization: `Bearer ${key}` } })
  const { data } = (await response.json()) as { data: D }
  return data
}

/** Text of the newest mail of the kind to the address, as the local outbox keeps it. */
async function findMail(kind: string, email: string, key: string): Promise<string | undefined> {
  const mailings = await read<Mailing[]>('/api/v2/emails?limit=20', key)
  for (const mailing of mailings.filter((one) => one.kind === kind)) {
    const recipients = await read<Recipient[]>(`/api/v2/emails/${mailing.id}/recipients`, key)
    const found = recipients.find((one) => one.email === email)
    if (!found) continue
    const path = `/api/v2/emails/${mailing.id}/recipients/${found.position}`
    return (await read<{ message: { text: string } }>(path, key)).message.text
  }
  return undefined
}

export const waitForMail = (kind: string, email: string, key = apiKey): Promise<string> =>
  pollFor(`A mail of the kind ${kind} to ${email}`, () => findMail(kind, email, key))

export const readCode = async (email: string): Promise<string> =>
  /\b\d{6}\b/.exec(await waitForMail('sign_in', email))?.[0] ?? ''
