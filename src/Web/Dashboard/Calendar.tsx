/** Calendar of a month: past and future occurrences of schedules by day, and the occurrences of the chosen day. */
import { useState } from "preact/hooks"
import { useFetch } from "./Api.ts"
import { Empty, Loaded, LongText } from "./Components.tsx"
import { serverNow, useEvent, useGap } from "./EventStream.ts"
import { brief, clock, count, day, many } from "./Format.ts"
import { type Instant, type Calendar as Instants, paths } from "./Protocol.ts"
import { narrow, type Route, to } from "./Route.ts"
import { Icon, lookOf, Sign, State } from "./Signs.tsx"

/** Outcomes of a day, those first that somebody should look at. */
const order = [
  "failed",
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
  /** The count includes an estimate. */
  readonly isEstimate: boolean
}

const tally = (instants: ReadonlyArray<Instant>, later: number): ReadonlyArray<Tally> =>
  order.flatMap((status) => {
    const listed = instants.filter((instant) => instant.status === status).length
    const isEstimate = status === "due" && later > 0
    const count = listed + (isEstimate ? later : 0)
    return count === 0 ? [] : [{ status, count, isEstimate }]
  })

const Cell = ({
  date,
  instants,
  isChosen,
  isToday,
  later,
  route
}: {
  readonly date: Day
  readonly instants: ReadonlyArray<Instant>
  readonly isChosen: boolean
  readonly isToday: boolean
  /** Estimated number of occurrences that are not listed. */
  readonly later: number
  readonly route: Route
}) => {
  const found = tally(instants, later)
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
        aria-label={`${date.name}: ${words === "" ? "nothing" : words}`}
        title={words}
        onClick={() => narrow(route, { day: isChosen ? undefined : date.name })}
      >
        <span class="number">{date.number}</span>
        <span class="signs">
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
  const asked = useFetch<Instants>(paths.calendar, {
    from: days[0]?.from ?? 0,
    to: days.at(-1)?.to ?? 0,
    days: days.map(({ from }) => from).join(","),
    pipeline: route.query.get("pipeline") ?? undefined
  })
  useEvent("schedules", asked.again)
  useGap(asked.again)
  const today = day(now)
  const chosen = route.query.get("day") ?? (month === monthOf(now) ? today : undefined)
  const turn = (by: number) => narrow(route, { month: beside(month, by), day: undefined })
  const within = (instants: ReadonlyArray<Instant>, { from, to: until }: Day) =>
    instants.filter(({ instant }) => instant >= from && instant < until)
  const laterOn = (later: NonNullable<Instants["later"]>, { from }: Day) =>
    later.reduce((sum, { count, day }) => (day === from ? sum + count : sum), 0)
  const chosenDay = days.find(({ name }) => name === chosen)
  return (
    <section class="card calendar">
      <div class="top">
        <h2 aria-live="polite">{titleOf(month)}</h2>
        {route.query.get("pipeline") !== null && (
          <button type="button" class="press" onClick={() => narrow(route, { pipeline: undefined })}>
            {route.query.get("pipeline")} <Icon name="cross" size={12} />
            <span class="unseen">: show all</span>
          </button>
        )}
        <div class="turns">
          <button type="button" class="tool" aria-label="Month before" onClick={() => turn(-1)}>
            <Icon name="back" />
          </button>
          <button type="button" class="press" onClick={() => narrow(route, { month: undefined, day: undefined })}>
            Today
          </button>
          <button type="button" class="tool" aria-label="Month after" onClick={() => turn(1)}>
            <Icon name="next" />
          </button>
        </div>
      </div>
      <Loaded asked={asked}>
        {({ instants, isCut, later = [] }) => (
          <>
            {isCut && (
              <p class="dim">
                Not every occurrence is listed: the oldest are left out, and days far ahead have estimated counts.
                Choose a pipeline to list more of its own.
              </p>
            )}
            <table class="month">
              <thead>
                <tr>
                  {weekdays.map((name) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {Array.from({ length: days.length / 7 }, (_, week) => (
                  <tr key={week}>
                    {days.slice(week * 7, week * 7 + 7).map((date) => (
                      <Cell
                        key={date.name}
                        date={date}
                        instants={within(instants, date)}
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
                  {chosenDay.name} <small>{many(within(instants, chosenDay).length, "occurrence")}</small>
                </h3>
                <Agenda key={chosenDay.name} instants={within(instants, chosenDay)} later={laterOn(later, chosenDay)} />
              </>
            ) : (
              <Empty title="Choose a day to see its occurrences" />
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

/** Instants that are shown at first, and with each press of a button. */
const occurrencesPerPress = 100

const Agenda = ({ instants, later }: { readonly instants: ReadonlyArray<Instant>; readonly later: number }) => {
  const [most, setMost] = useState(occurrencesPerPress)
  if (instants.length + later === 0) return <p class="dim">Nothing was or is due on this day.</p>
  return (
    <>
      <ol class="agenda">
        {instants.slice(0, most).map(({ attempt, cause, instant, pipeline, reason, run, status }) => (
          <li key={`${pipeline} ${instant}`}>
            <time>{clock(instant)}</time>
            <State state={status} />
            <span>
              {run === undefined ? <b>{pipeline}</b> : <a href={to(["runs", run])}>{pipeline}</a>}{" "}
              {cause === "hand" && <small>by hand </small>}
              {(attempt ?? 0) > 1 && <small>attempt {attempt} </small>}
              {reason !== undefined && <LongText text={reason} limit={160} />}
            </span>
          </li>
        ))}
      </ol>
      {instants.length > most && (
        <button type="button" class="press" onClick={() => setMost(most + occurrencesPerPress)}>
          {count(instants.length - most)} more
        </button>
      )}
      {later > 0 && <p class="dim">About {count(later)} more are due.</p>}
    </>
  )
}

export interface Day {
  /** `2026-11-22` */
  readonly name: string
  readonly number: number
  readonly from: number
  readonly to: number
  readonly isInMonth: boolean
}

/** `2026-11` */
export const monthOf = (instant: number): string => {
  const date = new Date(instant)
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

/** Whole weeks, from Monday on. Days are as long as clocks make them. */
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

export const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
