import type { ComponentChildren } from 'preact'
import { formatDay } from '../../texts/formats'
import { formatChange, formatValue } from './formats'
import { changePerWeek } from './make-words'
import type { Kpi, Trend } from './requests'
import { texts } from './texts/texts'
import { nameCourse, nameStanding, nameTarget } from './words'

/** The figures of the range, as the service computes them. */
export function Stats({ kpi, trend }: { kpi: Kpi; trend: Trend | undefined }) {
  const change = trend && changePerWeek(trend)
  const course = trend && nameCourse(kpi, trend)
  return (
    <dl class="stats">
      <Stat name={texts.target}>
        {nameTarget(kpi)} {kpi.dueDate && <span class="sm muted">{texts.by(formatDay(kpi.dueDate))}</span>}
      </Stat>
      <Stat name={texts.attained}>
        {trend?.attainment ? formatValue(trend.attainment, '%') : texts.unknown}{' '}
        {trend?.latest && <span class="sm muted">{nameStanding(kpi, Number(trend.latest.value))}</span>}
      </Stat>
      <Stat name={texts.trend}>
        {change === undefined ? texts.unknown : formatChange(change, kpi.benchmarkUnit)}{' '}
        {change !== undefined && <span class="sm muted">{texts.aWeek}</span>}{' '}
        {course && <Mark isGood={course.isGood}>{course.text}</Mark>}
      </Stat>
      <Stat name={texts.projected}>{trend && <Projected trend={trend} />}</Stat>
    </dl>
  )
}

/** The moment of the latest record says nothing about the moment at which a target was reached first. */
function Projected({ trend: { reached, projectedDate, onTime } }: { trend: Trend }) {
  if (reached) return <Mark isGood>{texts.reached}</Mark>
  return (
    <>
      {projectedDate ? formatDay(projectedDate) : reached === false ? texts.neverReached : texts.unknown}{' '}
      {typeof onTime === 'boolean' && <Mark isGood={onTime}>{onTime ? texts.onTime : texts.late}</Mark>}
    </>
  )
}

const TONES = { good: { tone: 'green', state: 'full' }, bad: { tone: 'red', state: 'off' } } as const

function Mark({ isGood, children }: { isGood: boolean | undefined; children: ComponentChildren }) {
  if (isGood === undefined) return <span class="badge">{children}</span>
  const { tone, state } = TONES[isGood ? 'good' : 'bad']
  return (
    <span class="badge" data-tone={tone} data-state={state}>
      {children}
    </span>
  )
}

const Stat = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div class="stat">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
