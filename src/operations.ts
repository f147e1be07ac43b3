import { backlog } from './backlog/routes'
import { discovery } from './discovery/routes'
import { feedback } from './feedback/routes'
import { people } from './people/routes'
import { workspace } from './workspace/routes'

/** Operations in the reading order of the API reference. */
export const operations = [...workspace, ...backlog, ...feedback, ...people, ...discovery] as const
