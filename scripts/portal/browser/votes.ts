interface VoteAnswer {
  votes: number
  hasVoted: boolean
  /** Votes in words. */
  count: string
}

const { lang } = document.documentElement
const shortNumber = (value: number) =>
  new Intl.NumberFormat(lang, { notation: value < 10_000 ? 'standard' : 'compact' }).format(value)

function show(button: HTMLButtonElement, { votes, hasVoted }: Omit<VoteAnswer, 'count'>): void {
  button.setAttribute('aria-pressed', String(hasVoted))
  button.value = hasVoted ? 'none' : 'up'
  button.dataset.votes = String(votes)
  const count = button.querySelector('span')
  if (count) count.textContent = shortNumber(votes)
}

async function send(form: HTMLFormElement, type: string): Promise<VoteAnswer> {
  const response = await fetch(form.action, {
    method: 'POST',
    headers: { Accept: 'application/json' },
    body: new URLSearchParams({ type, lang }),
    signal: AbortSignal.timeout(15_000),
  })
  if (!response.ok) throw new Error(String(response.status))
  return response.json()
}

function showProblem(button: HTMLButtonElement): void {
  const template = document.querySelector<HTMLTemplateElement>('#vote-failed')
  if (!template) return
  document.querySelector('#vote-problem')?.remove()
  const problem = template.content.firstElementChild?.cloneNode(true) as HTMLElement | undefined
  if (!problem) return
  problem.id = 'vote-problem'
  problem.querySelector('button')?.addEventListener('click', () => {
    problem.remove()
    button.focus()
    button.click()
  })
  document.querySelector('main')?.append(problem)
}

/** The button shows the vote at once, and the former state again if the service does not answer. */
async function vote(form: HTMLFormElement, button: HTMLButtonElement): Promise<void> {
  if (form.dataset.busy) return
  form.dataset.busy = 'yes'
  const type = button.value
  const hasVoted = button.getAttribute('aria-pressed') === 'true'
  const votes = Number(button.dataset.votes)
  show(button, { votes: votes + (hasVoted ? -1 : 1), hasVoted: !hasVoted })
  try {
    const answer = await send(form, type)
    show(button, answer)
    const { add, remove } = button.dataset
    button.setAttribute('aria-label', `${answer.hasVoted ? remove : add}, ${answer.count}`)
    document.querySelector('#vote-problem')?.remove()
  } catch {
    show(button, { votes, hasVoted })
    showProblem(button)
  } finally {
    delete form.dataset.busy
  }
}

/** Without a visitor the form posts, and the service asks for the sign-in. */
export function enableVotes(): void {
  if (!document.querySelector('#vote-failed')) return
  document.addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || form.dataset.vote === undefined) return
    const button = form.querySelector('button')
    if (!button) return
    event.preventDefault()
    void vote(form, button)
  })
}
