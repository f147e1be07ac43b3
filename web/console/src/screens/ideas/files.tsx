import type { Idea } from './requests'
import { texts } from './texts/texts'

/** The pictures of the idea; each opens in full. */
export function Files({ idea: { cover_photo_url } }: { idea: Idea }) {
  const paths = cover_photo_url.split(',').filter(Boolean)
  if (!paths.length) return null
  return (
    <section aria-labelledby="idea-files">
      <h3 id="idea-files" class="gap-b">
        {texts.files}
      </h3>
      <ul class="row wrap">
        {paths.map((path, n) => (
          <li key={path}>
            <a href={path} target="_blank" rel="noreferrer">
              <img class="thumb" src={path} alt={texts.file(n + 1)} loading="lazy" width={120} height={80} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
