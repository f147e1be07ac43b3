/** For readers of the portal, who follow in their own name. */
export { followChangelog, leaveChangelog } from './queries'
