import { type Reference, referencesTo, referenceTo } from '../../db/sql/references'

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

export const listReferences = (body: ReferringBody): Reference[] => [
  ...(body.persona ?? []).flatMap(({ personaId }, n) => referenceTo('persona', `/persona/${n}/personaId`, personaId)),
  ...referenceTo('team', '/teamId', body.teamId),
  ...referencesTo('user', '/userId', body.userId),
  ...referenceTo('epic', '/epicId', body.epicId || null),
  ...referenceTo('feature', '/featureId', body.featureId || null),
  ...referencesTo('storyKey', '/userStories', body.userStories),
  ...referencesTo('featureKey', '/features', body.features),
  ...referencesTo('kpi', '/kpis', body.kpis),
  ...(body.files ?? []).flatMap(({ file }, n) => referenceTo('file', `/files/${n}/file/id`, file.id)),
]
