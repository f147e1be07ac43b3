import { showToast } from '../../state/toast'
import type { View } from './place'
import { type ListedKpi, listWithout, readAgain, sendRemoval, sendRestore } from './requests'
import { texts } from './texts/texts'
import { findRow, goToRow } from './use-keys'

/** The row goes at once, and the next row gets the focus. */
export async function removeKpi(view: View, kpis: readonly ListedKpi[], key: string): Promise<void> {
  const place = { product: view.product, key }
  const next = findRow(kpis, key, 1)
  const other = next === key ? findRow(kpis, key, -1) : next
  goToRow(view, other === key ? undefined : other)
  listWithout(place)
  try {
    await sendRemoval(place)
    showToast(texts.wasRemoved(key), () => void sendRestore(place).then(readAgain))
  } finally {
    void readAgain()
  }
}
