/** For readers of the portal, who follow ideas in their own name. */
export { subscribePerson, unsubscribeCaller } from './queries'
