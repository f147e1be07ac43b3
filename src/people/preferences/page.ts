import { html } from 'hono/html'
import { renderHtmlPage } from '../../http/html-page'
import type { NoticeKind } from '../notices/schema'
import type { Preferences } from './queries'
import { type DigestChoice, kindsOfPerson } from './schema'

const KIND_LABELS: Record<NoticeKind, string> = {
  status: 'The status of an idea that I follow changes',
  release: 'An idea that I follow is released',
  reply: 'The team replies to my idea or my comment',
  changelog: 'Something new is in the changelog',
  mention: 'Somebody mentions me in a comment',
  assignment: 'A work item is assigned to me',
}

const DIGEST_LABELS: Record<DigestChoice, string> = {
  off: 'soon after it happens',
  daily: 'once a day',
  weekly: 'once a week, on Mondays',
}

type Markup = ReturnType<typeof html>

function renderIdeaForm({ idea }: Preferences): Markup | string {
  if (!idea) return ''
  if (idea.isStopped) return html`<p>You get no mail about “${idea.title}”.</p>`
  return html`<form method="post">
      <p>Do you want to stop mail about “${idea.title}”?</p>
      <button name="action" value="stop">Stop mail about this idea</button>
    </form>`
}

function renderChoices({ isColleague, stoppedKinds, followsChangelog, digest }: Preferences): Markup {
  const isChosen = (kind: NoticeKind) => !stoppedKinds.includes(kind) && (kind !== 'changelog' || followsChangelog)
  const kinds = kindsOfPerson(isColleague).map(
    (kind) =>
      html`<label><input type="checkbox" name="kind" value="${kind}"${isChosen(kind) ? ' checked' : ''}> ${KIND_LABELS[kind]}</label><br>`,
  )
  const digests = Object.entries(DIGEST_LABELS).map(
    ([value, label]) =>
      html`<label><input type="radio" name="digest" value="${value}"${value === digest ? ' checked' : ''}> ${label}</label><br>`,
  )
  return html`<form method="post">
      <fieldset><legend>Send me a mail when</legend>${kinds}</fieldset>
      <fieldset><legend>Send the mail</legend>${digests}</fieldset>
      <p><button name="action" value="save">Save</button></p>
    </form>`
}

export function renderPreferencesPage(
  preferences: Preferences,
  { stopAllUrl, saved }: { stopAllUrl: string; saved: string | undefined },
): Promise<Response> {
  const { email, isSuppressed } = preferences
  const choices = isSuppressed
    ? html`<p>All mail to ${email} is stopped, whatever you choose here.</p>`
    : html`${renderChoices(preferences)}
    <form method="post" action="${stopAllUrl}"><button>Stop all e-mails</button></form>`
  return renderHtmlPage({
    title: 'Your mail',
    sentence: saved ?? `Choose the mail to ${email}.`,
    form: html`${renderIdeaForm(preferences)}
    ${choices}`,
  })
}
