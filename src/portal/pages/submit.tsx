import { Banner } from '../components/banner'
import { Field } from '../components/field'
import { type Frame, pathOf } from '../components/frame'
import { CategoryField, Choice, type FieldProblem, FilesField, TextField, TitleField } from '../components/idea-fields'
import { Layout } from '../components/layout'
import { VoteForm, type VoteState } from '../components/vote'

export interface SubmitProps {
  title: string
  text: string
  category: number | null
  product: string
  /** True once the visitor has seen similar ideas. */
  isCompared: boolean
  problem: FieldProblem | 'filesRefused' | 'notSaved' | null
  /** True if the visitor must choose the files again. */
  losesFiles: boolean
  /** Null before the search. */
  similar: readonly VoteState[] | null
}

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

function ProductField({ frame, form }: { frame: Frame; form: SubmitProps }) {
  const { texts, portal } = frame
  const [first, ...others] = portal.products
  if (!others.length) return <input type="hidden" name="product" value={first?.key ?? ''} />
  return (
    <Field id="product" label={texts.submitPage.product}>
      <Choice id="product" value={form.product} options={portal.products.map(({ key, name }) => [key, name])} />
    </Field>
  )
}

export function SubmitPage({ frame, form }: { frame: Frame; form: SubmitProps }) {
  const { submitPage } = frame.texts
  const { problem, similar } = form
  const filesProblem = problem === 'filesRefused' ? problem : form.losesFiles ? 'filesAgain' : undefined
  return (
    <Layout frame={frame} title={submitPage.heading} tab="ideas">
      <div class="split">
        <form
          class="stack loose"
          method="post"
          enctype="multipart/form-data"
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
          <TitleField frame={frame} value={form.title} problem={problem} />
          <TextField frame={frame} value={form.text} problem={problem} />
          <ProductField frame={frame} form={form} />
          <CategoryField frame={frame} value={form.category} />
          <FilesField frame={frame} error={filesProblem && submitPage[filesProblem]} />
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
