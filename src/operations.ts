import { backlog } from './backlog/contents'
import { discovery } from './discovery/contents'
import { feedback } from './feedback/contents'
import { people } from './people/contents'
import { workspace } from './workspace/contents'

/** Operations in the reading order of the API reference. */
export const operations = [...workspace, ...backlog, ...feedback, ...people, ...discovery] as const
