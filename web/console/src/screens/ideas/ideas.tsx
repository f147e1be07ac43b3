import { useCallback, useEffect, useState } from 'preact/hooks'
import { mayChange } from '../../api/me'
import { Bar } from '../../shell/bar'
import { chosenProduct } from '../../state/product'
import type { ScreenProps } from '../screens'
import { DetailPane } from './detail-pane'
import { readFilters, readSelected } from './filters'
import { useIdeaList } from './idea-list'
import { ListPane } from './list-pane'
import { ListTools } from './list-tools'
import { NewIdeaDialog } from './new-idea-dialog'
import { clearPicked } from './picked'
import { markOpened, rememberVisit } from './seen'
import { texts } from './texts/texts'
import { useListKeys } from './use-list-keys'

export default function IdeasScreen({ me, main }: ScreenProps) {
  const selected = readSelected()
  const list = useIdeaList({ ...readFilters(), product: chosenProduct.value })
  const isEditor = mayChange(me, 'feedback')
  const [isCreating, setCreating] = useState(false)
  const openDialog = useCallback(() => setCreating(true), [])
  useListKeys(list, isEditor)
  useEffect(rememberVisit, [])
  useEffect(() => clearPicked, [list])
  useEffect(() => {
    if (selected) markOpened(selected)
  }, [selected])
  return (
    <>
      <Bar title={texts.title}>
        <ListTools mayCreate={isEditor} onCreate={openDialog} />
      </Bar>
      <main id="main" ref={main} tabIndex={-1} class={selected ? 'panes detail' : 'panes'}>
        <ListPane list={list} mayPick={isEditor} />
        <DetailPane key={selected} me={me} list={list} selected={selected} />
      </main>
      {isCreating && <NewIdeaDialog list={list} onClose={() => setCreating(false)} />}
    </>
  )
}
