import * as assets from './assets/operations'
import * as erasure from './erasure/operations'
import * as events from './events/operations'
import * as exports from './exports/operations'
import * as imports from './imports/operations'
import * as incomingWebhooks from './incoming-webhooks/operations'
import * as keys from './keys/operations'
import * as me from './me/operations'
import * as products from './products/operations'
import * as sessions from './sessions/operations'
import * as settings from './settings/operations'
import * as signInSettings from './sign-in-settings/operations'
import * as teams from './teams/operations'
import * as users from './users/operations'
import * as webhooks from './webhooks/operations'

export const workspace = [
  products.createProduct,
  products.listProducts,
  products.getProduct,
  products.modifyProduct,
  products.removeProduct,
  products.restoreProduct,

  assets.createAsset,
  assets.listAssets,
  assets.getAsset,
  assets.modifyAsset,
  assets.removeAsset,
  assets.restoreAsset,
  assets.downloadAsset,

  settings.getSettings,
  settings.modifySettings,
  settings.previewMail,

  signInSettings.getSignInSettings,
  signInSettings.modifySignInSettings,

  erasure.eraseWorkspace,
  erasure.restoreWorkspace,

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

  sessions.listSessions,
  sessions.getSession,
  sessions.endSession,
  sessions.signOut,

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
  incomingWebhooks.replayReceipt,

  imports.listImports,
  imports.getImport,
  imports.downloadRejectedRows,
  imports.downloadImportWarnings,
  imports.cancelImport,
  imports.undoImport,

  exports.createExport,
  exports.listExports,
  exports.getExport,
  exports.downloadExport,
  exports.restoreExport,
] as const
