import { sanitizeRichText } from '../../text/html/rich-text'

export async function sanitizeDescription<B extends { description?: string | null | undefined }>(body: B): Promise<B> {
  return body.description ? { ...body, description: await sanitizeRichText(body.description, '/description') } : body
}
