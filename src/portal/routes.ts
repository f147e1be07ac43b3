import * as api from './api/operations'
import * as settings from './settings/operations'

export const portalOperations = [
  settings.getPortalSettings,
  settings.modifyPortalSettings,

  api.getPortal,
  api.listPortalIdeas,
  api.listSimilarPortalIdeas,
  api.getPortalIdea,
  api.listPortalComments,
  api.getPortalRoadmap,
  api.listPortalVersions,
  api.getPortalPerson,
  api.downloadPortalFile,
] as const
