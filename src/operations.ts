import { backlogOperations } from './backlog/routes'
import { discovery } from './discovery/routes'
import { feedbackOperations } from './feedback/routes'
import { peopleOperations } from './people/routes'
import { portalOperations } from './portal/routes'
import { workspace } from './workspace/routes'

export const operations = [
  ...workspace,
  ...backlogOperations,
  ...feedbackOperations,
  ...peopleOperations,
  ...discovery,
  ...portalOperations,
] as const
