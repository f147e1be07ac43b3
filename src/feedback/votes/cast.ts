/** For readers of the portal, who vote in their own name. */
export { castVote } from './queries'
