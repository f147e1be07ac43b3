import type { Random } from '../../random.ts'
import type { WalkedOperation } from './document.ts'
import type { Parameters } from './places.ts'
import type { Send } from './walk.ts'

interface OwnComment {
  feedback_external_key: string
  commentId: number
}

/** The portal of the walk. Its requests want an idea that it shows, and an idea or a comment of the caller. */
export class WalkedPortal {
  /** The walk changes the slug too. */
  slug = 'walk'
  #shown: string[] = []
  readonly #own: string[] = []
  readonly #comments: OwnComment[] = []

  async look(send: Send): Promise<void> {
    const answer = await send({ method: 'GET', path: `/api/v2/portal/${this.slug}/ideas?limit=50` })
    if (!answer || answer.status >= 300) return
    this.#shown = (answer.data as { ideas: { key: string }[] }).ideas.map(({ key }) => key)
  }

  /** Undefined without a fitting record. */
  fill({ id, parameters }: WalkedOperation, random: Random): Parameters | undefined {
    const portal = this.slug
    if (parameters.includes('commentId'))
      return this.#comments.length ? { portal, ...random.pick(this.#comments) } : undefined
    if (!parameters.includes('feedback_external_key')) return { portal }
    const from = id.startsWith('modify') ? this.#own : this.#shown
    return from.length ? { portal, feedback_external_key: random.pick(from) } : undefined
  }

  learn({ id }: WalkedOperation, { feedback_external_key: idea }: Parameters, data: Record<string, unknown>): void {
    if (typeof data.key === 'string' && id === 'submitPortalIdea') this.#own.push(data.key)
    if (typeof data.id === 'number' && id === 'addPortalComment')
      this.#comments.push({ feedback_external_key: String(idea), commentId: data.id })
    if (typeof data.slug === 'string' && id.startsWith('modifyPortalSettings')) this.slug = data.slug
  }
}

export const isOfPortal = ({ path }: WalkedOperation): boolean => path.includes('/portal/{portal}/')
