import type { Context } from 'hono'
import type { AppEnv } from '../../http/response'
import type { Language } from '../texts/language'
import { answerPage, type Page } from './answer'
import { changeComment, postComment, removeComment } from './change-comments'
import { postFollow, postFollowOfChangelog, postVote } from './change-idea'
import { showBoard, showMissingPage, showRoadmap } from './show-board'
import { showChangelog, showChangelogEntry } from './show-changelog'
import { changeIdea, showEditIdea } from './show-edit-idea'
import { showIdea } from './show-idea'
import { postMailChoice, postName, postSignOut, showProfile } from './show-profile'
import { postAddress, postCode, showSignIn } from './show-sign-in'
import { showSitemap } from './show-sitemap'
import { postIdea, showSimilarIdeas, showSubmit } from './show-submit'

const PAGES = {
  ...{ showBoard, showIdea, showRoadmap, showChangelog, showChangelogEntry, showSitemap, showMissingPage },
  ...{ showSignIn, postAddress, postCode, postSignOut, showProfile, postName, postMailChoice },
  ...{ postVote, postFollow, postFollowOfChangelog, postComment, changeComment, removeComment },
  ...{ showEditIdea, changeIdea },
  ...{ showSubmit, postIdea, showSimilarIdeas },
} satisfies Record<string, Page>

export type PageName = keyof typeof PAGES

export const answer = (c: Context<AppEnv>, name: PageName, language: Language | null): Promise<Response> =>
  answerPage(c, PAGES[name], { language, isSearch: name === 'showSimilarIdeas' })
