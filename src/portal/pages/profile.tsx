import { Banner } from '../components/banner'
import { describedBy, Field } from '../components/field'
import { type Frame, findStatus, pathOf } from '../components/frame'
import { Icon } from '../components/icon'
import { Layout } from '../components/layout'
import { StatusBadge } from '../components/status-badge'
import type { BoardIdea } from './board'

export const MAIL_KINDS = ['status', 'release', 'reply', 'changelog', 'mention', 'assignment'] as const
export const DIGESTS = ['off', 'daily', 'weekly'] as const

export interface ProfileProps {
  firstName: string
  lastName: string
  email: string
  mail: {
    /** Kinds that the person can choose. */
    kinds: readonly (typeof MAIL_KINDS)[number][]
    chosen: readonly (typeof MAIL_KINDS)[number][]
    digest: (typeof DIGESTS)[number]
    isStopped: boolean
  }
  ideas: readonly (BoardIdea & { isPending: boolean })[]
  votes: readonly BoardIdea[]
  saved: 'name' | 'mail' | null
  problem: 'nameLong' | 'notSaved' | null
}

type Props = { frame: Frame; profile: ProfileProps }

function NameForm({ frame, profile }: Props) {
  const { profilePage } = frame.texts
  const names = [
    ['firstName', profilePage.firstName, profile.firstName, 'given-name'],
    ['lastName', profilePage.lastName, profile.lastName, 'family-name'],
  ] as const
  const error = profile.problem === 'nameLong' ? profilePage.nameLong : undefined
  return (
    <form class="card stack pad" method="post" action={pathOf(frame, '/profile')}>
      {names.map(([id, label, value, autocomplete], place) => (
        <Field id={id} label={label} error={place === 0 ? error : undefined}>
          <input
            class="input"
            {...{ id, name: id, value, autocomplete }}
            maxlength={100}
            aria-invalid={place === 0 && error ? 'true' : undefined}
            aria-describedby={place === 0 && error ? describedBy(id) : undefined}
          />
        </Field>
      ))}
      <Field id="email" label={profilePage.mail}>
        <input class="input" id="email" value={profile.email} readonly />
      </Field>
      <p>
        <button type="submit" class="btn primary">
          {profilePage.save}
        </button>
      </p>
    </form>
  )
}

function MailForm({ frame, profile }: Props) {
  const { profilePage } = frame.texts
  const { kinds, chosen, digest, isStopped } = profile.mail
  return (
    <section class="stack" aria-labelledby="mail">
      <h2 id="mail">{frame.texts.mailPreferences}</h2>
      {isStopped ? <p class="muted">{profilePage.mailStopped}</p> : ''}
      <form class="card stack pad" method="post" action={pathOf(frame, '/profile/mail')}>
        <fieldset class="stack tight">
          <legend class="label">{profilePage.mailWhen}</legend>
          {kinds.map((kind) => (
            <label class="check">
              <input type="checkbox" name="kind" value={kind} checked={chosen.includes(kind)} />
              {profilePage.kinds[kind]}
            </label>
          ))}
        </fieldset>
        <fieldset class="stack tight">
          <legend class="label">{profilePage.mailHow}</legend>
          {DIGESTS.map((value) => (
            <label class="check">
              <input type="radio" name="digest" value={value} checked={value === digest} />
              {profilePage.digests[value]}
            </label>
          ))}
        </fieldset>
        <p>
          <button type="submit" class="btn">
            {profilePage.saveMail}
          </button>
        </p>
      </form>
    </section>
  )
}

interface IdeaListProps {
  frame: Frame
  id: string
  heading: string
  empty: string
  ideas: readonly (BoardIdea & { isPending?: boolean })[]
}

function IdeaList({ frame, id, heading, empty, ideas }: IdeaListProps) {
  const { texts, portal } = frame
  return (
    <section class="stack" aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {ideas.length ? (
        <ul class="card">
          {ideas.map((idea) => {
            const status = findStatus(frame, idea.statusId)
            return (
              <li class="list-row">
                <div class="grow">
                  <h3 class="h4">
                    <a class="stretch quiet" href={pathOf(frame, `/ideas/${encodeURIComponent(idea.key)}`)}>
                      {idea.title}
                    </a>
                  </h3>
                  <div class="meta">
                    {status ? <StatusBadge status={status} statuses={portal.statuses} /> : ''}
                    {idea.isPending ? <span>{texts.profilePage.pending}</span> : ''}
                    <span class="faint">{texts.votes(idea.votes)}</span>
                  </div>
                </div>
              </li>
            )
          })}
        </ul>
      ) : (
        <p class="muted">{empty}</p>
      )}
    </section>
  )
}

export function ProfilePage({ frame, profile }: Props) {
  const { texts } = frame
  const { profilePage } = texts
  return (
    <Layout frame={frame} title={profilePage.heading}>
      <div class="narrow stack loose">
        <div>
          <h1>{profilePage.heading}</h1>
          <p class="lede">{profilePage.lede}</p>
        </div>
        {profile.problem === 'notSaved' ? <Banner tone="red" icon="triangle-alert" title={profilePage.notSaved} /> : ''}
        {profile.saved ? <Banner tone="green" icon="check" title={profilePage.saved[profile.saved]} /> : ''}
        <NameForm frame={frame} profile={profile} />
        <MailForm frame={frame} profile={profile} />
        <IdeaList
          {...{ frame, id: 'ideas', heading: profilePage.ideas, empty: profilePage.noIdeas, ideas: profile.ideas }}
        />
        <IdeaList
          {...{ frame, id: 'votes', heading: profilePage.votes, empty: profilePage.noVotes, ideas: profile.votes }}
        />
        <form method="post" action={pathOf(frame, '/sign-out')}>
          <button type="submit" class="btn">
            <Icon name="log-out" />
            {texts.signOut}
          </button>
        </form>
      </div>
    </Layout>
  )
}
