import { findAccessTemplate, type KeyAccess, type RowWithAccess, selectRefusedOrigin, splitAccess } from '../sql/access'
import { findPortalAccessTemplate, type PortalAccess, type PortalShape } from '../sql/portal-access'
import type { Statement } from '../sql/statement'
import type { BatchResult } from './batch'

interface ReadShape {
  inProduct: boolean
  hasForeignOrigin: boolean
  portal: PortalShape | undefined
}

interface ReadResult {
  access: KeyAccess | undefined
  rows: object[][]
}

/** Reads the access of the key in the same batch: in the same statement for a single row, or in a statement before. */
export async function readWithAccess(
  ask: (statements: readonly Statement[]) => Promise<BatchResult>,
  statements: readonly Statement[],
  { inProduct, hasForeignOrigin, portal }: ReadShape,
): Promise<ReadResult> {
  const [first] = statements
  const accessTemplate = statements.length === 1 && !hasForeignOrigin && !portal ? first?.accessTemplate : undefined
  if (first && accessTemplate) {
    const { rows } = await ask([{ ...first, template: () => accessTemplate(inProduct) }])
    const row = rows[0]?.[0] as RowWithAccess | undefined
    if (!row) return { access: undefined, rows: [] }
    const { access, rows: found } = splitAccess(row)
    return { access, rows: [found] }
  }
  const accessOf = () => (portal ? findPortalAccessTemplate(portal) : findAccessTemplate(inProduct))
  const selectAccess: Statement = { template: accessOf, values: {} }
  const {
    rows: [granted, ...rows],
  } = await ask([selectAccess, ...statements, ...(hasForeignOrigin ? [selectRefusedOrigin({})] : [])])
  const found = granted?.[0]
  const access = portal ? toKeyAccess(found as PortalAccess | undefined) : (found as KeyAccess | undefined)
  if (!hasForeignOrigin) return { access, rows }
  const [refused] = (rows.pop() ?? []) as { origin: string }[]
  return { access: access && { ...access, refusedOrigin: refused?.origin }, rows }
}

function toKeyAccess(row: PortalAccess | undefined): KeyAccess | undefined {
  if (!row?.isActive) return undefined
  return { productId: null, covered: 1, stale: row.stale ?? 0, refusal: row.refusal }
}
