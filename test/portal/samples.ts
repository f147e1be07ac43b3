import type { CommentEntry } from '../../src/portal/components/comments'
import type { Frame, Portal, PortalStatus, Visitor } from '../../src/portal/components/frame'
import type { BoardIdea, BoardProps } from '../../src/portal/pages/board'
import type { ChangelogEntry } from '../../src/portal/pages/changelog'
import type { IdeaProps } from '../../src/portal/pages/idea'
import { createFormats } from '../../src/portal/texts/formats'
import { type Language, textsOf } from '../../src/portal/texts/language'

export const NOW = Date.parse('2026-11-26T12:00:00Z')

let statusCount = 0
const createStatus = (name: string, color: string, rest: Partial<PortalStatus> = {}): PortalStatus => ({
  ...{ id: ++statusCount, name, color, endsVoting: false, isDone: false },
  ...rest,
})

export const STATUSES = [
  createStatus('open', 'gray'),
  createStatus('under review', 'amber'),
  createStatus('planned', '#2563c9'),
  createStatus('in progress', '#7646c4'),
  createStatus('completed', '#2b8a3e', { endsVoting: true, isDone: true }),
  createStatus('declined', 'gray', { endsVoting: true }),
]

export const createPortal = (rest: Partial<Portal> = {}): Portal => ({
  ...{
    slug: 'plumbline',
    root: '/p/plumbline',
    domain: null,
    locale: 'en' as const,
    name: 'Plumbline',
    accent: '#0b6e5f',
    mode: 'system' as const,
    isPrivate: false,
  },
  ...{ hasRoadmap: true, hasChangelog: true, logoUrl: null, darkLogoUrl: null, statuses: STATUSES },
  products: [{ key: 'PL', name: 'Plumbline' }],
  categories: [
    { id: 1, name: 'Mobile app' },
    { id: 2, name: 'Reports' },
  ],
  ...rest,
})

export const createVisitor = (name: string): Visitor => ({
  ...{ name, firstName: name, lastName: '', email: 'maren@example.com', followsChangelog: false },
})

export const createFrame = (rest: Partial<Frame> & { language?: Language } = {}): Frame => {
  const { language = 'en' } = rest
  return {
    ...{
      portal: createPortal(),
      visitor: null,
      signInPath: '/p/plumbline/sign-in',
      language,
      texts: textsOf(language),
    },
    ...{ formats: createFormats(language, NOW), origin: 'https://groundwork.example.com', path: '' },
    ...rest,
  }
}

export const createIdea = (rest: Partial<BoardIdea> = {}): BoardIdea => ({
  ...{ key: 'IDEA-1', title: 'Work offline in basements', votes: 1214, hasVoted: false, isVotingOpen: true },
  ...{ summary: 'Photos stop saving as soon as the signal drops.', statusId: 4, categoryId: 1 },
  ...{ comments: 38, isPinned: false, author: 'Maren Voss', createdAt: '2026-03-03T09:00:00.000Z' },
  ...rest,
})

export const createBoard = (rest: Partial<BoardProps> = {}): BoardProps => ({
  ...{
    ideas: [createIdea()],
    sort: 'trending' as const,
    query: '',
    status: null,
    category: null,
    cursor: '',
    next: null,
  },
  ...rest,
})

export const createComment = (rest: Partial<CommentEntry> = {}): CommentEntry => ({
  ...{ id: 7, html: '<p>I would test it in the tunnel.</p>', author: 'Tobias Lindqvist', isTeam: false },
  ...{ isOwn: false, ownText: null },
  ...{ createdAt: '2026-11-24T10:00:00.000Z', replies: [] },
  ...rest,
})

export const createIdeaPage = (rest: Partial<IdeaProps> = {}): IdeaProps => {
  const { comments, isPinned, ...idea } = createIdea()
  return {
    ...idea,
    ...{ html: '<p>Let me finish <strong>the round</strong>.</p>', isPending: false, isRejected: false },
    ...{ isFollowed: false, files: [] },
    ...{ updates: [], history: [], merged: [], comments: [createComment()], commentCount: comments },
    ...{ nextComments: null },
    ...rest,
  }
}

export const createEntry = (rest: Partial<ChangelogEntry> = {}): ChangelogEntry => ({
  ...{ key: 'CL-31', title: 'Your clients sign on the tablet', html: '<p>Turn the tablet, done.</p>' },
  ...{ summary: 'Turn the tablet, done.', labels: ['New'], versions: ['4.8'], cover: null },
  ...{ ideas: [{ key: 'IDEA-5', title: 'Sign the report', votes: 71, comments: 16 }] },
  publishedAt: '2026-11-19T08:00:00.000Z',
  ...rest,
})
