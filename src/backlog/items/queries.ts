import { workItem } from '../work-items/queries/any'

export const getWorkItem = workItem.get
