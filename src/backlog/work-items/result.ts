import type * as z from 'zod'
import { decimalText } from '../../text/decimals'
import { iso } from '../../text/moments'
import { toFile } from '../../workspace/assets/schema'
import type { SavedRow, WorkItemFound, WorkItemRow } from './queries'
import type { CreateFeature, FeatureResult, WorkItem, WorkItemDetail, WorkItemResult } from './schema'

/** Spec, "Work item result", of an epic: its own id, and 0 for what it is not. */
export function toEpicResult(row: SavedRow): z.input<typeof WorkItemResult> {
  return { summary: row.summary, epicId: row.id, featureId: 0, type: 'epic', cardId: 0, externalKey: row.externalKey }
}

/** The same shape for a user story: `cardId` is its own id. */
export function toStoryResult(row: SavedRow): z.input<typeof WorkItemResult> {
  return {
    summary: row.summary,
    epicId: row.epicId ?? 0,
    featureId: row.featureId ?? 0,
    type: 'userstory',
    cardId: row.id,
    externalKey: row.externalKey,
  }
}

const instant = (at: number | null | undefined) => (at == null ? '' : iso(at))

/** Spec, "Work item result" with "Feature metaData": every field, of the spec's type, also where nothing was sent. */
export function toFeatureResult(
  row: SavedRow,
  sent: z.output<typeof CreateFeature>,
  stored: Record<string, unknown>,
): z.input<typeof FeatureResult> {
  const epicId = row.epicId ?? 0
  return {
    summary: row.summary,
    epicId,
    featureId: row.id,
    type: 'impact_map',
    cardId: 0,
    externalKey: row.externalKey,
    metaData: {
      persona: sent.persona ?? [],
      urls: sent.urls ?? [],
      id: row.id,
      summary: row.summary,
      userId: JSON.stringify(sent.userId ?? []),
      backlog: row.backlog === 1,
      description: (stored.description as string | undefined) ?? '',
      successCriteria: null,
      nonFunctionalRequirements: null,
      initiativeId: String(row.productId),
      teamId: sent.teamId ?? 0,
      externalKey: row.externalKey,
      status: 'active',
      detail: null,
      color: sent.color ?? '',
      order: null,
      score: decimalText((stored.score as number | undefined) ?? 0),
      startDate: instant(sent.startDate),
      endDate: instant(sent.endDate),
      epicId,
      estimate: sent.estimate ?? '',
      progress: sent.progress ?? 'to-do',
      externalProgress: sent.externalProgress ?? '',
      businessValue: sent.businessValue ?? '',
      tags: sent.tags ?? '[]',
      timeBoxPlanningId: 0,
      subTimeBoxPlanningId: 0,
      swimlaneId: 0,
      roadmapId: 0,
      storyMapId: 0,
      businessObjectiveId: 0,
      businessGoal: sent.businessGoal ?? '',
      jiraId: sent.jiraId ?? '',
      jiraKey: sent.jiraKey ?? '',
      jiraSelf: null,
      jiraParentId: '',
      createdAt: iso(row.createdAt),
      updatedAt: iso(row.createdAt),
    },
  }
}

/** A work item as reads show it. */
export function toWorkItem(row: WorkItemRow): z.input<typeof WorkItem> {
  return {
    id: row.id,
    externalKey: row.externalKey,
    type: row.type as 'epic',
    initiativeId: row.productId,
    epicId: row.epicId ?? 0,
    featureId: row.featureId ?? 0,
    status: row.status,
    summary: row.summary,
    color: row.color,
    progress: row.progress,
    progressPercentage: row.progressPercentage,
    firstChild: row.firstChild,
    backlog: row.backlog === 1,
    description: row.description,
    businessGoal: row.businessGoal,
    persona: JSON.parse(row.personas),
    teamId: row.teamId,
    userId: JSON.parse(row.userIds),
    startDate: iso(row.startDate),
    endDate: iso(row.endDate),
    tags: row.tags,
    urls: JSON.parse(row.urls),
    jiraId: row.jiraId,
    jiraKey: row.jiraKey,
    externalProgress: row.externalProgress,
    estimate: row.estimate,
    businessValue: row.businessValue,
    storyPoint: row.storyPoint,
    remainingTime: row.remainingTime,
    score: row.score / 100,
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  }
}

/** A work item with what hangs on it. */
export function toWorkItemDetail({ row, files }: WorkItemFound, product: string): z.input<typeof WorkItemDetail> {
  return {
    ...toWorkItem(row),
    features: JSON.parse(row.featureKeys),
    userStories: JSON.parse(row.storyKeys),
    kpis: JSON.parse(row.kpiKeys),
    files: files.map((file) => ({ file: toFile(file, product) })),
  }
}
