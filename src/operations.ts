import * as epics from './backlog/epics/operations'
import * as features from './backlog/features/operations'
import * as stories from './backlog/stories/operations'
import * as kpis from './discovery/kpis/operations'
import * as personas from './discovery/personas/operations'
import * as feedback from './feedback/ideas/operations'
import * as mail from './people/mail/operations'
import * as segments from './people/segments/operations'
import * as segmentUsers from './people/segments/users/operations'
import * as assets from './workspace/assets/operations'
import * as events from './workspace/events/operations'
import * as keys from './workspace/keys/operations'
import * as products from './workspace/products/operations'

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

  features.createFeature,
  features.modifyFeature,
  features.listFeatures,
  features.getFeature,

  stories.createUserStory,
  stories.modifyUserStory,
  stories.listUserStories,
  stories.getUserStory,

  kpis.createKpi,
  kpis.listKpis,
  kpis.getKpi,
  kpis.modifyKpi,
  kpis.removeKpi,
  kpis.restoreKpi,
  kpis.insertKpiRecords,

  assets.createAsset,
  assets.listAssets,
  assets.getAsset,
  assets.downloadAsset,

  keys.createApiKey,
  keys.listApiKeys,
  keys.revokeApiKey,
  keys.rotateApiKey,

  events.listEvents,

  segments.createSegment,
  segments.listSegments,
  segments.getSegment,
  segments.modifySegment,
  segments.removeSegment,
  segments.restoreSegment,
  segmentUsers.createUsersInSegment,
  mail.sendSegmentEmail,

  mail.getEmail,
  mail.listRecipients,
  mail.getRecipient,

  feedback.createFeedbackItem,
  feedback.listFeedbackItems,
  feedback.getFeedbackItem,

  personas.createPersona,
  personas.listPersonas,
  personas.getPersona,
  personas.createSummary,
  personas.listSummaries,
  personas.createOpportunity,
  personas.getDocumentation,
  personas.modifyDocumentation,
] as const
