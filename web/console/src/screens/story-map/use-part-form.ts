import { GroundworkError } from 'groundwork-client'
import { useState } from 'preact/hooks'
import { type Conflict, findCollisions } from '../../api/change'
import type { StoryMap } from './map-model'
import { findPart, listSiblings, type MapState } from './map-state'
import type { EditedPart } from './map-view'
import { type PartChange, type PartFields, readPart, type StoredPart } from './requests'

const CHANGED_STATUS = 412

/** The fields of a new or a present part, and the way out when somebody else has changed the part. */
export function usePartForm(part: EditedPart, map: StoryMap, state: MapState, close: () => void) {
  const { kind, id } = part
  const present = id === undefined ? undefined : findPart(map, kind, id)
  const [activityId, setActivityId] = useState(part.activityId ?? present?.activityId)
  const siblings = listSiblings(map, kind, activityId).filter((other) => other.id !== id)
  const all = listSiblings(map, kind, activityId)
  const own = all.findIndex((other) => other.id === id)
  const [chosen, setPosition] = useState<number>()
  const position = chosen ?? (own < 0 ? siblings.length : own)
  // A form may be sent before the read ends.
  const [base, setBase] = useState(() => readBase(part, state).catch(() => undefined))
  const [error, setError] = useState<unknown>()
  const [conflict, setConflict] = useState<Conflict<PartFields>>()
  const [isSending, setSending] = useState(false)
  function toChange(fields: PartFields): PartChange {
    const previous = siblings[position - 1]
    const [first] = siblings
    const isMoved = position !== own
    const place = previous ? { afterId: previous.id } : first ? { beforeId: first.id } : {}
    return {
      title: fields.title,
      ...(kind === 'step' && activityId !== undefined && { activityId }),
      ...(kind === 'swimlane' && { versionKey: fields.versionKey ?? null }),
      ...(isMoved && place),
    }
  }

  async function send(change: PartChange, from: StoredPart | undefined): Promise<void> {
    if (id === undefined) await state.createPart(kind, change)
    else if (from) await state.modifyPart(kind, id, change, from.etag)
    close()
  }

  async function save(change: PartChange, read: Promise<StoredPart | undefined> = base): Promise<void> {
    setSending(true)
    setError(undefined)
    setConflict(undefined)
    let from: StoredPart | undefined
    try {
      from = (await read) ?? (await readBase(part, state))
      await send(change, from)
    } catch (cause) {
      if (!(cause instanceof GroundworkError) || cause.status !== CHANGED_STATUS || id === undefined || !from)
        setError(cause)
      else await settle(change, from).catch(setError)
      setSending(false)
    }
  }

  /** Other fields merge; the same fields are a question. */
  async function settle(change: PartChange, from: StoredPart): Promise<void> {
    const theirs = await readPart(state.at, kind, id ?? 0)
    setBase(Promise.resolve(theirs))
    const { title, activityId: activity, versionKey } = change
    const mine: Partial<PartFields> = {
      ...(title !== undefined && { title }),
      ...(activity !== undefined && { activityId: activity }),
      ...(versionKey !== undefined && { versionKey }),
    }
    const unchanged = pickUnchanged(mine, from.fields, theirs.fields)
    const fields = findCollisions(mine, from.fields, theirs.fields).filter((field) => !(field in unchanged))
    const keepMine = () => void save({ ...change, ...unchanged }, Promise.resolve(theirs))
    if (!fields.length) return send({ ...change, ...unchanged }, theirs)
    setConflict({ fields, mine, theirs: theirs.fields, keepMine, takeTheirs: close })
  }

  return {
    ...{ present, activityId, siblings, position, setPosition, error, conflict, isSending, toChange, save },
    chooseActivity(chosenId: number) {
      setActivityId(chosenId)
      setPosition(undefined)
    },
  }
}

const readBase = async ({ kind, id }: EditedPart, { at }: MapState): Promise<StoredPart | undefined> =>
  id === undefined ? undefined : readPart(at, kind, id)

/** What the person left as it was keeps the newer value. */
function pickUnchanged(mine: Partial<PartFields>, base: PartFields, theirs: PartFields): Partial<PartFields> {
  const kept = (Object.keys(mine) as (keyof PartFields)[]).filter((name) => mine[name] === base[name])
  return Object.fromEntries(kept.map((name) => [name, theirs[name]]))
}

export type PartForm = ReturnType<typeof usePartForm>
