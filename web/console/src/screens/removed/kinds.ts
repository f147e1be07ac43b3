import type { OperationId } from 'groundwork-client'
import type { texts } from './texts/texts'

/** How the requests name the product of the records: in the path, as a filter, or not at all. */
type ProductBound = 'path' | 'filter' | 'none'

export interface Kind {
  /** Name of the resource. */
  id: keyof typeof texts.kinds
  /** Scopes are `<area>:read` and `<area>:write`. */
  area: string
  product: ProductBound
  list: OperationId
  restore: OperationId
  /** Absent where a removal needs more than the key. */
  remove?: OperationId
  /** Parameter of the key in `restore` and `remove`. */
  keyParam: string
  /** Field of the key. */
  key: string
  /** Fields of the name: the first with a text is the name. Of a person, the names and the address. */
  names: readonly string[]
  removedAt?: string
  /** Further parameters of the list. */
  query?: Readonly<Record<string, unknown>>
  hasSince?: boolean
}

type Ids = Pick<Kind, 'id' | 'list' | 'restore' | 'remove' | 'keyParam'>

const ids = (id: Kind['id'], list: OperationId, [restore, remove]: readonly OperationId[], keyParam: string): Ids => ({
  ...{ id, list, keyParam, restore: restore as OperationId },
  ...(remove && { remove }),
})
const OF_PRODUCT = { product: 'path', key: 'externalKey', names: ['title'] } as const
const OF_WORKSPACE = { product: 'none', key: 'id', names: ['name'] } as const
const BACKLOG = { ...OF_PRODUCT, area: 'backlog' } as const
const PERSONAS = { ...OF_WORKSPACE, area: 'personas' } as const
const PEOPLE_NAMES = ['firstName', 'lastName', 'email']

/** Every kind of record that has a list with `removed` and a restore of its own, in the order of the sidebar. */
export const GROUPS: Readonly<Record<keyof typeof texts.groups, readonly Kind[]>> = {
  ideas: [
    {
      ...ids('feedback', 'listFeedbackItems', ['restoreFeedbackItem', 'removeFeedbackItem'], 'feedback_external_key'),
      ...{ area: 'feedback', product: 'filter', key: 'external_key', names: ['title'], removedAt: 'deleted_at' },
    },
    {
      ...ids('category', 'listFeedbackCategories', ['restoreFeedbackCategory'], 'categoryId'),
      ...{ ...OF_WORKSPACE, area: 'feedback' },
    },
    {
      ...ids('feedback_status', 'listFeedbackStatuses', ['restoreFeedbackStatus'], 'statusId'),
      ...{ ...OF_WORKSPACE, area: 'feedback' },
    },
  ],
  plan: [
    {
      ...ids('epic', 'listEpics', ['restoreEpic', 'removeEpic'], 'epic_external_key'),
      ...{ ...BACKLOG, names: ['summary'] },
    },
    {
      ...ids('feature', 'listFeatures', ['restoreFeature', 'removeFeature'], 'feature_external_key'),
      ...{ ...BACKLOG, names: ['summary'] },
    },
    {
      ...ids('userstory', 'listUserStories', ['restoreUserStory', 'removeUserStory'], 'card_external_key'),
      ...{ ...BACKLOG, names: ['summary'] },
    },
    {
      ...ids('story_map', 'listStoryMaps', ['restoreStoryMap', 'removeStoryMap'], 'storyMapId'),
      ...{ ...BACKLOG, key: 'id' },
    },
    {
      ...ids(
        'solution_version',
        'listSolutionVersions',
        ['restoreSolutionVersion', 'removeSolutionVersion'],
        'solution_version_external_key',
      ),
      ...{ ...BACKLOG, names: ['name'] },
    },
    {
      ...ids(
        'changelog_entry',
        'listChangelogEntries',
        ['restoreChangelogEntry', 'removeChangelogEntry'],
        'changelog_external_key',
      ),
      ...{ ...OF_PRODUCT, area: 'feedback', product: 'filter' },
    },
    {
      ...ids('tag', 'listTags', ['restoreTag', 'removeTag'], 'tagId'),
      ...{ ...OF_PRODUCT, area: 'products', key: 'id', names: ['name'] },
    },
  ],
  learn: [
    {
      ...ids('kpi', 'listKpis', ['restoreKpi', 'removeKpi'], 'kpi_external_key'),
      ...{ ...OF_PRODUCT, area: 'kpis', query: { linked: 'all', revisions: 0 }, hasSince: false },
    },
    {
      ...ids('persona', 'listPersonas', ['restorePersona', 'removePersona'], 'persona_external_key'),
      ...{ ...PERSONAS, key: 'externalKey' },
    },
    {
      ...ids('board_segment', 'listBoardSegments', ['restoreBoardSegment', 'removeBoardSegment'], 'boardSegmentId'),
      ...PERSONAS,
    },
    {
      ...ids('custom_field', 'listCustomFields', ['restoreCustomField', 'removeCustomField'], 'customFieldId'),
      ...PERSONAS,
    },
    {
      ...ids('experiment', 'listExperiments', ['restoreExperiment', 'removeExperiment'], 'experiment_external_key'),
      ...BACKLOG,
    },
    {
      ...ids('document', 'listDocuments', ['restoreDocument', 'removeDocument'], 'document_external_key'),
      ...{ ...OF_PRODUCT, area: 'personas' },
    },
    {
      ...ids('template', 'listTemplates', ['restoreTemplate', 'removeTemplate'], 'templateId'),
      ...{ ...PERSONAS, names: ['title'] },
    },
    {
      ...ids('asset', 'listAssets', ['restoreAsset', 'removeAsset'], 'assetId'),
      ...{ ...OF_PRODUCT, area: 'files', key: 'id', names: ['name'] },
    },
  ],
  reach: [
    {
      ...ids('segment', 'listSegments', ['restoreSegment', 'removeSegment'], 'segmentId'),
      ...{ ...OF_WORKSPACE, area: 'segments' },
    },
    {
      ...ids('member', 'listMembers', ['restoreMember', 'removeMember'], 'memberId'),
      ...{ ...OF_WORKSPACE, area: 'segments', names: PEOPLE_NAMES },
    },
  ],
  workspace: [
    {
      ...ids('product', 'listProducts', ['restoreProduct', 'removeProduct'], 'product_external_key'),
      ...{ ...OF_WORKSPACE, area: 'products', key: 'externalKey' },
    },
    {
      ...ids('team', 'listTeams', ['restoreTeam', 'removeTeam'], 'teamId'),
      ...{ ...OF_WORKSPACE, area: 'products' },
    },
    {
      ...ids('user', 'listUsers', ['restoreUser', 'removeUser'], 'userId'),
      ...{ ...OF_WORKSPACE, area: 'products', names: PEOPLE_NAMES },
      query: { role: ['owner', 'admin', 'member', 'viewer'] },
    },
    {
      ...ids('webhook', 'listWebhooks', ['restoreWebhook', 'removeWebhook'], 'webhookId'),
      ...{ ...OF_WORKSPACE, area: 'webhooks', names: ['name', 'url'] },
    },
    {
      ...ids(
        'incoming_webhook',
        'listIncomingWebhooks',
        ['restoreIncomingWebhook', 'removeIncomingWebhook'],
        'incomingWebhookId',
      ),
      ...{ ...OF_WORKSPACE, area: 'webhooks', names: ['provider'] },
    },
  ],
}

export const KINDS: readonly Kind[] = Object.values(GROUPS).flat()
