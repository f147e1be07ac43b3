/** For readers of the portal, who choose their own name. */
export { modifyMember } from './queries/write'
