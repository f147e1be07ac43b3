import type * as z from 'zod'
import type { WorkItemData } from './queries/record'
import type { ResultRow } from './queries/result'
import type { FeatureResult, WorkItemResult } from './schema'

/** Spec, "Work item result", of an epic: only `epicId` is set, all remaining ids are 0. */
export function toEpicResult({ id, summary, externalKey }: ResultRow): z.input<typeof WorkItemResult> {
  return { summary, epicId: id, featureId: 0, type: 'epic', cardId: 0, externalKey }
}

/** Spec, "Work item result", of a user story: `cardId` is the id of the story. */
export function toStoryResult({
  id,
  summary,
  externalKey,
  epicId,
  featureId,
}: ResultRow): z.input<typeof WorkItemResult> {
  return { summary, epicId, featureId, type: 'userstory', cardId: id, externalKey }
}

/** Spec, "Work item result" with "Feature metaData": every field has the type of the spec, even without a value. */
export function toFeatureResult(feature: WorkItemData): z.input<typeof FeatureResult> {
  const { id, summary, externalKey, epicId } = feature
  return {
    summary,
    epicId,
    featureId: id,
    type: 'impact_map',
    cardId: 0,
    externalKey,
    metaData: {
      persona: feature.persona.map(({ personaValue = '', personaId = 0 }) => ({ personaValue, personaId })),
      urls: feature.urls,
      id,
      summary,
      userId: JSON.stringify(feature.userId),
      backlog: feature.backlog,
      description: feature.description,
      successCriteria: null,
      nonFunctionalRequirements: null,
      initiativeId: String(feature.initiativeId),
      teamId: feature.teamId ?? 0,
      externalKey,
      status: feature.status,
      detail: null,
      color: feature.color,
      order: null,
      score: feature.score.toFixed(2),
      startDate: feature.startDate ?? '',
      endDate: feature.endDate ?? '',
      epicId,
      estimate: feature.estimate,
      progress: feature.progress,
      externalProgress: feature.externalProgress,
      businessValue: feature.businessValue,
      tags: feature.tags,
      timeBoxPlanningId: 0,
      subTimeBoxPlanningId: 0,
      swimlaneId: 0,
      roadmapId: 0,
      storyMapId: 0,
      businessObjectiveId: 0,
      businessGoal: feature.businessGoal,
      jiraId: feature.jiraId,
      jiraKey: feature.jiraKey,
      jiraSelf: null,
      jiraParentId: '',
      createdAt: feature.createdAt,
      updatedAt: feature.updatedAt,
    },
  }
}
