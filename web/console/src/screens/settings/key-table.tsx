import { formatAge, formatMoment } from '../../texts/formats'
import { type ApiKey, isEnded, nameOfScope } from './key-requests'
import { texts } from './texts/texts'

interface KeyTableProps {
  keys: readonly ApiKey[]
  /** Absent for people who may not revoke. */
  onRevoke: ((key: ApiKey) => void) | undefined
}

const SHOWN_SCOPES = 3

export const KeyTable = ({ keys, onRevoke }: KeyTableProps) => (
  <div class="card">
    <table class="table stack-table">
      <thead>
        <tr>
          <th scope="col">{texts.keys.name}</th>
          <th scope="col">{texts.keys.rights}</th>
          <th scope="col">{texts.keys.lastUsed}</th>
          <th scope="col">{texts.keys.expires}</th>
          {onRevoke && (
            <th scope="col">
              <span class="sr">{texts.keys.actions}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <th scope="row">
              <KeyName shown={key} />
            </th>
            <td data-th={texts.keys.rights}>
              <Rights shown={key} />
            </td>
            <td data-th={texts.keys.lastUsed} class="muted">
              {key.lastUsedAt ? formatAge(key.lastUsedAt) : texts.keys.never}
            </td>
            <td data-th={texts.keys.expires} class="muted">
              {formatMoment(key.revokedAt ?? key.expiresAt)}
            </td>
            {onRevoke && (
              <td class="end">
                {!isEnded(key) && (
                  <span class="row">
                    <button
                      class="btn small danger"
                      type="button"
                      aria-label={texts.keys.revoke(key.name)}
                      onClick={() => onRevoke(key)}
                    >
                      {texts.keys.revokeShort}
                    </button>
                  </span>
                )}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
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
