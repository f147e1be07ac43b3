import * as z from 'zod'
import { MAX_STORED_HTML_CHARACTERS, text } from '../../http/schemas'
import { pickModelInputs } from '../scoring/models'
import { ScoreWorkItem } from '../scoring/schema'
import { CreateEpic, CreateUserStory, ModifyUserStory, startsBeforeEnd } from '../work-items/schema'

const { epicId, featureId, type, teamId, userId, persona, kpis, files, ...storyShape } = CreateUserStory.shape
const { estimate, businessValue, score } = CreateEpic.shape
const { progress, backlog } = ModifyUserStory.shape

/** Fields that a row of a file can set; ids of this workspace mean nothing in a file. */
export const ImportedWorkItem = z
  .object({
    ...storyShape,
    description: text(MAX_STORED_HTML_CHARACTERS).optional(),
    estimate,
    businessValue,
    score,
    progress,
    backlog,
    scoring: ScoreWorkItem.transform(pickModelInputs).optional(),
  })
  .refine(...startsBeforeEnd)

export type ImportedFields = z.output<typeof ImportedWorkItem>
