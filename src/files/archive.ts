import { FileProblem } from './problem'

const ZIP_SIGNATURE = [0x50, 0x4b, 0x03, 0x04]
/** Signature of `.xls` and other files of Office before 2007. */
const OLD_OFFICE_SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0]

/** A workbook names a part below `xl/` among the first entries of the archive. */
export const ARCHIVE_DETECTION_BYTES = 16_384
const WORKBOOK_FOLDER = 'xl/'

export const SAVE_AS_CSV = 'In Excel, choose File > Save As > "CSV UTF-8 (Comma delimited)" and send the new file.'
const WORKBOOK_MESSAGE = `The file is an Excel workbook. ${SAVE_AS_CSV}`
const ARCHIVE_MESSAGE = `The file is a ZIP archive. Unpack it, and send the CSV, JSON or NDJSON file. ${SAVE_AS_CSV}`

const startsWith = (head: Uint8Array, signature: readonly number[]) => signature.every((byte, at) => head[at] === byte)

export const isArchive = (head: Uint8Array) => startsWith(head, ZIP_SIGNATURE) || startsWith(head, OLD_OFFICE_SIGNATURE)

export function archiveError(head: Uint8Array): FileProblem {
  const text = new TextDecoder('latin1').decode(head.subarray(0, ARCHIVE_DETECTION_BYTES))
  const isWorkbook = startsWith(head, OLD_OFFICE_SIGNATURE) || text.includes(WORKBOOK_FOLDER)
  return new FileProblem('archive', isWorkbook ? WORKBOOK_MESSAGE : ARCHIVE_MESSAGE)
}
