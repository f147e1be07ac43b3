import { zValidator } from '@hono/zod-validator'
import * as z from 'zod'
import { renderHtmlPage } from './html-page'
import { LINK_TOKEN_PATTERN } from './link-token'

/** Path parameters of a link in a mail. */
export const LinkParams = z.object({ token: z.string().regex(LINK_TOKEN_PATTERN) })

export const renderDeadLinkPage = () =>
  renderHtmlPage({
    status: 404,
    title: 'This link does not work',
    sentence: 'The link is incomplete or no longer valid. Use the link in the newest e-mail.',
  })

/** The rows of the link were deleted. */
export const renderGonePage = (title: string) =>
  renderHtmlPage({
    status: 410,
    title,
    sentence: 'The data of this link is no longer stored. If you still get e-mails, use the link in the newest e-mail.',
  })

export const validateLinkParams = zValidator('param', LinkParams, ({ success }) =>
  success ? undefined : renderDeadLinkPage(),
)
