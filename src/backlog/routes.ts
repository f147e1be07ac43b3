import * as bulk from './bulk/operations'
import * as itemComments from './comments/operations'
import * as convert from './convert/operations'
import * as epics from './epics/operations'
import * as exporting from './export/operations'
import * as external from './external/operations'
import * as features from './features/operations'
import * as backlogImports from './imports/operations'
import * as items from './items/operations'
import * as links from './links/operations'
import * as order from './order/operations'
import * as scoring from './scoring/operations'
import * as audience from './solution-versions/audience/operations'
import * as versions from './solution-versions/operations'
import * as stories from './stories/operations'
import * as mapCards from './story-maps/cards/operations'
import * as mapExchange from './story-maps/exchange/operations'
import * as maps from './story-maps/operations'
import * as mapParts from './story-maps/parts/operations'
import * as tags from './tags/operations'
import * as tree from './tree/operations'

export const backlogOperations = [
  epics.createEpic,
  epics.modifyEpic,
  epics.listEpics,
  epics.getEpic,
  epics.removeEpic,
  epics.restoreEpic,

  features.createFeature,
  features.modifyFeature,
  features.listFeatures,
  features.getFeature,
  features.removeFeature,
  features.restoreFeature,

  stories.createUserStory,
  stories.modifyUserStory,
  stories.listUserStories,
  stories.getUserStory,
  stories.removeUserStory,
  stories.restoreUserStory,

  tree.getBacklog,
  bulk.bulkBacklog,
  external.upsertWorkItem,
  exporting.exportBacklog,
  backlogImports.importBacklog,
  items.getWorkItem,
  items.listAllWorkItems,
  order.moveWorkItem,
  convert.convertWorkItem,
  scoring.scoreWorkItem,
  links.listLinks,
  links.createLink,
  links.removeLink,
  itemComments.addItemComment,
  itemComments.listItemComments,
  itemComments.replyToItemComment,
  itemComments.getItemComment,
  itemComments.modifyItemComment,
  itemComments.removeItemComment,
  itemComments.restoreItemComment,
  itemComments.upsertItemComment,

  maps.createStoryMap,
  maps.listStoryMaps,
  maps.getStoryMap,
  maps.modifyStoryMap,
  maps.removeStoryMap,
  maps.restoreStoryMap,
  mapExchange.exportStoryMap,
  mapExchange.importStoryMap,
  mapParts.createStoryMapActivity,
  mapParts.getStoryMapActivity,
  mapParts.modifyStoryMapActivity,
  mapParts.removeStoryMapActivity,
  mapParts.createStoryMapStep,
  mapParts.getStoryMapStep,
  mapParts.modifyStoryMapStep,
  mapParts.removeStoryMapStep,
  mapParts.createStoryMapSwimlane,
  mapParts.getStoryMapSwimlane,
  mapParts.modifyStoryMapSwimlane,
  mapParts.removeStoryMapSwimlane,
  mapCards.placeStoryMapCard,
  mapCards.removeStoryMapCard,

  versions.createSolutionVersion,
  versions.listSolutionVersions,
  versions.exportSolutionVersions,
  versions.getSolutionVersion,
  versions.modifySolutionVersion,
  versions.removeSolutionVersion,
  versions.restoreSolutionVersion,
  audience.getReleaseAudience,
  versions.releaseSolutionVersion,
  versions.unreleaseSolutionVersion,
  versions.archiveSolutionVersion,
  versions.duplicateSolutionVersion,

  tags.createTag,
  tags.listTags,
  tags.getTag,
  tags.modifyTag,
  tags.removeTag,
  tags.restoreTag,
  tags.mergeTag,
] as const
