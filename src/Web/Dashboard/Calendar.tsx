/** A month of instants: what became of each by its sign and colour, and those that are to come. */
import { Agenda } from "./Agenda.tsx"
import { useAsk } from "./Ask.ts"
import { serverNow, useEvent, useGap } from "./Feed.ts"
import { day, many } from "./Format.ts"
import { Icon } from "./Icon.tsx"
import { beside, type Day, daysOf, isMonth, monthOf, titleOf, weekdays } from "./Month.ts"
import type { Instant, Calendar as Instants } from "./Protocol/Schedules.ts"
import { paths } from "./Protocol.ts"
import { narrow, type Route } from "./Route.ts"
import { Empty, Shown } from "./Shown.tsx"
import { lookOf, Sign } from "./State.tsx"

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

const tally = (instants: ReadonlyArray<Instant>): ReadonlyArray<readonly [status: string, count: number]> =>
  order.flatMap((status) => {
    const count = instants.filter((instant) => instant.status === status).length
    return count === 0 ? [] : [[status, count] as const]
  })

const Cell = ({
  date,
  instants,
  isChosen,
  isToday,
  route
}: {
  readonly date: Day
  readonly instants: ReadonlyArray<Instant>
  readonly isChosen: boolean
  readonly isToday: boolean
  readonly route: Route
}) => {
  const found = tally(instants)
  const words = found.map(([status, count]) => `${count} ${lookOf(status).word.toLowerCase()}`).join(", ")
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
          {found.map(([status, count]) => (
            <span key={status} class="tally" data-tone={lookOf(status).tone}>
              <Sign state={status} />
              {count > 1 && count}
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
  const asked = useAsk<Instants>(paths.calendar, {
    from: days[0]?.from ?? 0,
    to: days.at(-1)?.to ?? 0,
    pipeline: route.query.get("pipeline") ?? undefined
  })
  useEvent("schedules", asked.again)
  useGap(asked.again)
  const today = day(now)
  const chosen = route.query.get("day") ?? (month === monthOf(now) ? today : undefined)
  const turn = (by: number) => narrow(route, { month: beside(month, by), day: undefined })
  const within = (instants: ReadonlyArray<Instant>, { from, to: until }: Day) =>
    instants.filter(({ instant }) => instant >= from && instant < until)
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
      <Shown asked={asked}>
        {({ instants, isCut }) => (
          <>
            {isCut && (
              <p class="dim">
                There are more than are shown: the oldest, and those that are farthest ahead, are left out. Choose a
                pipeline to see more of its own.
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
                  {chosenDay.name} <small>{many(within(instants, chosenDay).length, "instant")}</small>
                </h3>
                <Agenda key={chosenDay.name} instants={within(instants, chosenDay)} />
              </>
            ) : (
              <Empty title="Choose a day to see its instants" />
            )}
          </>
        )}
      </Shown>
    </section>
  )
}
