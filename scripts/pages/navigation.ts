import { escapeHtml } from './html.ts'
import type { Operation, Reference, Resource } from './reference.ts'

export const renderRoute = ({ method, path }: Pick<Operation, 'method' | 'path'>) =>
  `<span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path)}</code>`

/** All resources; the operations of the present resource stand below its name. */
export function renderSide({ resources }: Reference, present?: Operation | Resource): string {
  const rows = resources.map((resource) => {
    const isPresent = resource.tag === present?.tag
    const operations = resource.operations.map(
      (op) =>
        `<li><a href="${op.href}"${op === present ? ' aria-current="page"' : ''}>${escapeHtml(op.summary)}</a></li>`,
    )
    const current = resource === present ? ' aria-current="page"' : ''
    return `<li><a href="${resource.href}"${current}>${resource.tag}</a>${isPresent ? `\n<ul>${operations.join('\n')}</ul>` : ''}</li>`
  })
  return `<ul>${rows.join('\n')}</ul>\n`
}

export const renderOperationList = (operations: readonly Operation[]) =>
  `<ul class="operations">${operations
    .map(
      (op) =>
        `<li><a href="${op.href}">${escapeHtml(op.summary)}</a><span class="route">${renderRoute(op)}</span></li>`,
    )
    .join('\n')}</ul>\n`
