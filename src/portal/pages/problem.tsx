import type { Child } from 'hono/jsx'
import { type Frame, pathOf } from '../components/frame'
import { Layout } from '../components/layout'

interface ProblemPageProps {
  frame: Frame
  title: string
  hint: string
  children?: Child
}

/** A page that says why another page is not shown. */
export function ProblemPage({ frame, title, hint, children }: ProblemPageProps) {
  return (
    <Layout frame={frame} title={title}>
      <div class="sheet">
        <section class="card stack loose">
          <div>
            <h1>{title}</h1>
            <p class="muted">{hint}</p>
          </div>
          {children ?? ''}
          <p>
            <a class="btn" href={pathOf(frame, '')}>
              {frame.portal.slug ? frame.texts.problems.toStart : frame.texts.problems.toService}
            </a>
          </p>
        </section>
      </div>
    </Layout>
  )
}
