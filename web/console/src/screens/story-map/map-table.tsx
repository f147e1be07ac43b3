import { useRef } from 'preact/hooks'
import { formatDay } from '../../texts/formats'
import { useVersions, type Version } from '../backlog/requests'
import { ActivityHead } from './activity-head'
import { CardList, type MapProps, useCardZone } from './card-list'
import { type Activity, type Cell, listCards, listLaneIds, type Step, type StoryMap, type Swimlane } from './map-model'
import { AddButton, PartTitle } from './part-buttons'
import { texts } from './texts/texts'

interface TableProps extends MapProps {
  map: StoryMap
  zoom: number
}

interface Column {
  activity: Activity
  /** Absent for an activity without steps. */
  step: Step | undefined
}

const TONES = ['blue', 'green', 'violet', 'amber', 'teal', 'pink']

const listColumns = ({ map }: StoryMap): Column[] =>
  map.activities.flatMap((activity): Column[] =>
    activity.steps.length ? activity.steps.map((step) => ({ activity, step })) : [{ activity, step: undefined }],
  )

export function MapTable({ map, zoom, ...props }: TableProps) {
  const versions = useVersions(props.state.at.product)
  const columns = listColumns(map)
  return (
    <table class="map" data-zoom={zoom}>
      <caption class="sr">{texts.caption}</caption>
      <thead>
        <ActivityRow map={map} {...props} />
        <tr>
          <td class="lane-h" />
          {columns.map(({ activity, step }) => (
            <StepHead key={step?.id ?? `of-${activity.id}`} {...props} step={step} />
          ))}
        </tr>
      </thead>
      <tbody>
        {listLaneIds(map).map((swimlaneId) => {
          const lane = map.map.swimlanes.find(({ id }) => id === swimlaneId)
          return (
            <tr key={swimlaneId}>
              <LaneHead
                {...props}
                isOnly={!map.map.swimlanes.length}
                lane={lane}
                version={versions.find((one) => one.externalKey === lane?.versionKey)}
              />
              {columns.map(({ activity, step }) =>
                step ? (
                  <MapCell key={step.id} {...props} map={map} stepId={step.id} swimlaneId={swimlaneId} />
                ) : (
                  <td key={`of-${activity.id}`} />
                ),
              )}
            </tr>
          )
        })}
      </tbody>
      {props.mayChange && (
        <tfoot>
          <tr>
            <td class="lane-h">
              <AddButton {...props} part={{ kind: 'swimlane' }} label={texts.new.swimlane} text={texts.add.swimlane} />
            </td>
          </tr>
        </tfoot>
      )}
    </table>
  )
}

const ActivityRow = ({ map: { map }, ...props }: MapProps & { map: StoryMap }) => (
  <tr>
    <td class="lane-h" />
    {map.activities.map((activity, n) => (
      <ActivityHead
        key={activity.id}
        {...props}
        activity={activity}
        next={map.activities[n + 1]?.id}
        tone={TONES[n % TONES.length]}
      />
    ))}
  </tr>
)

const StepHead = ({ step, ...props }: MapProps & { step: Step | undefined }) =>
  step ? (
    <th class="step" scope="col">
      <PartTitle {...props} kind="step" id={step.id} title={step.title} />
    </th>
  ) : (
    <td />
  )

type LaneHeadProps = MapProps & { isOnly: boolean; lane: Swimlane | undefined; version: Version | undefined }

/** The only row needs no name for the eye. */
const LaneHead = ({ isOnly, lane, version, ...props }: LaneHeadProps) => (
  <th class="lane-h" scope="row">
    {lane ? (
      <PartTitle {...props} kind="swimlane" id={lane.id} title={lane.title} />
    ) : (
      <strong class={isOnly ? 'sr' : 'sm b'}>{texts.noSwimlane}</strong>
    )}
    <span class={isOnly ? 'sr' : 'xs muted block'}>
      {version ? (
        <>
          {version.name !== lane?.title && `${version.name}, `}
          {texts.versions[version.status]}
          {version.releaseDate && `, ${formatDay(version.releaseDate)}`}
        </>
      ) : (
        texts.noVersion
      )}
    </span>
  </th>
)

function MapCell({ map, stepId, swimlaneId, ...props }: MapProps & Cell & { map: StoryMap }) {
  const element = useRef<HTMLTableCellElement>(null)
  const cell = { stepId, swimlaneId }
  useCardZone(element, cell, props)
  return (
    <td ref={element} data-step={stepId} data-lane={swimlaneId ?? 'none'}>
      <CardList {...props} cell={cell} stories={listCards(map, cell)} />
    </td>
  )
}
