import { render } from 'preact'
import './style/shell.css'
import './style/parts.css'
import './style/table.css'
import './style/panes.css'
import './style/import.css'
import './style/ideas.css'
import './style/backlog.css'
import './style/board.css'
import './style/item.css'
import './style/kpis.css'
import './style/personas.css'
import './style/experiments.css'
import './style/story-map.css'
import './style/mailings.css'
import './style/settings.css'
import './style/segments.css'
import './style/people.css'
import './style/changelog.css'
import './style/documents.css'
import './style/portal-settings.css'
import './style/webhooks.css'
import './style/incoming.css'
import './style/events.css'
import { App } from './app'
import { listenToKeys } from './state/keys'
import { followLinks } from './state/place'
import { language } from './texts/texts'

document.documentElement.lang = language
followLinks()
listenToKeys()
const root = document.getElementById('console')
if (root) render(<App />, root)
