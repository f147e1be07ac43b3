// Every page of /docs, by path below /docs without the ending.
import { listErrors, makeErrorPage, makeErrorsPage } from './error-pages.ts'
import { type Page, renderPage } from './html.ts'
import { GUIDES, makeGuidePage, makeGuidesPage } from './markdown.ts'
import { makeOperationPage } from './operation-page.ts'
import { type Reference, readReference } from './reference.ts'
import { makeReferencePage, makeResourcePage } from './resource-page.ts'

const below = (href: string) => href.replace(/^\/docs\/?/, '')

/** The page of the reference has the empty path. */
export function makePages(reference: Reference): Map<string, Page> {
  const errors = listErrors(reference)
  return new Map([
    ['errors', makeErrorsPage(errors)],
    ...errors.map((error): [string, Page] => [`errors/${error.code}`, makeErrorPage(error, errors, reference)]),
    ['', makeReferencePage(reference)],
    ['guides', makeGuidesPage()],
    ...GUIDES.map((guide): [string, Page] => [guide.name, makeGuidePage(guide)]),
    ...reference.resources.flatMap((resource): [string, Page][] => [
      [below(resource.href), makeResourcePage(resource, reference)],
      ...resource.operations.map((op): [string, Page] => [below(op.href), makeOperationPage(op, reference)]),
    ]),
  ])
}

/** HTML of every page. */
export const renderPages = (reference = readReference()): Map<string, string> =>
  new Map([...makePages(reference)].map(([name, page]) => [name, renderPage(page)]))
