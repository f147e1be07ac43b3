/** For readers of the portal, who choose their own mail. */
export { getOwnPreferences, saveOwnPreferences } from './queries'
