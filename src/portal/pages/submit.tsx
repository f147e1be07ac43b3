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
  /** The visitor chooses if there are several. */
  products: readonly { key: string; name: string }[]
  error: string | null
  /** Null before the search. */
  similar: readonly VoteState[] | null
}

export const MIN_TITLE_CHARACTERS = 3
export const MAX_TITLE_CHARACTERS = 500

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

export function SubmitPage({ frame, form }: { frame: Frame; form: SubmitProps }) {
  const { texts, portal } = frame
  const { submitPage } = texts
  return (
    <Layout frame={frame} title={submitPage.heading} tab="ideas">
      <div class="split">
        <form
          class="stack loose"
          method="post"
          action={pathOf(frame, '/submit')}
          enctype="multipart/form-data"
          data-similar={pathOf(frame, '/similar')}
        >
          <div>
            <h1>{submitPage.heading}</h1>
            <p class="lede">{submitPage.lede}</p>
          </div>
          {form.error ? <Banner tone="red" icon="triangle-alert" title={form.error} /> : ''}
          <Field id="title" label={submitPage.title} hint={submitPage.titleHint}>
            <input
              class="input"
              id="title"
              name="title"
              value={form.title}
              required
              minlength={MIN_TITLE_CHARACTERS}
              maxlength={MAX_TITLE_CHARACTERS}
              autocomplete="off"
              aria-describedby={describedBy('title')}
            />
          </Field>
          <Field id="text" label={submitPage.text} hint={submitPage.textHint}>
            <textarea
              class="textarea tall"
              id="text"
              name="text"
              maxlength={20_000}
              aria-describedby={describedBy('text')}
            >
              {form.text}
            </textarea>
          </Field>
          {form.products.length > 1 ? (
            <Field id="product" label={submitPage.product}>
              <Choice id="product" value={form.product} options={form.products.map(({ key, name }) => [key, name])} />
            </Field>
          ) : (
            ''
          )}
          {portal.categories.length ? (
            <Field id="category" label={submitPage.category}>
              <Choice
                id="category"
                value={String(form.category ?? '')}
                options={[
                  ['', submitPage.noCategory],
                  ...portal.categories.map((one): [string, string] => [String(one.id), one.name]),
                ]}
              />
            </Field>
          ) : (
            ''
          )}
          <div class="row wrap">
            <button type="submit" class="btn primary" name="step" value="send">
              {submitPage.send}
            </button>
            <button type="submit" class="btn" name="step" value="similar" data-without-script>
              {submitPage.next}
            </button>
          </div>
        </form>
        <aside class="rail stack" aria-label={submitPage.similar} id="similar" aria-live="polite">
          {form.similar ? <SimilarIdeas frame={frame} ideas={form.similar} /> : ''}
        </aside>
      </div>
    </Layout>
  )
}
