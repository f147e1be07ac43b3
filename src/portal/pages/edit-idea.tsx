import { Banner } from '../components/banner'
import { type Frame, pathOf } from '../components/frame'
import { CategoryField, type FieldProblem, TextField, TitleField } from '../components/idea-fields'
import { Layout } from '../components/layout'

export interface EditIdeaProps {
  key: string
  title: string
  /** Null for a description with more than paragraphs, which a form cannot change. */
  text: string | null
  category: number | null
  /** False for an idea whose category the portal does not show. */
  hasCategoryField: boolean
  problem: FieldProblem | 'notChanged' | 'published' | null
}

export function EditIdeaPage({ frame, form }: { frame: Frame; form: EditIdeaProps }) {
  const { editPage, idea } = frame.texts
  const { problem } = form
  const path = pathOf(frame, `/ideas/${encodeURIComponent(form.key)}`)
  return (
    <Layout frame={frame} title={editPage.heading} tab="ideas">
      <form class="narrow stack loose" method="post" action={`${path}/edit`}>
        <div>
          <h1>{editPage.heading}</h1>
          <p class="lede">{editPage.lede}</p>
        </div>
        {problem === 'notChanged' || problem === 'published' ? (
          <Banner tone="red" icon="triangle-alert" title={editPage[problem]} />
        ) : (
          ''
        )}
        <TitleField frame={frame} value={form.title} problem={problem} />
        {form.text === null ? (
          <p class="hint">{editPage.formatted}</p>
        ) : (
          <TextField frame={frame} value={form.text} problem={problem} />
        )}
        {form.hasCategoryField ? <CategoryField frame={frame} value={form.category} /> : ''}
        <p class="row wrap">
          {problem === 'published' ? (
            ''
          ) : (
            <button type="submit" class="btn primary">
              {idea.save}
            </button>
          )}
          <a class="btn" href={path}>
            {editPage.back}
          </a>
        </p>
      </form>
    </Layout>
  )
}
