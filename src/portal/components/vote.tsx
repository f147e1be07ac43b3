import { type Frame, pathOf, takesPart } from './frame'
import { Icon } from './icon'

export interface VoteState {
  key: string
  title: string
  votes: number
  hasVoted: boolean
  isVotingOpen: boolean
}

/** One button: filled means that the visitor has voted. `returnTo` is the page that shows the button. */
export function VoteForm({ frame, idea, returnTo }: { frame: Frame; idea: VoteState; returnTo: string }) {
  const { vote } = frame.texts
  const { title, votes, hasVoted, isVotingOpen } = idea
  if (!takesPart(frame))
    return (
      <p class="vote still">
        <span aria-hidden="true">{frame.formats.short(votes)}</span>
        <span class="sr">{frame.texts.votes(votes)}</span>
      </p>
    )
  const label = hasVoted ? vote.remove(title, votes) : vote.add(title, votes)
  return (
    <form method="post" action={pathOf(frame, `/ideas/${encodeURIComponent(idea.key)}/vote`)} data-vote>
      <input type="hidden" name="return" value={returnTo} />
      <button
        type="submit"
        class="vote"
        name="type"
        value={hasVoted ? 'none' : 'up'}
        aria-pressed={hasVoted ? 'true' : 'false'}
        aria-label={isVotingOpen ? label : vote.ended(votes)}
        data-votes={String(votes)}
        disabled={!isVotingOpen}
      >
        <Icon name="chevron-up" />
        <span>{frame.formats.short(votes)}</span>
      </button>
    </form>
  )
}
