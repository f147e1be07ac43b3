import { type Me, maySee } from '../api/me'
import { Banner } from '../parts/banner'
import { BASE } from '../state/place'
import { formatMoment } from '../texts/formats'
import { texts } from '../texts/texts'

const CANCEL_PATH = '/settings/data'

/** The page that cancels the erasure has a banner of its own. */
export function ErasureBanner({ me, path }: { me: Me; path: string }) {
  const { eraseAt } = me.workspace
  const mayCancel = maySee(me, '*')
  if (eraseAt === null || (mayCancel && path === CANCEL_PATH)) return null
  return (
    <div class="erasure">
      <Banner
        tone="red"
        icon="warn"
        title={texts.erasure.title(formatMoment(eraseAt))}
        action={
          mayCancel && (
            <a class="btn small" href={BASE + CANCEL_PATH}>
              {texts.erasure.link}
            </a>
          )
        }
      >
        {mayCancel ? texts.erasure.hint : texts.erasure.hintOfOthers}
      </Banner>
    </div>
  )
}
