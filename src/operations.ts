import { backlog } from './backlog/contents'
import { discovery } from './discovery/contents'
import { feedback } from './feedback/contents'
import { people } from './people/contents'
import { workspace } from './workspace/contents'

/** Every operation of the service, in reading order. */
export const operations = [...workspace, ...backlog, ...feedback, ...people, ...discovery] as const
