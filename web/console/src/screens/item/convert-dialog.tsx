import { AskDialog } from '../../parts/ask-dialog'
import { goTo } from '../../state/place'
import { showToast } from '../../state/toast'
import type { Forest, ItemType } from '../backlog/forest'
import { pathOfListed } from '../backlog/paths'
import { describeConversion } from './conversion'
import { type ItemPlace, readAgain, sendConversion, type WorkItem } from './requests'
import { texts } from './texts/texts'

interface ConvertDialogProps {
  item: WorkItem
  place: ItemPlace
  forest: Forest
  to: ItemType
  onClose: () => void
}

export function ConvertDialog({ item, place, forest, to, onClose }: ConvertDialogProps) {
  const convert = async () => {
    const key = await sendConversion(place, to)
    readAgain()
    goTo(pathOfListed(place.product, { key }), { replaces: true })
    showToast(texts.converted(item.externalKey, key))
  }
  return (
    <AskDialog
      title={texts.convertTitle[to](item.externalKey)}
      action={texts.convert[to]}
      failed={texts.notConverted}
      onAct={convert}
      onClose={onClose}
    >
      <ul class="stack tight">
        {describeConversion(forest, item, to).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </AskDialog>
  )
}
