import type { Child } from 'hono/jsx'
import { Icon, type IconName } from './icon'

interface BannerProps {
  tone: 'green' | 'gray' | 'red' | 'amber'
  icon: IconName
  title: string
  /** Text of a button, for a script. */
  action?: string
  children?: Child
}

/** A failure interrupts a screen reader; other news waits. */
export const Banner = ({ tone, icon, title, action, children }: BannerProps) => (
  <div class="banner" data-tone={tone} role={tone === 'red' ? 'alert' : 'status'}>
    <Icon name={icon} />
    <div class="grow">
      <p class="banner-title">{title}</p>
      {children === undefined ? '' : <div class="sm muted">{children}</div>}
    </div>
    {action ? (
      <button class="btn small" type="button">
        {action}
      </button>
    ) : (
      ''
    )}
  </div>
)
