import { RecordTable } from '../../parts/record-table'
import { formatAge, formatStored } from '../../texts/formats'
import { type ApiKey, isEnded, nameOfScope } from './key-requests'
import { texts } from './texts/texts'

interface KeyTableProps {
  keys: readonly ApiKey[]
  /** Absent for people who may not revoke. */
  onRevoke: ((key: ApiKey) => void) | undefined
}

const SHOWN_SCOPES = 3

export const KeyTable = ({ keys, onRevoke }: KeyTableProps) => (
  <RecordTable
    records={keys}
    keyOf={({ id }) => id}
    columns={[
      { title: texts.keys.name, show: (key) => <KeyName shown={key} /> },
      { title: texts.keys.rights, show: (key) => <Rights shown={key} /> },
      {
        title: texts.keys.lastUsed,
        show: ({ lastUsedAt }) => (lastUsedAt ? formatAge(lastUsedAt) : texts.keys.never),
        isMuted: true,
      },
      {
        title: texts.keys.expires,
        show: ({ revokedAt, expiresAt }) => formatStored(revokedAt ?? expiresAt),
        isMuted: true,
      },
    ]}
    actions={
      onRevoke && {
        title: texts.keys.actions,
        show: (key) =>
          !isEnded(key) && (
            <button
              class="btn small danger"
              type="button"
              aria-label={texts.keys.revoke(key.name)}
              onClick={() => onRevoke(key)}
            >
              {texts.keys.revokeShort}
            </button>
          ),
      }
    }
  />
)

const KeyName = ({ shown }: { shown: ApiKey }) => (
  <span>
    <span class="b wrap-text">{shown.name}</span> <span class="tag">{texts.keys.kinds[shown.kind]}</span>
    {shown.publishableKey && <code class="block wrap-text">{shown.publishableKey}</code>}
    {shown.origins && <span class="sm muted block wrap-text">{shown.origins.join(', ')}</span>}
  </span>
)

const Rights = ({ shown: { scopes, products } }: { shown: ApiKey }) => {
  const names = scopes.map(nameOfScope)
  const rest = names.length - SHOWN_SCOPES
  return (
    <span>
      <span class="block" title={names.join('\n')}>
        {names.slice(0, SHOWN_SCOPES).join(', ')}
        {rest > 0 && ` +${rest}`}
      </span>
      <span class="sm muted block">{products?.join(', ') ?? texts.keys.allProducts}</span>
    </span>
  )
}
