import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon'

interface EmptyProps {
  icon: IconName
  title: string
  hint: string
  children?: ComponentChildren
}

export const Empty = ({ icon, title, hint, children }: EmptyProps) => (
  <section class="empty">
    <Icon name={icon} />
    <h2 class="h3">{title}</h2>
    <p>{hint}</p>
    {children}
  </section>
)
