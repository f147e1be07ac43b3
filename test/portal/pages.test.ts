import { expect, test } from 'vitest'
import { BoardPage } from '../../src/portal/pages/board'
import { ChangelogEntryPage, ChangelogPage } from '../../src/portal/pages/changelog'
import { EditIdeaPage } from '../../src/portal/pages/edit-idea'
import { IdeaPage } from '../../src/portal/pages/idea'
import { ProblemPage } from '../../src/portal/pages/problem'
import { ProfilePage } from '../../src/portal/pages/profile'
import { RoadmapPage } from '../../src/portal/pages/roadmap'
import { SignInPage } from '../../src/portal/pages/sign-in'
import { SubmitPage } from '../../src/portal/pages/submit'
import { LANGUAGES, textsOf } from '../../src/portal/texts/language'
import {
  createBoard,
  createComment,
  createEntry,
  createFrame,
  createIdea,
  createIdeaPage,
  createPortal,
  createVisitor,
  STATUSES,
} from './samples'

type SampleFrame = ReturnType<typeof createFrame>

const HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>\'&'

/** Every page, with `text` in each place that holds plain text of visitors or the team. */
function renderAll(frame: SampleFrame, text = 'Plain'): Map<string, string> {
  const status = { ...(STATUSES[2] ?? STATUSES[0]), name: text } as (typeof STATUSES)[number]
  const idea = createIdea({ title: text, summary: text, author: text })
  const comment = createComment({
    author: text,
    isOwn: true,
    ownText: text,
    replies: [createComment({ id: 8, author: text, isTeam: true })],
  })
  const entry = createEntry({
    ...{ title: text, summary: text, labels: [text], versions: [text] },
    ideas: [{ key: 'IDEA-1', title: text, votes: 1, comments: 2 }],
  })
  const update = { status: text, message: text, createdAt: '2026-08-04T09:00:00.000Z' }
  const change = { statusId: null, status: text, createdAt: '2026-08-04T09:00:00.000Z' }
  const pages = {
    board: BoardPage({ frame, board: createBoard({ ideas: [idea], query: text, next: text, cursor: text }) }),
    'empty board': BoardPage({ frame, board: createBoard({ ideas: [] }) }),
    'board without a match': BoardPage({ frame, board: createBoard({ ideas: [], query: text }) }),
    idea: IdeaPage({
      frame,
      idea: createIdeaPage({
        ...{ title: text, summary: text, author: text, updates: [update, update], history: [change] },
        ...{ files: [{ name: text, url: '/files/1', bytes: 1_200_000 }], merged: [{ key: 'IDEA-2', title: text }] },
        ...{ comments: [comment, createComment({ id: 9, html: '', author: '' })], nextComments: text, isPending: true },
        ...{ draft: { parent: 7, changed: null, text, problem: 'notSaved' }, done: 'submitted' },
      }),
    }),
    roadmap: RoadmapPage({
      frame,
      roadmap: { category: 1, lanes: [{ status, ideas: [idea], hasMore: true }] },
    }),
    'empty roadmap': RoadmapPage({ frame, roadmap: { category: null, lanes: [] } }),
    changelog: ChangelogPage({
      frame,
      changelog: { entries: [entry], labels: [text, 'New'], label: text, cursor: text, next: text },
    }),
    entry: ChangelogEntryPage({ frame, entry }),
    submit: SubmitPage({
      frame,
      form: {
        ...{ title: text, text, category: 1, product: text, problem: 'notSaved', similar: [idea], isCompared: true },
        losesFiles: true,
      },
    }),
    edit: EditIdeaPage({
      frame,
      form: { key: text, title: text, text, category: 1, hasCategoryField: true, problem: 'notChanged' },
    }),
    profile: ProfilePage({
      frame,
      profile: {
        ...{ firstName: text, lastName: text, email: text, saved: 'name', problem: 'nameLong', votes: [idea] },
        ...{ mail: { kinds: ['status'], chosen: [], digest: 'off', isStopped: true } },
        ideas: [{ ...idea, isPending: true }],
      },
    }),
    'sign-in': SignInPage({
      ...{ frame, provider: 'login.example.com' },
      form: { email: text, returnTo: text, vote: text, isCodeSent: false, error: 'invalidMail' },
    }),
    code: SignInPage({
      ...{ frame, provider: null },
      form: { email: text, returnTo: text, vote: text, isCodeSent: true, error: 'wrong' },
    }),
    problem: ProblemPage({ frame, title: text, hint: text }),
  }
  return new Map(Object.entries(pages).map(([name, page]) => [name, String(page)]))
}

const hostilePortal = createPortal({
  products: [
    { key: HOSTILE, name: HOSTILE },
    { key: 'B', name: 'B' },
  ],
  ...{ slug: HOSTILE, name: HOSTILE, accent: HOSTILE, categories: [{ id: 1, name: HOSTILE }] },
  statuses: STATUSES.map((status) => ({ ...status, name: HOSTILE, color: HOSTILE })),
})

test.each(LANGUAGES)('no text becomes markup on any page (%s)', (language) => {
  const frame = createFrame({ language, portal: hostilePortal, visitor: createVisitor(HOSTILE), path: `/${HOSTILE}` })
  const pages = renderAll(frame, HOSTILE)
  expect(pages.size).toBe(14)
  for (const [name, html] of pages) {
    expect(html, name).not.toMatch(/<script>|<img|onerror=(?!alert\(1\)&gt;)/)
    expect(html, name).toContain('&lt;script&gt;')
  }
})

test('no page has inline scripts or styles, and each id is unique', () => {
  for (const [name, html] of renderAll(createFrame({ visitor: createVisitor('Maren Voss') }))) {
    expect(html, name).not.toMatch(/<style|<script>| style="| on[a-z]+="/)
    const ids = Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id)
    expect(ids.length, name).toBe(new Set(ids).size)
    for (const [, id] of html.matchAll(/(?:aria-describedby|aria-labelledby| for|popovertarget)="([^"]+)"/g))
      expect(ids, `${name} refers to ${id}`).toContain(id)
    expect(html.match(/<h1[ >]/g), name).toHaveLength(1)
    expect(html.match(/<main /g), name).toHaveLength(1)
  }
})

const stringsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value
      ? Object.values(value).flatMap(stringsOf)
      : []

test('the German pages hold no English sentence', () => {
  const german = new Set(stringsOf(textsOf('de')))
  const english = stringsOf(textsOf('en')).filter((text) => text.includes(' ') && !german.has(text))
  expect(english.length).toBeGreaterThan(80)
  for (const [name, html] of renderAll(createFrame({ language: 'de' }))) {
    expect(html, name).toContain('<html lang="de"')
    expect(
      english.filter((text) => html.includes(`>${text}<`)),
      name,
    ).toEqual([])
  }
})

test('a vote button says the state, and a closed vote has no action', () => {
  const of = (rest: object) =>
    String(BoardPage({ frame: createFrame(), board: createBoard({ ideas: [createIdea(rest)] }) }))
  expect(of({})).toContain('value="up" aria-pressed="false" aria-label="Vote: Work offline in basements, 1,214 votes"')
  expect(of({ hasVoted: true, votes: 1 })).toContain(
    'value="none" aria-pressed="true" aria-label="Remove your vote: Work offline in basements, 1 vote"',
  )
  expect(of({ isVotingOpen: false })).toMatch(/aria-label="Voting has ended: 1,214 votes"[^>]* disabled=""/)
  expect(of({ votes: 12_345 })).toContain('<span>12K</span>')
})

test('the links keep the language, the filters and the sort', () => {
  const frame = createFrame({ language: 'de', path: '?q=pdf' })
  const html = String(BoardPage({ frame, board: createBoard({ query: 'pdf', status: 3, category: 2, next: 'n1' }) }))
  expect(html).toContain('href="/p/plumbline/de/ideas/IDEA-1"')
  expect(html).toContain('href="/p/plumbline/de?q=pdf&amp;status=3&amp;category=2&amp;cursor=n1"')
  expect(html).toContain('href="/p/plumbline/de?q=pdf&amp;sort=new&amp;status=3&amp;category=2"')
  expect(html).toContain('href="/p/plumbline?q=pdf" lang="en"')
  expect(html).toContain('href="/p/plumbline/de?q=pdf&amp;category=2"')
})

test('only public pages have previews and addresses in both languages', () => {
  const board = createBoard()
  const shown = String(BoardPage({ frame: createFrame(), board }))
  expect(shown).toContain('<meta property="og:title" content="Ideas"/>')
  expect(shown).toContain('hreflang="de" href="https://groundwork.example.com/p/plumbline/de"')
  expect(shown).toContain('hreflang="x-default" href="https://groundwork.example.com/p/plumbline"')
  expect(shown).not.toContain('noindex')
  const frame = createFrame({ portal: createPortal({ isPrivate: true }) })
  const hidden = String(BoardPage({ frame, board }))
  expect(hidden).toContain('<meta name="robots" content="noindex"/>')
  expect(hidden).not.toContain('og:')
})

test('a visitor comments and follows; everybody else is asked to sign in', () => {
  const idea = createIdeaPage({ isFollowed: true, comments: [createComment()] })
  const own = String(IdeaPage({ frame: createFrame({ visitor: createVisitor('Maren Voss') }), idea }))
  expect(own).toContain('action="/p/plumbline/ideas/IDEA-1/comments"')
  expect(own).toMatch(/name="follow" value="no" aria-pressed="true"/)
  expect(own).toContain('<input type="hidden" name="parent" value="7"/>')
  const anonymous = String(IdeaPage({ frame: createFrame(), idea }))
  expect(anonymous).not.toMatch(/<textarea|name="follow"|name="parent"/)
  expect(anonymous).toContain('/sign-in?return=%2Fp%2Fplumbline%2Fideas%2FIDEA-1')
})
