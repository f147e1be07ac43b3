import { sanitize } from '../../text/html'

/** A body whose HTML is safe to store. */
export async function described<B extends { description?: string | null | undefined }>(body: B): Promise<B> {
  return body.description ? { ...body, description: await sanitize(body.description, '/description') } : body
}
