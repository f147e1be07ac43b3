import * as changelog from './api/changelog/operations'
import * as api from './api/operations'
import * as writing from './api/writing/operations'
import * as settings from './settings/operations'

export const portalOperations = [
  settings.getPortalSettings,
  settings.modifyPortalSettings,
  settings.rotatePortalSecret,

  api.getPortal,
  api.listPortalIdeas,
  api.listSimilarPortalIdeas,
  api.getPortalIdea,
  api.listPortalComments,
  api.getPortalRoadmap,
  api.listPortalVersions,
  changelog.listPortalChangelog,
  changelog.getPortalAtomFeed,
  changelog.getPortalJsonFeed,
  changelog.getPortalChangelogEntry,
  changelog.previewChangelogEntry,
  api.getPortalPerson,
  api.downloadPortalFile,

  writing.submitPortalIdea,
  writing.modifyPortalIdea,
  writing.votePortalIdea,
  writing.unvotePortalIdea,
  writing.subscribeToPortalIdea,
  writing.unsubscribeFromPortalIdea,
  writing.addPortalComment,
  writing.modifyPortalComment,
  writing.removePortalComment,
] as const
