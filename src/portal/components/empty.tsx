import type { Child } from 'hono/jsx'
import { Icon, type IconName } from './icon'

interface EmptyStateProps {
  icon: IconName
  title: string
  hint: string
  children?: Child
}

export const EmptyState = ({ icon, title, hint, children }: EmptyStateProps) => (
  <div class="card empty">
    <Icon name={icon} />
    <p class="empty-title">{title}</p>
    <p>{hint}</p>
    {children === undefined ? '' : <p class="row wrap">{children}</p>}
  </div>
)
