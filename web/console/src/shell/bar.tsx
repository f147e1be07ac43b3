import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Icon } from '../parts/icon'
import { BASE } from '../state/place'
import { texts } from '../texts/texts'

interface BarProps {
  title: string
  /** The page above this page. */
  crumb?: { path: string; title: string }
  /** The record that holds this record. Wide screens show it. */
  parent?: { path: string; title: string }
  children?: ComponentChildren
}

export function Bar({ title, crumb, parent, children }: BarProps) {
  useEffect(() => {
    document.title = `${title} · Groundwork`
  }, [title])
  return (
    <header class="bar">
      <button
        class="btn ghost icon menu-btn"
        type="button"
        popovertarget="side"
        aria-label={texts.menu}
        title={texts.menu}
      >
        <Icon name="menu" />
      </button>
      <div class="titles">
        {crumb && (
          <a class="crumb" href={BASE + crumb.path}>
            {crumb.title}
          </a>
        )}
        {parent && (
          <a class="crumb truncate only-wide" href={BASE + parent.path}>
            {parent.title}
          </a>
        )}
        <h1>{title}</h1>
      </div>
      <div class="row push">{children}</div>
    </header>
  )
}
