import { Banner } from '../components/banner'
import { describedBy, Field } from '../components/field'
import { type Frame, pathOf } from '../components/frame'
import { Layout } from '../components/layout'
import { VoteForm, type VoteState } from '../components/vote'

export interface SubmitProps {
  title: string
  text: string
  category: number | null
  product: string
  /** True once the visitor has seen similar ideas. */
  isCompared: boolean
  /** Problem of the title or of the text. */
  problem: 'titleMissing' | 'titleLong' | 'textLong' | 'notSaved' | null
  /** Null before the search. */
  similar: readonly VoteState[] | null
}

export const MIN_TITLE_CHARACTERS = 3
export const MAX_TITLE_CHARACTERS = 500
export const MAX_TEXT_CHARACTERS = 20_000

/** Also the answer of the search while a visitor types, therefore a part of its own. */
export function SimilarIdeas({ frame, ideas }: { frame: Frame; ideas: readonly VoteState[] }) {
  const { submitPage } = frame.texts
  return (
    <>
      <h2 class="h3">{submitPage.similarCount(ideas.length)}</h2>
      {ideas.length ? (
        <>
          <p class="hint">{submitPage.similarHint}</p>
          <ul class="card">
            {ideas.map((idea) => (
              <li class="list-row">
                <VoteForm
                  frame={frame}
                  idea={idea}
                  returnTo={pathOf(frame, `/ideas/${encodeURIComponent(idea.key)}`)}
                />
                <h3 class="h4 grow">
                  <a class="stretch quiet" href={pathOf(frame, `/ideas/${encodeURIComponent(idea.key)}`)}>
                    {idea.title}
                  </a>
                </h3>
              </li>
            ))}
          </ul>
        </>
      ) : (
        ''
      )}
    </>
  )
}

function Choice({ id, options, value }: { id: string; options: readonly [string, string][]; value: string }) {
  return (
    <select class="select" id={id} name={id}>
      {options.map(([key, name]) => (
        <option value={key} selected={key === value}>
          {name}
        </option>
      ))}
    </select>
  )
}

function Choices({ frame, form }: { frame: Frame; form: SubmitProps }) {
  const { texts, portal } = frame
  const { submitPage } = texts
  const categories = portal.categories.map(({ id, name }): [string, string] => [String(id), name])
  return (
    <>
      {portal.products.length > 1 ? (
        <Field id="product" label={submitPage.product}>
          <Choice id="product" value={form.product} options={portal.products.map(({ key, name }) => [key, name])} />
        </Field>
      ) : (
        <input type="hidden" name="product" value={portal.products[0]?.key ?? ''} />
      )}
      {categories.length ? (
        <Field id="category" label={submitPage.category}>
          <Choice
            id="category"
            value={String(form.category ?? '')}
            options={[['', submitPage.noCategory], ...categories]}
          />
        </Field>
      ) : (
        ''
      )}
    </>
  )
}

export function SubmitPage({ frame, form }: { frame: Frame; form: SubmitProps }) {
  const { submitPage } = frame.texts
  const { problem, similar } = form
  const titleProblem = problem === 'titleMissing' || problem === 'titleLong' ? submitPage[problem] : undefined
  const textProblem = problem === 'textLong' ? submitPage.textLong : undefined
  return (
    <Layout frame={frame} title={submitPage.heading} tab="ideas">
      <div class="split">
        <form
          class="stack loose"
          method="post"
          action={pathOf(frame, '/submit')}
          data-similar={pathOf(frame, '/similar')}
        >
          <div>
            <h1>{submitPage.heading}</h1>
            <p class="lede">{submitPage.lede}</p>
          </div>
          {problem === 'notSaved' ? <Banner tone="red" icon="triangle-alert" title={submitPage.notSaved} /> : ''}
          {similar?.length && !problem ? <Banner tone="amber" icon="search" title={submitPage.compare} /> : ''}
          <input type="hidden" name="compared" value={form.isCompared ? 'yes' : ''} />
          <Field id="title" label={submitPage.title} hint={submitPage.titleHint} error={titleProblem}>
            <input
              class="input"
              id="title"
              name="title"
              value={form.title}
              required
              minlength={MIN_TITLE_CHARACTERS}
              maxlength={MAX_TITLE_CHARACTERS}
              autocomplete="off"
              aria-invalid={titleProblem ? 'true' : undefined}
              aria-describedby={describedBy('title')}
            />
          </Field>
          <Field id="text" label={submitPage.text} hint={submitPage.textHint} error={textProblem}>
            <textarea
              class="textarea tall"
              id="text"
              name="text"
              maxlength={MAX_TEXT_CHARACTERS}
              aria-invalid={textProblem ? 'true' : undefined}
              aria-describedby={describedBy('text')}
            >
              {form.text}
            </textarea>
          </Field>
          <Choices frame={frame} form={form} />
          <p>
            <button type="submit" class="btn primary">
              {submitPage.send}
            </button>
          </p>
        </form>
        <aside class="rail stack" aria-label={submitPage.similar} id="similar" aria-live="polite">
          {similar ? <SimilarIdeas frame={frame} ideas={similar} /> : ''}
        </aside>
      </div>
    </Layout>
  )
}
