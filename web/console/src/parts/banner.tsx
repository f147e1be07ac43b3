import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon'

interface BannerProps {
  tone: 'gray' | 'red' | 'amber' | 'green' | 'teal'
  icon: IconName
  title: string
  children?: ComponentChildren
  /** Buttons at the end of the line. */
  action?: ComponentChildren
  isAlert?: boolean
}

export const Banner = ({ tone, icon, title, children, action, isAlert = false }: BannerProps) => (
  <section
    class="banner"
    data-tone={tone}
    role={isAlert ? 'alert' : undefined}
    aria-label={isAlert ? undefined : title}
  >
    <Icon name={icon} />
    <div class="grow">
      <h2 class="h4">{title}</h2>
      {children && <div class="sm muted">{children}</div>}
    </div>
    {action}
  </section>
)
