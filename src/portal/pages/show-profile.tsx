import type { Context } from 'hono'
import { openDatabaseOfHome } from '../../http/home'
import { type AppEnv, exchangeOf } from '../../http/response'
import { CLEARED_SESSION_COOKIE } from '../../http/session-cookie'
import { modifyMember } from '../../people/members/own'
import { getOwnPreferences, saveOwnPreferences } from '../../people/preferences/own'
import { kindsOfPerson } from '../../people/preferences/schema'
import { showAddress } from '../../text/shown-addresses'
import { signOut } from '../../workspace/sessions/own'
import { getPortalPerson } from '../api/queries/ideas'
import { redirectToSignIn } from './change-idea'
import { type OpenPortal, readFrame } from './open-portal'
import { DIGESTS, ProfilePage, type ProfileProps } from './profile'
import { readForm, readLine } from './read-form'
import { redirectToPage, respondWithPage } from './respond'
import { toBoardIdea } from './show-board'
import { isRefusedInput, showMissing } from './show-problem'

const MAX_NAME_CHARACTERS = 100

type Names = Pick<ProfileProps, 'firstName' | 'lastName'>

async function respondWithProfile(
  c: Context<AppEnv>,
  opened: OpenPortal,
  { problem = null, names }: { problem?: ProfileProps['problem']; names?: Names } = {},
): Promise<Response> {
  const [frame, person, preferences] = await Promise.all([
    readFrame(c, opened),
    getPortalPerson(opened.db),
    getOwnPreferences(opened.db),
  ])
  const { visitor } = frame
  if (!visitor || !preferences) return showMissing(c, frame)
  const kinds = kindsOfPerson(preferences.isColleague)
  const isChosen = (kind: (typeof kinds)[number]) =>
    kind === 'changelog' ? preferences.followsChangelog : !preferences.stoppedKinds.includes(kind)
  const saved = c.req.query('saved')
  const profile: ProfileProps = {
    ...{
      firstName: visitor.firstName,
      lastName: visitor.lastName,
      ...names,
      email: showAddress(visitor.email),
      problem,
    },
    mail: {
      ...{ kinds, chosen: kinds.filter(isChosen), digest: preferences.digest, isStopped: preferences.isSuppressed },
    },
    ideas: person.ideas.map((idea) => ({ ...toBoardIdea(frame, idea), isPending: idea.pending })),
    votes: person.votes.map((idea) => toBoardIdea(frame, idea)),
    saved: !problem && (saved === 'name' || saved === 'mail') ? saved : null,
  }
  const page = <ProfilePage frame={{ ...frame, path: '/profile' }} profile={profile} />
  return respondWithPage(c, page, { status: problem ? 400 : 200, isShared: false })
}

const profilePathOf = ({ base }: OpenPortal) => `${base}/profile`

export async function showProfile(c: Context<AppEnv>, opened: OpenPortal): Promise<Response> {
  return opened.isVisitor ? redirectToSignIn(c, opened, profilePathOf(opened)) : respondWithProfile(c, opened)
}

export async function postName(c: Context<AppEnv>, opened: OpenPortal): Promise<Response> {
  const form = await readForm(c, opened)
  if (opened.isVisitor) return redirectToSignIn(c, opened, profilePathOf(opened))
  const names = { firstName: readLine(form, 'firstName'), lastName: readLine(form, 'lastName') }
  if (Math.max(names.firstName.length, names.lastName.length) > MAX_NAME_CHARACTERS)
    return respondWithProfile(c, opened, { problem: 'nameLong', names })
  try {
    await modifyMember(opened.db, { memberId: opened.actor.userId }, names, null)
  } catch (cause) {
    if (!isRefusedInput(cause)) throw cause
    return respondWithProfile(c, opened, { problem: 'notSaved', names })
  }
  return redirectToPage(c, `${profilePathOf(opened)}?saved=name`)
}

/** A browser sends only the checked kinds. */
export async function postMailChoice(c: Context<AppEnv>, opened: OpenPortal): Promise<Response> {
  const form = await readForm(c, opened)
  if (opened.isVisitor) return redirectToSignIn(c, opened, profilePathOf(opened))
  const chosen = form.getAll('kind')
  await saveOwnPreferences(opened.db, {
    digest: DIGESTS.find((one) => one === form.get('digest')) ?? 'off',
    // Only colleagues have scopes.
    stoppedKinds: kindsOfPerson(opened.actor.scopes.length > 0).filter(
      (kind) => kind !== 'changelog' && !chosen.includes(kind),
    ),
    followsChangelog: chosen.includes('changelog'),
  })
  return redirectToPage(c, `${profilePathOf(opened)}?saved=mail`)
}

/** Also for a person who may not see the portal any more. */
export async function postSignOut(c: Context<AppEnv>, { actor, now, base, hasSession }: OpenPortal): Promise<Response> {
  if (hasSession)
    await signOut(
      openDatabaseOfHome(c.env, { actor, now, exchange: exchangeOf(c), ignoresQuota: true, ignoresErasure: true }),
    )
  const response = redirectToPage(c, base)
  if (hasSession) response.headers.set('Set-Cookie', CLEARED_SESSION_COOKIE)
  return response
}
