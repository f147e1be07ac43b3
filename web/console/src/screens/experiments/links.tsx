import { Icon } from '../../parts/icon'
import { BASE } from '../../state/place'
import { pathOfItem } from '../backlog/paths'
import { None, Pair } from '../item/pair'
import { pathOfPersona } from '../personas/place'
import { Choice } from '../personas/properties'
import type { EditProps } from './heading'
import { useKpiChoices, useOpportunity, usePersonaChoices } from './requests'
import { texts } from './texts/texts'

interface LinksProps extends EditProps {
  product: string
}

/** The records that the experiment is about. */
export function Links({ product, ...props }: LinksProps) {
  const kpis = useKpiChoices(product)
  const { experiment, may, save } = props
  return (
    <section class="stack tight" aria-labelledby="experiment-links">
      <h3 class="label" id="experiment-links">
        {texts.links}
      </h3>
      <dl class="dl properties">
        <Choice
          id="experiment-kpi"
          name={texts.fields.kpi}
          value={experiment.kpi ?? ''}
          none={texts.noKpi}
          options={kpis.map(({ key, name }) => ({ value: key, name: `${key} ${name}` }))}
          may={may}
          onChoose={(value) => save({ kpi: value || null })}
        />
        {experiment.kpi && (
          <Pair name={texts.chart}>
            <a href={`${BASE}/kpis?${new URLSearchParams({ product, kpi: experiment.kpi })}`}>{experiment.kpi}</a>
          </Pair>
        )}
        <Personas {...props} product={product} />
        <Items {...props} product={product} />
        <Opportunity {...props} />
      </dl>
    </section>
  )
}

function Personas({ experiment: { personas }, may, save, product }: LinksProps) {
  const choices = usePersonaChoices(product)
  const others = choices.filter(({ key }) => !personas.includes(key))
  const nameOfPersona = (key: string) => choices.find((choice) => choice.key === key)?.name ?? key
  return (
    <Pair name={texts.fields.personas} {...(may && { id: 'experiment-persona' })}>
      {personas.map((key) => (
        <LinkedTag
          key={key}
          href={BASE + pathOfPersona(key)}
          name={nameOfPersona(key)}
          may={may}
          onRemove={() => save({ personas: personas.filter((other) => other !== key) })}
        />
      ))}
      {may && (
        <select
          class="select small"
          id="experiment-persona"
          value=""
          onChange={({ currentTarget: { value } }) => value && save({ personas: [...personas, value] })}
        >
          <option value="">{texts.addPersona}</option>
          {others.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      )}
      {!may && !personas.length && <None />}
    </Pair>
  )
}

function Items({ experiment: { workItems }, may, save, product }: LinksProps) {
  return (
    <Pair name={texts.fields.workItems} {...(may && { id: 'experiment-item' })}>
      {workItems.map((key) => (
        <LinkedTag
          key={key}
          href={BASE + pathOfItem(product, { key })}
          name={key}
          may={may}
          onRemove={() => save({ workItems: workItems.filter((other) => other !== key) })}
        />
      ))}
      {may && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const field = event.currentTarget.elements.namedItem('item') as HTMLInputElement
            const key = field.value.trim().toUpperCase()
            if (key && !workItems.includes(key)) save({ workItems: [...workItems, key] })
            field.value = ''
          }}
        >
          <input class="input small" id="experiment-item" name="item" maxLength={30} placeholder="US-1" />
        </form>
      )}
      {!may && !workItems.length && <None />}
    </Pair>
  )
}

function Opportunity({ experiment: { opportunity }, may, save }: EditProps) {
  const summary = useOpportunity(opportunity)
  if (!may)
    return <Pair name={texts.fields.opportunity}>{opportunity ? `${opportunity} ${summary ?? ''}` : <None />}</Pair>
  return (
    <Pair name={texts.fields.opportunity} id="experiment-opportunity">
      <input
        key={opportunity}
        class="input small"
        id="experiment-opportunity"
        maxLength={30}
        placeholder="OP-1"
        defaultValue={opportunity ?? ''}
        onChange={({ currentTarget: { value } }) => save({ opportunity: value.trim().toUpperCase() || null })}
      />
      {summary && <span class="sm muted">{summary}</span>}
    </Pair>
  )
}

interface LinkedTagProps {
  href: string
  name: string
  may: boolean
  onRemove: () => void
}

const LinkedTag = ({ href, name, may, onRemove }: LinkedTagProps) => (
  <span class="tag">
    <a class="quiet" href={href}>
      {name}
    </a>
    {may && (
      <button type="button" class="untag" aria-label={texts.removeLink(name)} onClick={onRemove}>
        <Icon name="x" />
      </button>
    )}
  </span>
)
