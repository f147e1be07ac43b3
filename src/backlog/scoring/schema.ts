import * as z from 'zod'
import { storedValue, text } from '../../http/schemas'
import { findScoringProblems, SCORING_MODEL_NAMES } from './models'

const MAX_SCORING_INPUTS = 50

const createNumbersSchema = () =>
  z
    .record(text(100).min(1), z.number().min(-1e9).max(1e9))
    .refine(
      (given) => Object.keys(given).length <= MAX_SCORING_INPUTS,
      `Must have at most ${MAX_SCORING_INPUTS} members`,
    )

export const ScoreWorkItem = z
  .object({
    model: z.enum(SCORING_MODEL_NAMES),
    inputs: createNumbersSchema().meta({
      description:
        'rice: `reach, impact, confidence, effort` (confidence from 0 to 100 percent, or a fraction from 0 to 1: 80 and 0.8 mean the same, 1 means 100 %); ice: `impact, confidence, ease`, each from 0 to 10; wsjf: `businessValue, timeCriticality, riskReduction, jobSize`; value-effort: `value, effort`; custom: inputs of your choice. An effort or job size must be more than 0; other inputs of rice and wsjf must not be negative.',
    }),
    weights: createNumbersSchema().optional().meta({ description: 'Weights of a custom model by input; default 1.' }),
  })
  .superRefine((scoring, context) => {
    for (const { path, message } of findScoringProblems(scoring)) context.addIssue({ code: 'custom', path, message })
  })
  .meta({
    id: 'ScoreWorkItem',
    examples: [{ model: 'rice', inputs: { reach: 500, impact: 2, confidence: 0.8, effort: 4 } }],
  })

export const Score = z
  .object({
    externalKey: z.string(),
    model: storedValue(SCORING_MODEL_NAMES),
    inputs: z.record(z.string(), z.number()),
    weights: z.record(z.string(), z.number()).optional(),
    score: z.number().meta({ description: 'Score, rounded to two decimal places.' }),
    explanation: z.string().meta({ examples: ['reach × impact × confidence / effort = 500 × 2 × 0.8 / 4 = 200'] }),
  })
  .meta({ id: 'Score' })
