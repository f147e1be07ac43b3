/** For readers of the portal, who sign out. */
export { signOut } from './queries'
