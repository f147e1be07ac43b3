/** For readers of the portal, who comment in their own name. */
export { commentQueries } from './queries'
