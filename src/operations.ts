import { backlog } from './backlog/routes'
import { discovery } from './discovery/routes'
import { feedbackOperations } from './feedback/routes'
import { peopleOperations } from './people/routes'
import { workspace } from './workspace/routes'

/** Operations in the reading order of the API reference. */
export const operations = [...workspace, ...backlog, ...feedbackOperations, ...peopleOperations, ...discovery] as const
