import { useState } from 'preact/hooks'
import { client } from '../../api/client'
import { useProducts } from '../../api/products'
import { useQuery } from '../../api/queries'
import { AskDialog } from '../../parts/ask-dialog'
import { texts as shared } from '../../texts/texts'
import { promoteIdea } from './acts'
import { useAudience } from './audience'
import { type Found, RecordSearch } from './record-search'
import type { Idea } from './requests'
import { texts } from './texts/texts'

const TYPES = ['epic', 'feature', 'userstory'] as const
type Choice = (typeof TYPES)[number] | 'existing'
const MAX_FOUND = 20
const MAX_SUGGESTED = 5

/** The newest work items of the product. */
const useNewestItems = (product: string | undefined): readonly Found[] =>
  useQuery<Found[]>({
    queryKey: ['work_item', 'newest', product],
    queryFn: async () => {
      const items = await client.listAllWorkItems({
        ...{ product: product ?? '', limit: MAX_SUGGESTED },
        fields: ['externalKey', 'summary', 'type'],
      })
      return items.map(({ externalKey, summary, type }) => ({
        key: externalKey,
        title: summary,
        detail: shared.records[type],
      }))
    },
    enabled: product !== undefined,
  }).data ?? []

interface PromoteDialogProps {
  idea: Idea
  /** Whether the dialog begins with existing work items. */
  links: boolean
  onClose: () => void
}

/** The idea becomes a work item, or belongs to one that exists. */
export function PromoteDialog({ idea, links, onClose }: PromoteDialogProps) {
  const [choice, choose] = useState<Choice>(links ? 'existing' : 'feature')
  const [item, chooseItem] = useState<Found>()
  const product = useProducts().find(({ id }) => id === idea.product_id)?.externalKey
  const { data: audience } = useAudience(idea.external_key)
  const newest = useNewestItems(product)
  const isLink = choice === 'existing'
  const find = async (q: string): Promise<Found[]> => {
    const records = await client.searchRecords({ q, limit: MAX_FOUND })
    return records
      .filter((one) => one.product === product && TYPES.some((type) => type === one.type))
      .map(({ type, externalKey, title }) => ({ key: externalKey, title, detail: shared.records[type] }))
  }
  return (
    <AskDialog
      title={texts.promoteTitle(idea.external_key)}
      action={isLink ? texts.linkTo(item?.key) : texts.createItem(shared.records[choice])}
      failed={texts.notPromoted}
      isReady={!isLink || item !== undefined}
      onAct={() => promoteIdea(idea, isLink ? { into: item?.key ?? '' } : { type: choice })}
      onClose={onClose}
    >
      <fieldset class="stack tight">
        <legend class="sr">{texts.promoteTo}</legend>
        {[...TYPES, 'existing' as const].map((one) => (
          <label key={one} class="check">
            <input type="radio" name="promote" checked={choice === one} onChange={() => choose(one)} />
            {one === 'existing' ? texts.existingItem : texts.newItem(shared.records[one])}
          </label>
        ))}
      </fieldset>
      {isLink && (
        <RecordSearch
          label={texts.findItem}
          name="work-item"
          suggested={newest}
          find={find}
          chosen={item}
          onChoose={chooseItem}
        />
      )}
      <p class="sm muted">{texts.promoteHint(audience?.recipients ?? 0)}</p>
    </AskDialog>
  )
}
