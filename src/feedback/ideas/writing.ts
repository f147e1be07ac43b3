/** For readers of the portal, who submit ideas in their own name. */
export { createFeedbackItem, modifyFeedbackItem } from './queries/write'
