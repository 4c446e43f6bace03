/** Screen of the schedules: their states and next times, and a calendar of scheduled times. */
import { useState } from "preact/hooks"
import { postJson, useFetch } from "./Api.ts"
import { Banner, Confirm, Empty, Loaded, LongText, Press, Table, TableHead } from "./Components.tsx"
import { serverNow, useEvent, useGap, useNow, usePolling } from "./EventStream.ts"
import { brief, clock, count, day, many, moment, relative, short, weekdays } from "./Format.ts"
import {
  type Calendar as CalendarData,
  type OccurrenceLine,
  paths,
  type ScheduleLine,
  type ScheduleList
} from "./Protocol.ts"
import { type Route, setQuery, to } from "./Route.ts"
import { Icon, lookOf, Sign, State } from "./Signs.tsx"

/** State of a scheduled time, with a link to its run. */
const Status = ({ of: { run, status } }: { readonly of: OccurrenceLine }) =>
  run === undefined ? (
    <State state={status} />
  ) : (
    <a href={to(["runs", run])}>
      <State state={status} />
    </a>
  )

const ScheduleRow = ({
  again,
  line,
  now,
  route
}: {
  readonly line: ScheduleLine
  readonly now: number
  readonly route: Route
  readonly again: () => void
}) => {
  const { cron, active, last, next, pausedAt, pausedUntil, pausedWhy, pipeline, removedAt, timezone } = line
  const isChosen = route.query.get("pipeline") === pipeline
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          class="more"
          aria-pressed={isChosen}
          onClick={() => setQuery(route, { pipeline: isChosen ? undefined : pipeline })}
        >
          {pipeline}
        </button>
        <br />
        <small>
          <a href={to(["pipelines", pipeline])}>About it</a> · {cron === "" ? "" : <code>{cron}</code>} {timezone}
        </small>
      </th>
      <td>
        {removedAt !== undefined ? (
          <span class="nothing">definition removed</span>
        ) : pausedAt !== undefined ? (
          <>
            <State state="paused" text={`Paused ${relative(pausedAt, now)}`} />{" "}
            {pausedUntil !== undefined && `until ${short(pausedUntil, now)} `}
            {pausedWhy !== undefined && <LongText text={pausedWhy} limit={80} />}
          </>
        ) : (
          <span title={next.map(moment).join("\n")}>
            {next[0] === undefined ? (
              <span class="nothing">none</span>
            ) : (
              `${short(next[0], now)}, ${relative(next[0], now)}`
            )}
          </span>
        )}
      </td>
      <td>
        {active !== undefined && (
          <>
            <Status of={active} />{" "}
          </>
        )}
        {last !== undefined && (
          <>
            <Status of={last} /> <small title={moment(last.scheduledTime)}>{short(last.scheduledTime, now)}</small>{" "}
            {last.reason !== undefined && <LongText text={last.reason} limit={90} />}
          </>
        )}
      </td>
      <td>{removedAt === undefined && <Pause line={line} again={again} />}</td>
    </tr>
  )
}

export const Schedules = ({ route }: { readonly route: Route }) => {
  const asked = useFetch<ScheduleList>(paths.schedules)
  const now = useNow(true, 20_000)
  const { again } = asked
  useEvent("schedules", again)
  useGap(again)
  // No event reports a stopped scheduler, or that a scheduled time has passed.
  usePolling(again, 30_000)
  return (
    <section class="screen">
      <div class="top">
        <h1>Schedules</h1>
      </div>
      <Loaded asked={asked}>
        {({ isServed, schedules }) =>
          schedules.length === 0 ? (
            <Empty title="No schedules">
              <p>
                Add <code>schedule: {'{ cron: "15 6 * * *" }'}</code> to a pipeline and start{" "}
                <code>sluice schedule</code>.
              </p>
            </Empty>
          ) : (
            <>
              {!isServed && (
                <Banner tone="warn">
                  No scheduler is running. Start one with <code>sluice schedule</code>.
                </Banner>
              )}
              <Table kind="schedules" label="Schedules" columns={["Pipeline", "Next", "Last", "Actions"]}>
                {schedules.map((line) => (
                  <ScheduleRow key={line.pipeline} line={line} now={now} route={route} again={asked.again} />
                ))}
              </Table>
              <Calendar route={route} />
            </>
          )
        }
      </Loaded>
    </section>
  )
}

const Pause = ({
  again,
  line: { pausedAt, pipeline }
}: {
  readonly line: ScheduleLine
  readonly again: () => void
}) => {
  const [why, setWhy] = useState("")
  return pausedAt === undefined ? (
    <Confirm
      title={`Pause ${pipeline}?`}
      yes="Pause"
      label="Pause"
      act={() => postJson(paths.pause, { pipeline }, why === "" ? {} : { why }).then(again)}
    >
      <p>Its scheduled times are skipped until you resume it. An active run continues.</p>
      <label class="field">
        <span>Reason (optional)</span>
        <input type="text" value={why} maxLength={200} onInput={(event) => setWhy(event.currentTarget.value)} />
      </label>
    </Confirm>
  ) : (
    <Confirm
      title={`Resume ${pipeline}?`}
      yes="Resume"
      label="Resume"
      act={() => postJson(paths.unpause, { pipeline }).then(again)}
    >
      <p>It runs again from its next scheduled time.</p>
    </Confirm>
  )
}

/** Statuses of a day, most urgent first. */
const order = [
  "failed",
  "held",
  "budget",
  "missed",
  "retrying",
  "running",
  "waiting",
  "skipped",
  "replaced",
  "completed",
  "due"
]

interface Tally {
  readonly status: string
  readonly count: number
  /** True if the number of scheduled times includes an estimate. */
  readonly isEstimate: boolean
}

const tally = (occurrences: ReadonlyArray<OccurrenceLine>, later: number): ReadonlyArray<Tally> =>
  order.flatMap((status) => {
    const listed = occurrences.filter((each) => each.status === status).length
    const isEstimate = status === "due" && later > 0
    const count = listed + (isEstimate ? later : 0)
    return count === 0 ? [] : [{ status, count, isEstimate }]
  })

const Cell = ({
  date,
  occurrences,
  isChosen,
  isToday,
  later,
  route
}: {
  readonly date: Day
  readonly occurrences: ReadonlyArray<OccurrenceLine>
  readonly isChosen: boolean
  readonly isToday: boolean
  /** Estimated number of scheduled times of the day that are not listed. */
  readonly later: number
  readonly route: Route
}) => {
  const found = tally(occurrences, later)
  const words = found
    .map(
      ({ count: number, isEstimate, status }) =>
        `${isEstimate ? "about " : ""}${count(number)} ${lookOf(status).word.toLowerCase()}`
    )
    .join(", ")
  return (
    <td data-out={!date.isInMonth} data-today={isToday} data-chosen={isChosen}>
      <button
        type="button"
        aria-pressed={isChosen}
        title={words}
        onClick={() => setQuery(route, { day: isChosen ? undefined : date.name })}
      >
        <span class="unseen">{`${date.name}: ${words === "" ? "nothing" : words}`}</span>
        <span class="number" aria-hidden="true">
          {date.number}
        </span>
        <span class="signs" aria-hidden="true">
          {found.map(({ count, status }) => (
            <span key={status} class="tally" data-tone={lookOf(status).tone}>
              <Sign state={status} />
              {count > 1 && brief(count)}
            </span>
          ))}
        </span>
      </button>
    </td>
  )
}

export const Calendar = ({ route }: { readonly route: Route }) => {
  const now = serverNow()
  const given = route.query.get("month")
  const month = isMonth(given) ? given : monthOf(now)
  const days = daysOf(month)
  const asked = useFetch<CalendarData>(paths.calendar, {
    from: days[0]?.from ?? 0,
    to: days.at(-1)?.to ?? 0,
    days: days.map(({ from }) => from).join(","),
    pipeline: route.query.get("pipeline") ?? undefined
  })
  useEvent("schedules", asked.again)
  useGap(asked.again)
  const today = day(now)
  const chosen = route.query.get("day") ?? (month === monthOf(now) ? today : undefined)
  const turn = (by: number) => setQuery(route, { month: beside(month, by), day: undefined })
  const within = (occurrences: ReadonlyArray<OccurrenceLine>, { from, to: until }: Day) =>
    occurrences.filter(({ scheduledTime }) => scheduledTime >= from && scheduledTime < until)
  const laterOn = (later: NonNullable<CalendarData["later"]>, { from }: Day) =>
    later.reduce((sum, { count, day }) => (day === from ? sum + count : sum), 0)
  const chosenDay = days.find(({ name }) => name === chosen)
  return (
    <section class="card calendar">
      <div class="top">
        <h2 aria-live="polite">{titleOf(month)}</h2>
        {route.query.get("pipeline") !== null && (
          <Press act={() => setQuery(route, { pipeline: undefined })}>
            {route.query.get("pipeline")} <Icon name="cross" size={12} />
            <span class="unseen">: show all</span>
          </Press>
        )}
        <div class="turns">
          <button type="button" class="tool" aria-label="Previous month" onClick={() => turn(-1)}>
            <Icon name="back" />
          </button>
          <Press act={() => setQuery(route, { month: undefined, day: undefined })}>Today</Press>
          <button type="button" class="tool" aria-label="Next month" onClick={() => turn(1)}>
            <Icon name="next" />
          </button>
        </div>
      </div>
      <Loaded asked={asked}>
        {({ occurrences, isCut, later = [] }) => (
          <>
            {isCut && (
              <p class="dim">
                Not all scheduled times are listed: the oldest are left out, and later days have estimated counts.
                Choose a pipeline to list more of its scheduled times.
              </p>
            )}
            <table class="month">
              <TableHead columns={weekdays} />
              <tbody>
                {Array.from({ length: days.length / 7 }, (_, week) => (
                  <tr key={week}>
                    {days.slice(week * 7, week * 7 + 7).map((date) => (
                      <Cell
                        key={date.name}
                        date={date}
                        occurrences={within(occurrences, date)}
                        isChosen={date.name === chosen}
                        isToday={date.name === today}
                        later={laterOn(later, date)}
                        route={route}
                      />
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
            {chosenDay !== undefined ? (
              <>
                <h3>
                  {chosenDay.name} <small>{many(within(occurrences, chosenDay).length, "scheduled time")}</small>
                </h3>
                <Agenda
                  key={chosenDay.name}
                  occurrences={within(occurrences, chosenDay)}
                  later={laterOn(later, chosenDay)}
                />
              </>
            ) : (
              <Empty title="Choose a day to see its scheduled times" />
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

const occurrencesPerPress = 100

const Agenda = ({
  occurrences,
  later
}: {
  readonly occurrences: ReadonlyArray<OccurrenceLine>
  readonly later: number
}) => {
  const [most, setMost] = useState(occurrencesPerPress)
  if (occurrences.length + later === 0) return <p class="dim">No scheduled times on this day.</p>
  return (
    <>
      <ol class="agenda">
        {occurrences.slice(0, most).map(({ attempt, cause, scheduledTime, pipeline, reason, run, status }) => (
          <li key={`${pipeline} ${scheduledTime}`}>
            <time>{clock(scheduledTime)}</time>
            <State state={status} />
            <span>
              {run === undefined ? <b>{pipeline}</b> : <a href={to(["runs", run])}>{pipeline}</a>}{" "}
              {cause === "hand" && <small>started manually </small>}
              {(attempt ?? 0) > 1 && <small>attempt {attempt} </small>}
              {reason !== undefined && <LongText text={reason} limit={160} />}
            </span>
          </li>
        ))}
      </ol>
      {occurrences.length > most && (
        <Press act={() => setMost(most + occurrencesPerPress)}>{count(occurrences.length - most)} more</Press>
      )}
      {later > 0 && <p class="dim">About {count(later)} more are due.</p>}
    </>
  )
}

export interface Day {
  /** Date such as `2026-11-22`. */
  readonly name: string
  readonly number: number
  readonly from: number
  readonly to: number
  readonly isInMonth: boolean
}

/** Month such as `2026-11`. */
export const monthOf = (time: number): string => {
  const date = new Date(time)
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}`
}

const yearAndMonth = (month: string): readonly [year: number, index: number] => {
  const [year = 1970, number = 1] = month.split("-").map(Number)
  return [year, number - 1]
}

export const isMonth = (text: string | null): text is string => text !== null && /^\d{4}-(0[1-9]|1[0-2])$/.test(text)

export const beside = (month: string, by: number): string => {
  const [year, index] = yearAndMonth(month)
  return monthOf(new Date(year, index + by, 1).getTime())
}

const monthTitle = new Intl.DateTimeFormat("en", { month: "long", year: "numeric" })

export const titleOf = (month: string): string => monthTitle.format(new Date(...yearAndMonth(month), 1))

/** Days of all weeks of a month, starting on a Monday. A day may have 23 or 25 hours. */
export const daysOf = (month: string): ReadonlyArray<Day> => {
  const [year, index] = yearAndMonth(month)
  const before = (new Date(year, index, 1).getDay() + 6) % 7
  const weeks = Math.ceil((before + new Date(year, index + 1, 0).getDate()) / 7)
  return Array.from({ length: weeks * 7 }, (_, offset) => {
    const date = new Date(year, index, 1 - before + offset)
    const from = date.getTime()
    return {
      name: `${monthOf(from)}-${String(date.getDate()).padStart(2, "0")}`,
      number: date.getDate(),
      from,
      to: new Date(year, index, 2 - before + offset).getTime(),
      isInMonth: date.getMonth() === index
    }
  })
}
