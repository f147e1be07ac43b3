import * as bulk from './backlog/bulk/operations'
import * as itemComments from './backlog/comments/operations'
import * as convert from './backlog/convert/operations'
import * as epics from './backlog/epics/operations'
import * as exporting from './backlog/export/operations'
import * as external from './backlog/external/operations'
import * as features from './backlog/features/operations'
import * as backlogImports from './backlog/imports/operations'
import * as items from './backlog/items/operations'
import * as links from './backlog/links/operations'
import * as order from './backlog/order/operations'
import * as scoring from './backlog/scoring/operations'
import * as versions from './backlog/solution-versions/operations'
import * as stories from './backlog/stories/operations'
import * as mapCards from './backlog/story-maps/cards/operations'
import * as mapExchange from './backlog/story-maps/exchange/operations'
import * as maps from './backlog/story-maps/operations'
import * as mapParts from './backlog/story-maps/parts/operations'
import * as tags from './backlog/tags/operations'
import * as tree from './backlog/tree/operations'
import * as documents from './discovery/docs-hub/documents/operations'
import * as templates from './discovery/docs-hub/templates/operations'
import * as experiments from './discovery/experiments/operations'
import * as kpis from './discovery/kpis/operations'
import * as kpiRecords from './discovery/kpis/records/operations'
import * as kpiTrend from './discovery/kpis/trend/operations'
import * as customFields from './discovery/persona-board/custom-fields/operations'
import * as boardSegments from './discovery/persona-board/segments/operations'
import * as documentation from './discovery/personas/documentation/operations'
import * as personas from './discovery/personas/operations'
import * as opportunities from './discovery/personas/opportunities/operations'
import * as summaries from './discovery/personas/summaries/operations'
import * as trace from './discovery/trace/operations'
import * as categories from './feedback/categories/operations'
import * as comments from './feedback/comments/operations'
import * as feedbackBulk from './feedback/ideas/bulk/operations'
import * as feedbackExport from './feedback/ideas/export/operations'
import * as feedbackImports from './feedback/ideas/imports/operations'
import * as feedback from './feedback/ideas/operations'
import * as merging from './feedback/merging/operations'
import * as promotion from './feedback/promotion/operations'
import * as search from './feedback/search/operations'
import * as statuses from './feedback/statuses/operations'
import * as subscriptions from './feedback/subscriptions/operations'
import * as votes from './feedback/votes/operations'
import * as peopleImports from './people/imports/operations'
import * as invitations from './people/invitations/operations'
import * as mail from './people/mail/operations'
import * as members from './people/members/operations'
import * as segmentUsers from './people/segment-users/operations'
import * as segments from './people/segments/operations'
import * as suppressions from './people/suppressions/operations'
import * as assets from './workspace/assets/operations'
import * as events from './workspace/events/operations'
import * as imports from './workspace/imports/operations'
import * as incomingWebhooks from './workspace/incoming-webhooks/operations'
import * as keys from './workspace/keys/operations'
import * as me from './workspace/me/operations'
import * as products from './workspace/products/operations'
import * as settings from './workspace/settings/operations'
import * as teams from './workspace/teams/operations'
import * as users from './workspace/users/operations'
import * as webhooks from './workspace/webhooks/operations'

/** Every operation of the service, in reading order. */
export const operations = [
  products.createProduct,
  products.listProducts,
  products.getProduct,
  products.modifyProduct,
  products.removeProduct,
  products.restoreProduct,

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
  versions.getSolutionVersion,
  versions.modifySolutionVersion,
  versions.removeSolutionVersion,
  versions.restoreSolutionVersion,
  versions.releaseSolutionVersion,
  versions.archiveSolutionVersion,
  versions.duplicateSolutionVersion,

  tags.createTag,
  tags.listTags,
  tags.getTag,
  tags.modifyTag,
  tags.removeTag,
  tags.restoreTag,
  tags.mergeTag,

  kpis.createKpi,
  kpis.listKpis,
  kpis.getKpi,
  kpis.modifyKpi,
  kpis.removeKpi,
  kpis.restoreKpi,
  kpiRecords.insertKpiRecords,
  kpiRecords.listKpiRecords,
  kpiRecords.exportKpiRecords,
  kpiRecords.removeKpiRecord,
  kpiTrend.getKpiTrend,

  assets.createAsset,
  assets.listAssets,
  assets.getAsset,
  assets.modifyAsset,
  assets.removeAsset,
  assets.restoreAsset,
  assets.downloadAsset,

  settings.getSettings,
  settings.modifySettings,

  me.getMe,
  users.createUser,
  users.listUsers,
  users.getUser,
  users.modifyUser,
  users.removeUser,
  users.restoreUser,

  teams.createTeam,
  teams.listTeams,
  teams.getTeam,
  teams.modifyTeam,
  teams.removeTeam,
  teams.restoreTeam,

  keys.createApiKey,
  keys.listApiKeys,
  keys.getApiKey,
  keys.revokeApiKey,
  keys.rotateApiKey,

  events.listEvents,

  webhooks.createWebhook,
  webhooks.listWebhooks,
  webhooks.getWebhook,
  webhooks.modifyWebhook,
  webhooks.removeWebhook,
  webhooks.restoreWebhook,
  webhooks.rotateWebhookSecret,
  webhooks.testWebhook,
  webhooks.replayWebhook,
  webhooks.listWebhookDeliveries,
  webhooks.getWebhookDelivery,
  webhooks.replayWebhookDelivery,

  incomingWebhooks.createIncomingWebhook,
  incomingWebhooks.listIncomingWebhooks,
  incomingWebhooks.getIncomingWebhook,
  incomingWebhooks.modifyIncomingWebhook,
  incomingWebhooks.removeIncomingWebhook,
  incomingWebhooks.restoreIncomingWebhook,
  incomingWebhooks.rotateIncomingWebhookSecret,
  incomingWebhooks.testIncomingWebhook,
  incomingWebhooks.listReceipts,

  segments.createSegment,
  segments.listSegments,
  segmentUsers.listSegmentsWithUsers,
  segmentUsers.getSegment,
  segments.modifySegment,
  segments.removeSegment,
  segments.restoreSegment,
  segmentUsers.previewSegment,
  segmentUsers.listSegmentUsers,
  segmentUsers.createUsersInSegment,
  segmentUsers.bulkCreateUsersInSegment,
  segmentUsers.manageSegmentUsers,
  peopleImports.importUsersIntoSegment,
  mail.sendSegmentEmail,
  mail.sendMembersEmail,

  members.createMember,
  members.listMembers,
  members.getMember,
  members.modifyMember,
  members.removeMember,
  members.restoreMember,
  members.exportMembers,
  members.bulkCreateMembers,
  invitations.reinviteMembers,
  peopleImports.importMembers,

  imports.listImports,
  imports.getImport,
  imports.downloadRejectedRows,
  imports.cancelImport,
  imports.undoImport,

  mail.sendTestEmail,
  mail.listEmails,
  mail.getEmail,
  mail.cancelEmail,
  mail.listEmailRecipients,
  mail.getEmailRecipient,
  suppressions.createSuppression,
  suppressions.listSuppressions,
  suppressions.getSuppression,
  suppressions.removeSuppression,

  feedback.createFeedbackItem,
  feedback.listFeedbackItems,
  feedback.getFeedbackItem,
  feedback.listSimilarFeedbackItems,
  feedback.modifyFeedbackItem,
  feedback.removeFeedbackItem,
  feedback.restoreFeedbackItem,
  votes.castVote,
  votes.listVoters,
  feedbackBulk.bulkCreateFeedbackItems,
  feedbackExport.exportFeedbackItems,
  feedbackImports.importFeedbackItems,
  merging.mergeFeedbackItem,
  merging.unmergeFeedbackItem,
  promotion.promoteFeedbackItem,
  subscriptions.subscribeToFeedbackItem,
  subscriptions.unsubscribeFromFeedbackItem,
  comments.addComment,
  comments.listComments,
  comments.replyToComment,
  comments.getComment,
  comments.modifyComment,
  comments.removeComment,
  comments.restoreComment,

  categories.createFeedbackCategory,
  categories.listFeedbackCategories,
  categories.getFeedbackCategory,
  categories.modifyFeedbackCategory,
  categories.removeFeedbackCategory,
  categories.restoreFeedbackCategory,
  categories.mergeFeedbackCategory,

  statuses.createFeedbackStatus,
  statuses.listFeedbackStatuses,
  statuses.getFeedbackStatus,
  statuses.modifyFeedbackStatus,
  statuses.removeFeedbackStatus,
  statuses.restoreFeedbackStatus,

  search.searchRecords,

  personas.createPersona,
  personas.listPersonas,
  personas.getPersona,
  personas.modifyPersona,
  personas.removePersona,
  personas.restorePersona,
  summaries.createSummary,
  summaries.listSummaries,
  summaries.getSummary,
  summaries.modifySummary,
  summaries.removeSummary,
  summaries.restoreSummary,
  opportunities.createOpportunity,
  opportunities.listOpportunities,
  opportunities.getOpportunity,
  opportunities.modifyOpportunity,
  opportunities.removeOpportunity,
  opportunities.restoreOpportunity,
  documentation.getDocumentation,
  documentation.modifyDocumentation,

  experiments.createExperiment,
  experiments.listExperiments,
  experiments.getExperiment,
  experiments.modifyExperiment,
  experiments.removeExperiment,
  experiments.restoreExperiment,
  experiments.startExperiment,
  experiments.stopExperiment,
  experiments.listPersonaExperiments,

  boardSegments.createBoardSegment,
  boardSegments.listBoardSegments,
  boardSegments.getBoardSegment,
  boardSegments.modifyBoardSegment,
  boardSegments.removeBoardSegment,
  boardSegments.restoreBoardSegment,

  customFields.createCustomField,
  customFields.listCustomFields,
  customFields.getCustomField,
  customFields.modifyCustomField,
  customFields.removeCustomField,
  customFields.restoreCustomField,
  customFields.purgeCustomField,
  customFields.createCustomFieldOption,
  customFields.modifyCustomFieldOption,
  customFields.removeCustomFieldOption,
  customFields.attachCustomField,
  customFields.detachCustomField,

  templates.createTemplate,
  templates.listTemplates,
  templates.getTemplate,
  templates.modifyTemplate,
  templates.removeTemplate,
  templates.restoreTemplate,
  documents.instantiateTemplate,
  documents.createDocument,
  documents.listDocuments,
  documents.getDocument,
  documents.modifyDocument,
  documents.removeDocument,
  documents.restoreDocument,

  trace.getTrace,
] as const
