import type { ComponentChildren, RefObject } from 'preact'
import { type Me, maySee } from '../../api/me'
import { Empty } from '../../parts/empty'
import { Bar } from '../../shell/bar'
import { BASE } from '../../state/place'
import { SETTINGS_PAGES } from './pages'
import { texts } from './texts/texts'

interface SettingsPageProps {
  me: Me
  main: RefObject<HTMLElement | null>
  path: string
  /** The name of a record of the page, if the place shows one. */
  record?: string
  /** The main action of the page. */
  action?: ComponentChildren
  children: ComponentChildren
}

/** A page of the settings, below the links to the other pages. */
export const SettingsPage = ({ me, main, path, record, action, children }: SettingsPageProps) => {
  const { title = texts.settings, scope } = SETTINGS_PAGES.find((page) => page.path === path) ?? {}
  return (
    <>
      <Bar title={record ?? title} {...(record !== undefined && { crumb: { path, title } })}>
        {action}
      </Bar>
      <main id="main" ref={main} tabIndex={-1} class="padded">
        <div class="center stack loose">
          <nav class="tabs" aria-label={texts.settings}>
            {SETTINGS_PAGES.filter(({ scope }) => maySee(me, scope)).map((page) => (
              <a key={page.path} href={BASE + page.path} aria-current={page.path === path ? 'page' : undefined}>
                {page.title}
              </a>
            ))}
          </nav>
          {maySee(me, scope) ? children : <Empty icon="lock" title={title} hint={texts.notAllowed} />}
        </div>
      </main>
    </>
  )
}
