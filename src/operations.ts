import * as assets from './assets/operations'
import * as epics from './epics/operations'
import * as events from './events/operations'
import * as features from './features/operations'
import * as feedback from './feedback/operations'
import * as keys from './keys/operations'
import * as kpis from './kpis/operations'
import * as mail from './mail/operations'
import * as personas from './personas/operations'
import * as products from './products/operations'
import * as segments from './segments/operations'
import * as stories from './stories/operations'

/** Every operation of the service, in reading order. */
export const operations = [
  products.createProduct,
  products.listProducts,
  products.getProduct,

  epics.createEpic,
  epics.modifyEpic,
  epics.listEpics,
  epics.getEpic,

  features.createFeature,
  features.listFeatures,
  features.getFeature,

  stories.createUserStory,
  stories.modifyUserStory,
  stories.listUserStories,
  stories.getUserStory,

  kpis.createKpi,
  kpis.listKpis,
  kpis.getKpi,
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
  segments.createUsersInSegment,
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
