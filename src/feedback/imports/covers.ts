import type { CellProblemReporter } from '../../workspace/imports/kind'
import { MAX_COVER_PHOTOS } from '../ideas/schema'

/** An image of the workspace, which must be found in the product. */
export type ImportedCover = [productKey: string, assetId: number]

// An address of another service is no image of this workspace, and an import fetches nothing.
const DOWNLOAD_PATH_PATTERN = /^\/api\/initiatives\/([\w-]{1,20})\/assets\/([1-9]\d{0,14})\/download$/

const COVER_REASON =
  'This workspace has no such image. Upload the image, and set the cover photos of the item to its id.'

// A list may repeat an image, and name images of another workspace. Longer lists cost too much time.
const MAX_PATHS_PER_ROW = 2 * MAX_COVER_PHOTOS
const TOO_MANY_REASON = `An item has at most ${MAX_COVER_PHOTOS} cover photos.`

/** Reads download paths, separated by commas. */
export function readCoverPhotos(text: string, report: CellProblemReporter): ImportedCover[] {
  const paths = text.split(',', MAX_PATHS_PER_ROW + 1).map((path) => path.trim())
  if (paths.length > MAX_PATHS_PER_ROW) report({ field: 'coverPhotos', value: null, reason: TOO_MANY_REASON })
  const covers = new Map<string, ImportedCover>()
  for (const value of paths.slice(0, MAX_PATHS_PER_ROW)) {
    const [, productKey, id] = DOWNLOAD_PATH_PATTERN.exec(value) ?? []
    if (productKey === undefined || id === undefined) report({ field: 'coverPhotos', value, reason: COVER_REASON })
    else if (covers.has(value)) continue
    else if (covers.size >= MAX_COVER_PHOTOS) report({ field: 'coverPhotos', value, reason: TOO_MANY_REASON })
    else {
      const cover: ImportedCover = [productKey, Number(id)]
      covers.set(value, cover)
      const lookup = { in: 'images', key: JSON.stringify(cover) } as const
      report({ field: 'coverPhotos', value, reason: COVER_REASON, lookup })
    }
  }
  return [...covers.values()]
}
