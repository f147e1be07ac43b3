import { useState } from 'preact/hooks'
import { AskDialog } from '../../parts/ask-dialog'
import { mergeIdeas } from './acts'
import type { IdeaList } from './idea-list'
import { type Found, RecordSearch } from './record-search'
import { type Idea, type ListedIdea, readIdeas } from './requests'
import { useSimilar } from './similar'
import { texts } from './texts/texts'

interface MergeDialogProps {
  idea: Idea
  list: IdeaList
  onClose: () => void
}

const toFound = ({ external_key, title, vote }: Pick<ListedIdea, 'external_key' | 'title' | 'vote'>): Found => ({
  ...{ key: external_key, title, detail: texts.votes(vote) },
})

/** The idea goes into another idea, which stays. */
export function MergeDialog({ idea, list, onClose }: MergeDialogProps) {
  const key = idea.external_key
  const [target, choose] = useState<Found>()
  const similar = useSimilar(key).map(toFound)
  const find = async (q: string) => {
    const { ideas } = await readIdeas({ q, status: '', tag: '', level: '', sort: 'most-voted', product: null })
    return ideas.filter(({ external_key }) => external_key !== key).map(toFound)
  }
  return (
    <AskDialog
      title={texts.mergeTitle(key)}
      action={target ? texts.mergeInto(target.key) : texts.merge}
      failed={texts.notMerged}
      isReady={target !== undefined}
      onAct={() => mergeIdeas(list, key, target?.key ?? '')}
      onClose={onClose}
    >
      <p class="sm muted">{texts.mergeHint}</p>
      <RecordSearch
        label={texts.mergeTarget}
        name="merge"
        suggested={similar}
        find={find}
        chosen={target}
        onChoose={choose}
      />
    </AskDialog>
  )
}
