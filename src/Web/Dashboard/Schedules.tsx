/** Screen of the schedules: the state of each, pausing and resuming, and the calendar. */
import { useEffect, useState } from "preact/hooks"
import { postJson, useFetch } from "./Api.ts"
import { Calendar } from "./Calendar.tsx"
import { Empty, Loaded, LongText, Scroll, TableHead } from "./Components.tsx"
import { Confirm } from "./Dialog.tsx"
import { useEvent, useGap, useNow } from "./EventStream.ts"
import { moment, relative, short } from "./Format.ts"
import { paths, type ScheduleLine, type ScheduleList } from "./Protocol.ts"
import { type Route, setQuery, to } from "./Route.ts"
import { State } from "./Signs.tsx"

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
  const { cron, active, last, next, pausedAt, pausedWhy, pipeline, removedAt, timezone } = line
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
            {active.run === undefined ? (
              <State state={active.status} />
            ) : (
              <a href={to(["runs", active.run])}>
                <State state={active.status} />
              </a>
            )}{" "}
          </>
        )}
        {last !== undefined && (
          <>
            {last.run === undefined ? (
              <State state={last.status} />
            ) : (
              <a href={to(["runs", last.run])}>
                <State state={last.status} />
              </a>
            )}{" "}
            <small title={moment(last.instant)}>{short(last.instant, now)}</small>{" "}
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
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && again(), 30_000)
    return () => clearInterval(timer)
  }, [again])
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
                <p class="banner" data-tone="warn">
                  No scheduler is running. Start one with <code>sluice schedule</code>.
                </p>
              )}
              <Scroll kind="schedules" label="Schedules">
                <table>
                  <TableHead columns={["Pipeline", "Next", "Last", "Actions"]} />
                  <tbody>
                    {schedules.map((line) => (
                      <ScheduleRow key={line.pipeline} line={line} now={now} route={route} again={asked.again} />
                    ))}
                  </tbody>
                </table>
              </Scroll>
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
      <p>Its occurrences are skipped until you resume it. An active run continues.</p>
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
