import type { Provider } from './requests'

const TITLE = 'Spelling error on the start page'

/** What each sender posts for a new issue, shortened to what a mapping reads. */
export const SAMPLES: Readonly<Record<Provider, object>> = {
  github: {
    action: 'opened',
    issue: { id: 1, number: 1, title: TITLE, body: 'Welcom', state: 'open', labels: [{ name: 'bug' }] },
    sender: { login: 'octocat' },
  },
  gitlab: {
    object_kind: 'issue',
    user: { username: 'root' },
    object_attributes: { id: 1, iid: 1, title: TITLE, description: 'Welcom', state: 'opened', action: 'open' },
  },
  jira: {
    webhookEvent: 'jira:issue_created',
    issue: {
      id: '10001',
      key: 'SHOP-1',
      fields: { summary: TITLE, description: 'Welcom', issuetype: { name: 'Story' }, status: { name: 'To Do' } },
    },
  },
  groundwork: {
    type: 'userstory.created',
    timestamp: '2026-01-31T09:00:00.000Z',
    actor: { userId: 1, keyId: 2 },
    data: { externalKey: 'US-1', summary: TITLE, description: 'Welcom' },
  },
  generic: { id: '1', title: TITLE, text: 'Welcom' },
}
