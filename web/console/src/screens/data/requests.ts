import type { Operations } from 'groundwork-client'
import { client } from '../../api/client'
import { queries, useQuery } from '../../api/queries'

export type Export = Operations['listExports']['data'][number]
export type ExportPart = Export['include'][number]
export type Member = Operations['listMembers']['data'][number]

const EXPORTS = ['export', 'list']
const MAX_LISTED = 50
const POLL_MS = 1_500

export const isChanging = ({ status }: Export): boolean => status === 'queued' || status === 'running'

export const useExports = () =>
  useQuery<Export[]>({
    queryKey: EXPORTS,
    queryFn: () => client.listExports({ limit: MAX_LISTED }),
    refetchInterval: ({ state }) => (state.data?.some(isChanging) ? POLL_MS : false),
  })
export const readExportsAgain = () => queries.invalidateQueries({ queryKey: EXPORTS })

export const startExport = (include: ExportPart[]) => client.createExport({ body: { include } })
export const startRestore = (file: File) => client.restoreExport({ file })
export const pathOfExport = ({ id }: Export): string => `/api/v2/exports/${id}/download`

/** Removed people too: they have a right to their data. */
export const findMembers = (q: string): Promise<Member[]> => client.listMembers({ q, removed: 'include', limit: 20 })
export const pathOfPersonalData = ({ id }: Member): string => `/api/v2/idea-manager/members/${id}/export`
export const eraseMember = (memberId: number) => client.eraseMember({ memberId })

/** The page shows the time of the erasure. */
const readMeAgain = () => queries.invalidateQueries({ queryKey: ['me'] })

export async function scheduleErasure(name: string): Promise<void> {
  await client.eraseWorkspace({ body: { confirm: name } })
  await readMeAgain()
}

export async function cancelErasure(): Promise<void> {
  await client.restoreWorkspace()
  await readMeAgain()
}
