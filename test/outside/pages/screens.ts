// Every screen of the console with a record to show. The table fails for a screen of the console that it does not have.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { root, UserProblem } from '../../../scripts/wrangler.ts'
import { type Edit, inDialog, inField, type Sample } from './screen-edits.ts'
import { createScreenRecords } from './screen-records.ts'

export interface Screen {
  name: string
  path: string
  /** A selector of what is there once the record is shown. */
  shown: string
  /** Takes the focus before the keys. */
  row?: string
  /** What a viewer reads in place of the screen. */
  hidden?: RegExp
  /** The records are the person's own, and everybody may change them. */
  isOwn?: boolean
  /** A field that no record holds yet, whose text stays on the page. */
  draft?: (page: Page) => Locator
  edit?: Edit
}

const SCREENS_FILE = path.join(root, 'web', 'console', 'src', 'screens', 'screens.ts')

/** The paths of the console, as its router matches them. */
function readPatterns(): RegExp[] {
  const rows = readFileSync(SCREENS_FILE, 'utf8').matchAll(/^ {2}\[\/(\^.*\$)\/, \(\) => import\(/gm)
  return [...rows].map(([, pattern = '']) => new RegExp(pattern))
}

function refuseMissing(screens: readonly Screen[]): void {
  const patterns = readPatterns()
  if (patterns.length < 30) throw new UserProblem(`Only ${patterns.length} screens are found in ${SCREENS_FILE}`)
  const paths = screens.map(({ path }) => path.split('?')[0] ?? '')
  const missing = patterns.filter((pattern) => !paths.some((path) => pattern.test(path)))
  if (missing.length)
    throw new UserProblem(`Add a record of these screens to ${import.meta.filename}: ${missing.join(', ')}`)
}

const textbox = (name: string | RegExp) => (page: Page) => page.getByRole('textbox', { name })
const NO_WEBHOOKS = /Your role cannot see webhooks/

const listPlanning = ({ key, at, epic, card, version, map, entry }: Sample): Screen[] => [
  {
    ...{ name: 'the backlog', path: `/backlog?product=${key}`, shown: 'tr[data-key]', row: 'tr[data-key]' },
    edit: {
      async open(page) {
        await page.locator(`tr[data-key="${epic}"]`).focus()
        await page.keyboard.press('e')
      },
      ...inField(`Summary of ${epic}`, { path: `${at}/epics/${epic}`, field: 'summary' }),
    },
  },
  { name: 'the board', path: `/board?product=${key}`, shown: '.work', row: '.work a' },
  {
    ...{ name: 'an item', path: `/backlog/${card}?product=${key}`, shown: 'aside[aria-label="Properties"] dd' },
    edit: {
      open: (page) => page.getByRole('button', { name: 'Edit the title' }).click(),
      ...inField('Title', { path: `${at}/storyMap/card/${card}`, field: 'summary' }),
    },
  },
  {
    ...{
      name: 'the story map',
      path: `/story-map?product=${key}&map=${map}`,
      shown: '.map .work',
      row: '.map .work a',
    },
    edit: inDialog('Rename or remove this map', 'Title of the map', 'Save the title', {
      ...{ path: `${at}/storyMap/${map}`, field: 'title' },
    }),
  },
  {
    ...{ name: 'a version', path: `/versions?product=${key}&version=${version}`, shown: '#version-title' },
    edit: inDialog('Edit', 'Name', 'Save the version', { path: `${at}/solution-versions/${version}`, field: 'name' }),
  },
  {
    ...{ name: 'an entry of the changelog', path: `/changelog?entry=${entry}`, shown: '#entry-title' },
    edit: inDialog('Edit', 'Title', 'Save the entry', { path: `/api/v2/changelog/${entry}`, field: 'title' }),
  },
]

const listLearning = ({ key, at, idea, epic, kpi, persona, experiment, document, template }: Sample): Screen[] => [
  { name: 'the first page', path: '/', shown: '#list' },
  {
    ...{ name: 'an idea', path: `/ideas?idea=${idea}`, shown: '#merged-ideas' },
    edit: {
      open: (page) => page.getByRole('button', { name: 'Edit the title' }).click(),
      ...inField('Title', { path: `/api/feedback-items/${idea}`, field: 'title' }),
    },
  },
  {
    ...{ name: 'a KPI', path: `/kpis?product=${key}&kpi=${kpi}`, shown: '#kpi-records' },
    edit: inDialog('Edit', 'Title', 'Save the KPI', { path: `${at}/kpi/${kpi}`, field: 'title' }),
  },
  {
    ...{ name: 'a persona', path: `/personas?persona=${persona}`, shown: '#persona-title' },
    edit: inDialog('Edit: Quote', 'Quote', 'Save', { path: `/api/v2/persona/${persona}`, field: 'quote' }),
  },
  {
    ...{
      name: 'an experiment',
      path: `/experiments?product=${key}&experiment=${experiment}`,
      shown: '#experiment-title',
    },
    edit: inDialog('Edit: Method', 'Method', 'Save', { path: `${at}/experiments/${experiment}`, field: 'method' }),
  },
  {
    ...{ name: 'a document', path: `/documents?product=${key}&document=${document}`, shown: '#document-title' },
    edit: inDialog('Edit', 'Title', 'Save the document', { path: `${at}/documents/${document}`, field: 'title' }),
  },
  {
    ...{ name: 'a template', path: `/documents/templates?template=${template}`, shown: '#document-title' },
    edit: inDialog('Edit', 'Title', 'Save the template', {
      ...{ path: `/api/v2/docs-hub/templates/${template}`, field: 'title' },
    }),
  },
  { name: 'a record of a search', path: `/records/epic/${epic}?product=${key}`, shown: '#properties' },
]

const listReaching = ({ segment, member, memberName, mailing, suppressed }: Sample): Screen[] => [
  { name: 'the segments', path: '/segments', shown: `main a[href$="/segments/${segment}"]` },
  {
    ...{ name: 'a new segment', path: '/segments/new', shown: '#segment-name' },
    ...{ hidden: /Your role cannot create segments/, draft: textbox('Name') },
  },
  {
    ...{ name: 'a segment', path: `/segments/${segment}`, shown: '[aria-label="Properties"]' },
    edit: inField('Name', { path: `/api/v2/segments/${segment}`, field: 'name' }, 'Save'),
  },
  {
    ...{ name: 'the people', path: `/people?q=${memberName}`, shown: 'main tbody tr' },
    edit: inDialog(/^Edit /, 'Last name', 'Save the person', {
      ...{ path: `/api/v2/idea-manager/members/${member}`, field: 'lastName' },
    }),
  },
  {
    ...{ name: 'a mailing', path: `/mailings?mailing=${mailing}`, shown: '#mailing-title' },
    hidden: /Your role cannot see mailings/,
  },
  {
    ...{ name: 'a new mailing', path: `/mailings/new?segment=${segment}`, shown: '#mail-subject' },
    ...{ hidden: /Your role cannot send mail/, draft: textbox('Subject') },
  },
  {
    ...{ name: 'the suppressions', path: '/suppressions', shown: `main tbody tr:has-text("${suppressed}")` },
    hidden: /Your role cannot see suppressions/,
  },
]

const SETTINGS = '/api/v2/settings'

const listSettings = ({ user, userEmail, team }: Sample): Screen[] => [
  {
    ...{ name: 'the people of the team', path: '/settings/people', shown: `main tr:has-text("${userEmail}")` },
    edit: inDialog(/^Edit /, 'Last name', 'Save', { path: `/api/v2/users/${user}`, field: 'lastName' }, (page) =>
      page.getByRole('row').filter({ hasText: userEmail }),
    ),
  },
  { name: 'the API keys', path: '/settings/keys', shown: 'main tbody tr', hidden: /Your role cannot see this page/ },
  {
    ...{ name: 'the texts of mail', path: '/settings/mail?kind=release', shown: 'main input' },
    edit: inField(
      'Subject',
      {
        ...{ path: SETTINGS, field: 'mailTemplates' },
        change: (subject) => ({ mailTemplates: { release: { subject } } }),
      },
      'Save the texts',
    ),
  },
  {
    ...{ name: 'the sign-in', path: '/settings/sign-in', shown: '#provider', hidden: /Your role cannot see this page/ },
    edit: inField('Client id', { path: `${SETTINGS}/sign-in`, field: 'clientId' }, 'Save the sign-in'),
  },
  {
    ...{ name: 'the data', path: '/settings/data', shown: 'main h2' },
    draft: (page) => page.getByRole('searchbox', { name: 'Name or address' }),
  },
  {
    ...{ name: 'the workspace', path: '/settings/workspace', shown: '#idea-url' },
    edit: inField(
      'Address of an idea in mail',
      {
        ...{ path: SETTINGS, field: 'ideaUrl' },
        toText: (typed) => `https://example.com/${typed.replaceAll(' ', '-')}/{key}`,
      },
      'Save the settings',
    ),
  },
  { name: 'the teams', path: '/settings/teams', shown: 'main tbody tr' },
  {
    ...{ name: 'a team', path: `/settings/teams/${team}`, shown: 'main form, main table' },
    edit: inField('Name', { path: `/api/v2/teams/${team}`, field: 'name' }, 'Save the team'),
  },
  {
    ...{ name: 'the portal', path: '/settings/portal', shown: 'main form input' },
    edit: inField('Title', { path: `${SETTINGS}/portal`, field: 'name' }, 'Save the portal'),
  },
  { name: 'the sessions', path: '/settings/sessions', shown: 'main tbody tr', isOwn: true },
]

const listWorkspace = ({ key, removed, importId, webhook, hook, epic }: Sample): Screen[] => [
  {
    ...{ name: 'the removed records', path: `/removed?kind=epic&product=${key}` },
    shown: `main tr:has-text("${removed}")`,
  },
  { name: 'the imports', path: '/imports', shown: `main a[href$="/imports/${importId}"]` },
  {
    ...{ name: 'a new import', path: '/imports/new', shown: 'main input[type=file]' },
    hidden: /Your role can look at imports/,
  },
  { name: 'an import', path: `/imports/${importId}`, shown: 'main h2, main dl' },
  {
    ...{ name: 'a webhook', path: `/webhooks?webhook=${webhook}`, shown: '#webhook-title', hidden: NO_WEBHOOKS },
    edit: {
      async open(page) {
        await page.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('button', { name: 'Edit', exact: true }).click()
      },
      ...inField('Name', { path: `/api/v2/webhooks/${webhook}`, field: 'name' }, 'Save the endpoint'),
    },
  },
  {
    ...{
      name: 'an incoming webhook',
      path: `/webhooks/incoming?hook=${hook}`,
      shown: '#hook-title',
      hidden: NO_WEBHOOKS,
    },
    edit: inDialog('Edit', 'Mapping', 'Save the incoming webhook', {
      ...{ path: `/api/v2/incoming-webhooks/${hook}`, field: 'mapping' },
      toText: (typed) => `title = $.${typed.replaceAll(' ', '')}`,
      toStored: (text) => text.replace('title = ', ''),
      change: (text) => ({ action: 'create_feedback', mapping: { title: text.replace('title = ', '') } }),
    }),
  },
  {
    ...{ name: 'the events', path: `/events?key=${epic}`, shown: 'main [data-row]' },
    hidden: /Your role cannot read the event log/,
  },
]

export async function createScreens(): Promise<Screen[]> {
  const sample = await createScreenRecords()
  const lists = [listPlanning, listLearning, listReaching, listSettings, listWorkspace]
  const screens = lists.flatMap((list) => list(sample))
  refuseMissing(screens)
  return screens
}
