import { useMemo, useState } from 'preact/hooks'
import { client } from '../../api/client'
import { maySee } from '../../api/me'
import { queries, useQuery } from '../../api/queries'
import { AskDialog } from '../../parts/ask-dialog'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { NextSteps } from '../../parts/next-steps'
import { Skeleton } from '../../parts/skeleton'
import { useKeys } from '../../state/keys'
import { BASE, place } from '../../state/place'
import { showToast } from '../../state/toast'
import { texts as shared } from '../../texts/texts'
import type { ScreenProps } from '../screens'
import { AddKeyDialog } from './add-key-dialog'
import { type ApiKey, isEnded, type NewKey, PAGE, readKeys } from './key-requests'
import { KeyTable } from './key-table'
import { SettingsPage } from './settings-page'
import { texts } from './texts/texts'
import { TokenDialog } from './token-dialog'

const PATH = '/settings/keys'

export default function ApiKeys({ me, main }: ScreenProps) {
  const mayManage = maySee(me, 'keys:write')
  const showsEnded = place.value.query.get('state') === 'ended'
  const [limit, setLimit] = useState(PAGE)
  const [isAdding, setAdding] = useState(false)
  const [made, setMade] = useState<NewKey>()
  const [leaving, setLeaving] = useState<ApiKey>()
  const { data, error, refetch } = useQuery({
    ...{ queryKey: ['api_key', limit], queryFn: () => readKeys(limit) },
    enabled: maySee(me, 'keys:read'),
  })
  const readAgain = () => queries.invalidateQueries({ queryKey: ['api_key'] })
  const openCreation = () => setAdding(true)
  useKeys(useMemo(() => (mayManage ? [{ keys: 'c', label: texts.keys.add, run: openCreation }] : []), [mayManage]))
  async function revoke({ id, name }: ApiKey): Promise<void> {
    await client.revokeApiKey({ apiKeyId: id })
    await readAgain()
    showToast(texts.keys.revoked(name))
  }
  const keys = data?.keys.filter((key) => isEnded(key) === showsEnded)
  const action = mayManage && (
    <button class="btn small primary" type="button" onClick={openCreation}>
      <Icon name="plus" />
      {texts.keys.add}
    </button>
  )
  return (
    <SettingsPage me={me} main={main} path={PATH} action={action}>
      <nav class="segmented" aria-label={texts.keys.states}>
        <a href={BASE + PATH} aria-current={showsEnded ? undefined : 'page'}>
          {texts.keys.active}
        </a>
        <a href={`${BASE}${PATH}?state=ended`} aria-current={showsEnded ? 'page' : undefined}>
          {texts.keys.ended}
        </a>
      </nav>
      {!mayManage && <p class="sm muted">{texts.keys.readerHint}</p>}
      {error && !data && <Failure title={texts.keys.listFailed} error={error} onRetry={() => refetch()} />}
      {!data && !error && <Skeleton />}
      {keys?.length === 0 && (
        <Empty icon="lock" title={texts.keys.empty} hint={texts.keys.emptyHint}>
          {mayManage && <NextSteps steps={[{ text: shared.next.key, act: openCreation }]} />}
        </Empty>
      )}
      {keys && keys.length > 0 && <KeyTable keys={keys} onRevoke={mayManage ? setLeaving : undefined} />}
      {data?.hasMore && (
        <button class="btn" type="button" onClick={() => setLimit(limit + PAGE)}>
          {shared.showMore}
        </button>
      )}
      {isAdding && (
        <AddKeyDialog
          me={me}
          onClose={() => setAdding(false)}
          onMade={(key) => {
            setMade(key)
            void readAgain()
          }}
        />
      )}
      {made && <TokenDialog made={made} onClose={() => setMade(undefined)} />}
      {leaving && (
        <AskDialog
          title={texts.keys.revoke(leaving.name)}
          action={texts.keys.revokeAction}
          failed={texts.keys.revokeFailed}
          onAct={() => revoke(leaving)}
          onClose={() => setLeaving(undefined)}
          onDone={() => main.current?.focus()}
        >
          <p>{texts.keys.revokeHint}</p>
        </AskDialog>
      )}
    </SettingsPage>
  )
}
