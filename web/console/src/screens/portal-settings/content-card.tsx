import { useProducts } from '../../api/products'
import { Choices } from '../../parts/choices'
import type { PartProps } from './portal-form'
import { type Choice, useCategories, useStatuses } from './requests'
import { texts } from './texts/texts'

const PAGES = ['roadmap', 'changelog'] as const

export function ContentCard({ portal, edit }: PartProps) {
  const products = useProducts()
  return (
    <section class="card pad stack" aria-labelledby="portal-content">
      <h2 class="h3" id="portal-content">
        {texts.content.title}
      </h2>
      <Choices
        title={texts.content.products}
        hint={products.length ? texts.content.productsHint : texts.content.noProducts}
        choices={products.map(({ externalKey, name }) => ({ id: externalKey, name }))}
        chosen={portal.products}
        onChange={(keys) => edit({ products: keys })}
      />
      <OnlyThese
        name="statuses"
        all={texts.content.allStatuses}
        some={texts.content.someStatuses}
        choices={useStatuses()}
        chosen={portal.statuses}
        onChange={(ids) => edit({ statuses: ids })}
      />
      <OnlyThese
        name="categories"
        all={texts.content.allCategories}
        some={texts.content.someCategories}
        choices={useCategories()}
        chosen={portal.categories}
        onChange={(ids) => edit({ categories: ids })}
      />
      <fieldset class="stack tight">
        <legend class="label">{texts.content.pages}</legend>
        {PAGES.map((page) => (
          <label key={page} class="check">
            <input
              type="checkbox"
              checked={portal[page]}
              onChange={({ currentTarget }) => edit({ [page]: currentTarget.checked })}
            />
            {texts.content[page]}
          </label>
        ))}
      </fieldset>
    </section>
  )
}

interface OnlyTheseProps {
  name: 'statuses' | 'categories'
  all: string
  some: string
  choices: readonly Choice[]
  /** Null for all. */
  chosen: number[] | null
  onChange: (chosen: number[] | null) => void
}

const OnlyThese = ({ name, all, some, choices, chosen, onChange }: OnlyTheseProps) => (
  <fieldset class="stack tight">
    <legend class="label">{texts.content[name]}</legend>
    <label class="check">
      <input type="radio" name={name} checked={chosen === null} onChange={() => onChange(null)} />
      {all}
    </label>
    <label class="check">
      <input
        type="radio"
        name={name}
        checked={chosen !== null}
        onChange={() => onChange(choices.map(({ id }) => id))}
        disabled={choices.length === 0}
      />
      {some}
    </label>
    {chosen !== null && <Choices title={some} choices={choices} chosen={chosen} onChange={onChange} />}
  </fieldset>
)
