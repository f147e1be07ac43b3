import * as settings from './settings/operations'

export const portalOperations = [settings.getPortalSettings, settings.modifyPortalSettings] as const
