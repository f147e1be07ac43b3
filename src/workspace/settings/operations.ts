import { readIdeaUrl } from '../../env'
import { operation } from '../../http/operation'
import { composeSample, mergeTemplates } from '../../people/mail/digest/sample'
import * as queries from './queries'
import { MailPreview, ModifySettings, PreviewMail, Settings } from './schema'

export const getSettings = operation({
  id: 'getSettings',
  of: 'settings',
  route: 'GET /api/v2/settings',
  summary: 'Retrieve the settings of the workspace',
  description: 'Every workspace has settings from the beginning.',
  data: Settings,
  handle: ({ db }) => queries.getSettings(db),
})

export const modifySettings = operation({
  id: 'modifySettings',
  of: 'settings',
  route: 'PUT /api/v2/settings',
  summary: 'Modify the settings of the workspace',
  description: 'Changes only the members that you send. Existing records do not change.',
  workspaceWide: true,
  body: ModifySettings,
  data: Settings,
  conditional: true,
  message: 'Settings saved',
  handle: ({ body, db, ifMatch }) => queries.modifySettings(db, body, ifMatch),
})

export const previewMail = operation({
  id: 'previewMail',
  of: 'settings',
  route: 'POST /api/v2/settings/mail-preview',
  scope: 'products:read',
  summary: 'Preview mail about changes',
  description:
    'Returns a sample mail with the texts of the workspace. `mailTemplates` and `ideaUrl` change the sample, but not the settings. Links of the sample lead nowhere.',
  body: PreviewMail,
  data: MailPreview,
  async handle({ body, db, env, origin }) {
    const { data } = await queries.getSettings(db)
    const ideaUrl = (body.ideaUrl === undefined ? data.ideaUrl : body.ideaUrl) ?? readIdeaUrl(env)
    const templates = mergeTemplates(data.mailTemplates, body.mailTemplates)
    return { data: composeSample({ ...body, ideaUrl, templates, baseUrl: origin }) }
  },
})
