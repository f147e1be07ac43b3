import { archivePrefixOf } from '../../workspace/events/archive'
import type { Erasure } from './queries/work'

type ArchiveFiles = Pick<R2Bucket, 'list' | 'get' | 'put'>

interface ArchivedMailing {
  type: string
  data: { subject?: string; totals?: { recipients: number } }
}

function eraseFromLine(line: string, { email, firstName, lastName }: Erasure): string {
  // The second replacement is for JSON within a JSON text.
  const text = line.replaceAll(`"${email}"`, '""').replaceAll(`"${email}\\"`, '"\\"')
  if (!text.includes('"type":"email.')) return text
  const { data, ...event } = JSON.parse(text) as ArchivedMailing
  const subject = data.subject ?? ''
  const namesPerson =
    [firstName, lastName].some((name) => name && subject.includes(name)) || subject.toLowerCase().includes(email)
  if (data.totals?.recipients !== 1 || !namesPerson) return text
  return JSON.stringify({ ...event, data: { ...data, subject: '' } })
}

/** Rewrites the next object of the archive. Returns the name of the object; undefined at the end. */
export async function eraseFromNextObject(files: ArchiveFiles, erasure: Erasure): Promise<string | undefined> {
  const { subscriptionId, position } = erasure
  const prefix = archivePrefixOf(subscriptionId)
  const startAfter = position === null ? prefix : prefix + (JSON.parse(position) as [string])[0]
  const [object] = (await files.list({ prefix, startAfter, limit: 1 })).objects
  if (!object) return undefined
  const text = (await (await files.get(object.key))?.text()) ?? ''
  const erased = text
    .split('\n')
    .map((line) => line && eraseFromLine(line, erasure))
    .join('\n')
  if (erased !== text) await files.put(object.key, erased, { httpMetadata: { contentType: 'application/x-ndjson' } })
  return object.key.slice(prefix.length)
}
