import type { Idea } from './requests'
import { texts } from './texts/texts'

/** The service has sanitized the HTML, and the policy of the page allows no script beside the files of the console. */
export const Body = ({ idea: { long_description: html, target_audience, value_proposition } }: { idea: Idea }) => (
  <div class="stack">
    {html ? <div class="prose md" dangerouslySetInnerHTML={{ __html: html }} /> : <p class="muted">{texts.noText}</p>}
    {(target_audience || value_proposition) && (
      <dl class="dl">
        <Pair name={texts.audience} text={target_audience} />
        <Pair name={texts.value} text={value_proposition} />
      </dl>
    )}
  </div>
)

const Pair = ({ name, text }: { name: string; text: string }) =>
  text ? (
    <div class="pair">
      <dt>{name}</dt>
      <dd>{text}</dd>
    </div>
  ) : null
