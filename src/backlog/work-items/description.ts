import { sanitize } from '../../text/html'

export async function sanitizeDescription<B extends { description?: string | null | undefined }>(body: B): Promise<B> {
  return body.description ? { ...body, description: await sanitize(body.description, '/description') } : body
}
