import { type Frame, pathOf } from './frame'
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
  const { vote, votes: countOf } = frame.texts
  const { title, votes, hasVoted, isVotingOpen } = idea
  const [add, remove] = [vote.add(title), vote.remove(title)]
  const label = isVotingOpen ? `${hasVoted ? remove : add}, ${countOf(votes)}` : `${vote.ended}: ${countOf(votes)}`
  // For the script, which changes the label with the vote.
  const labels = frame.visitor && isVotingOpen ? { 'data-add': add, 'data-remove': remove } : {}
  return (
    <form method="post" action={pathOf(frame, `/ideas/${encodeURIComponent(idea.key)}/vote`)} data-vote>
      <input type="hidden" name="return" value={returnTo} />
      <button
        type="submit"
        class="vote"
        name="type"
        value={hasVoted ? 'none' : 'up'}
        aria-pressed={hasVoted ? 'true' : 'false'}
        aria-label={label}
        {...labels}
        data-votes={String(votes)}
        disabled={!isVotingOpen}
      >
        <Icon name="chevron-up" />
        <span>{frame.formats.short(votes)}</span>
      </button>
    </form>
  )
}
