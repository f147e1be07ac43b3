import { leaveRow } from '../../parts/list-keys'
import { showToast } from '../../state/toast'
import type { View } from './place'
import { type ListedKpi, listWithout, readAgain, sendRemoval, sendRestore } from './requests'
import { texts } from './texts/texts'
import { toRows } from './use-keys'

/** The row goes at once, and the next row gets the focus. */
export async function removeKpi(view: View, kpis: readonly ListedKpi[], key: string): Promise<void> {
  const place = { product: view.product, key }
  leaveRow(toRows(view, kpis), key)
  listWithout(place)
  try {
    await sendRemoval(place)
    showToast(texts.wasRemoved(key), () => sendRestore(place).then(readAgain))
  } finally {
    void readAgain()
  }
}
