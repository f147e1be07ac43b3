import type { Reference, ReferenceKind } from '../../db/client/references'

interface ReferringBody {
  persona?: readonly { personaId?: number | undefined }[] | undefined
  teamId?: number | null | undefined
  userId?: readonly number[] | undefined
  epicId?: number | null | undefined
  featureId?: number | null | undefined
  userStories?: readonly string[] | undefined
  features?: readonly string[] | undefined
  kpis?: readonly string[] | undefined
  files?: readonly { file: { id: number } }[] | undefined
}

export function referencesOf(body: ReferringBody): Reference[] {
  const found: Reference[] = []
  const add = (kind: ReferenceKind, path: string, value: string | number | null | undefined) => {
    if (value !== undefined && value !== null && value !== 0) found.push({ kind, path, value })
  }
  body.persona?.forEach(({ personaId }, n) => {
    add('persona', `/persona/${n}/personaId`, personaId)
  })
  add('team', '/teamId', body.teamId)
  body.userId?.forEach((id, n) => {
    add('user', `/userId/${n}`, id)
  })
  add('epic', '/epicId', body.epicId)
  add('feature', '/featureId', body.featureId)
  body.userStories?.forEach((key, n) => {
    add('storyKey', `/userStories/${n}`, key)
  })
  body.features?.forEach((key, n) => {
    add('featureKey', `/features/${n}`, key)
  })
  body.kpis?.forEach((key, n) => {
    add('kpi', `/kpis/${n}`, key)
  })
  body.files?.forEach(({ file }, n) => {
    add('file', `/files/${n}/file/id`, file.id)
  })
  return found
}
