import { foldColumnName } from './columns'

export type ForeignItemType = 'epic' | 'feature' | 'userstory' | 'sub'
export type ForeignProgress = 'to-do' | 'in-progress' | 'done'

const foldName = (name: string) => foldColumnName(name.replace(/['’]/g, ''))

type NamesByMeaning<T extends string> = Readonly<Record<T, string>>

function invertNames<T extends string>(names: NamesByMeaning<T>): ReadonlyMap<string, T> {
  const pairs = Object.entries<string>(names) as [T, string][]
  return new Map(
    pairs.flatMap(([meaning, list]) => list.split(',').map((name): [string, T] => [foldName(name), meaning])),
  )
}

const TYPE_BY_NAME = invertNames<ForeignItemType>({
  epic: 'epic, initiative, theme, saga, legend',
  feature: 'feature, new feature, subfeature, capability, impact map, component',
  userstory: `user story, story, product backlog item, requirement, task, bug, issue, card, improvement, spike,
    technical task, enhancement, change request, incident, service request, test, test case, support, defect, impediment`,
  sub: 'sub-task, technical sub-task, sub-bug',
})

/** Names that say no more than our type. */
const PLAIN_TYPE_NAMES = new Set(['epic', 'feature', 'user story', 'story', 'impact map'].map(foldName))

const PROGRESS_BY_STATUS = invertNames<ForeignProgress>({
  'to-do': `to do, todo, open, opened, new, backlog, reopened, triage, planned, unstarted, candidate, approved, proposed,
    selected for development, ready, ready for development, new idea, ideas, icebox, next, later, blocked, on hold,
    not started, pending`,
  'in-progress': `in progress, started, doing, in review, review, in development, testing, qa, test, in testing, in test,
    code review, in qa, active, wip, delivery, committed, under review, ready for review, ready for qa, ready for test,
    indeterminate, ongoing, now, waiting on us, waiting on contact, waiting for customer, waiting for support, escalated`,
  done: `done, closed, resolved, completed, complete, released, shipped, finished, delivered, deployed, merged, accepted,
    launched, live, won't do, won't fix, canceled, cancelled, rejected, declined, duplicate, abandoned,
    removed, archived, invalid, obsolete`,
})

export const findItemType = (name: string): ForeignItemType | undefined => TYPE_BY_NAME.get(foldName(name))

export const isPlainTypeName = (name: string): boolean => PLAIN_TYPE_NAMES.has(foldName(name))

export const findProgress = (status: string): ForeignProgress | undefined => PROGRESS_BY_STATUS.get(foldName(status))
