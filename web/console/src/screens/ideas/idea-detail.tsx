import { useMemo } from 'preact/hooks'
import type { Versioned } from '../../api/change'
import { type Me, mayChange } from '../../api/me'
import { ConflictBanner } from '../../parts/conflict-banner'
import { Failure } from '../../parts/failure'
import { useKeys } from '../../state/keys'
import { Activity } from './activity'
import { Body } from './body'
import { Composer } from './composer'
import { openComposer } from './composer-state'
import { Files } from './files'
import { Head } from './head'
import { IdeaActions } from './idea-actions'
import type { IdeaList } from './idea-list'
import { Merged } from './merged'
import { Moderation } from './moderation'
import { picked } from './picked'
import type { Idea } from './requests'
import { Similar } from './similar'
import { ADD_TAG } from './tag-field'
import { texts } from './texts/texts'
import { EDIT_TITLE } from './title-field'
import { useIdea } from './use-idea'

interface IdeaDetailProps {
  me: Me
  list: IdeaList
  current: Versioned<Idea>
}

export function IdeaDetail({ me, list, current }: IdeaDetailProps) {
  const { idea, save, conflict, failure, isSaving } = useIdea(current, list)
  const isEditor = mayChange(me, 'feedback')
  // While rows are selected, the keys act on them.
  useDetailKeys(isEditor && picked.value.size === 0)
  return (
    <>
      {conflict && (
        <ConflictBanner
          conflict={conflict}
          record={{ key: idea.external_key, mark: conflict.theirs.updated_at }}
          name={(field) => texts.fields[field] ?? field}
          show={(_, value) => show(value)}
        />
      )}
      {failure && <Failure title={texts.notSaved} error={failure.error} onRetry={failure.retry} />}
      <Head
        idea={idea}
        isSaving={isSaving}
        mayChange={isEditor}
        onChange={save}
        actions={isEditor && <IdeaActions me={me} idea={idea} list={list} onChange={save} />}
      />
      <Moderation idea={idea} mayChange={isEditor} onDecide={(visibility_level) => save({ visibility_level })} />
      <Body idea={idea} />
      <Files idea={idea} />
      <Merged idea={idea} list={list} mayChange={isEditor} />
      <Similar idea={idea} list={list} mayChange={isEditor} />
      {isEditor && <Composer idea={idea} list={list} />}
      <Activity idea={idea} />
    </>
  )
}

const click = (id: string) => () => document.getElementById(id)?.click()

function useDetailKeys(isActive: boolean): void {
  useKeys(
    useMemo(
      () =>
        isActive
          ? [
              { keys: 's', label: texts.keys.status, run: () => openComposer('status') },
              { keys: 'r', label: texts.keys.reply, run: () => openComposer('reply') },
              { keys: 'n', label: texts.keys.note, run: () => openComposer('note') },
              { keys: 't', label: texts.keys.tag, run: click(ADD_TAG) },
              { keys: 'e', label: texts.keys.edit, run: click(EDIT_TITLE) },
            ]
          : [],
      [isActive],
    ),
  )
}

/** How a conflict shows a value. */
function show(value: Idea[keyof Idea]): string {
  if (Array.isArray(value))
    return value.map((one) => (typeof one === 'object' && 'key' in one ? one.key : String(one))).join(', ')
  return String(value ?? '')
}
