/** Screen of the schedules: the state of each, pausing and resuming, and the calendar. */
import { useEffect, useState } from "preact/hooks"
import { postJson, useFetch } from "./Api.ts"
import { Calendar } from "./Calendar.tsx"
import { Empty, Loaded, LongText, Scroll } from "./Components.tsx"
import { Confirm } from "./Dialog.tsx"
import { useEvent, useGap, useNow } from "./EventStream.ts"
import { away, moment, short } from "./Format.ts"
import { paths, type ScheduleLine, type ScheduleList } from "./Protocol.ts"
import { narrow, type Route, to } from "./Route.ts"
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
  const { cron, going, last, next, pausedAt, pausedWhy, pipeline, removedAt, timezone } = line
  const isChosen = route.query.get("pipeline") === pipeline
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          class="more"
          aria-pressed={isChosen}
          onClick={() => narrow(route, { pipeline: isChosen ? undefined : pipeline })}
        >
          {pipeline}
        </button>
        <br />
        <small>
          {cron === "" ? "" : <code>{cron}</code>} {timezone}
        </small>
      </th>
      <td>
        {removedAt !== undefined ? (
          <span class="nothing">its definition has gone</span>
        ) : pausedAt !== undefined ? (
          <>
            <State state="paused" text={`Paused ${away(pausedAt, now)}`} />{" "}
            {pausedWhy !== undefined && <LongText text={pausedWhy} limit={80} />}
          </>
        ) : (
          <span title={next.map(moment).join("\n")}>
            {next[0] === undefined ? (
              <span class="nothing">none</span>
            ) : (
              `${short(next[0], now)}, ${away(next[0], now)}`
            )}
          </span>
        )}
      </td>
      <td>
        {going !== undefined && (
          <>
            {going.run === undefined ? (
              <State state={going.status} />
            ) : (
              <a href={to(["runs", going.run])}>
                <State state={going.status} />
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
  // Who carries them out is told by no event, and what is next passes by.
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
            <Empty title="No pipeline has a schedule here">
              <p>
                A definition with <code>schedule: {'{ cron: "15 6 * * *" }'}</code> and <code>sluice schedule</code>{" "}
                make one.
              </p>
            </Empty>
          ) : (
            <>
              {!isServed && (
                <p class="banner" data-tone="warn">
                  Nobody carries them out now: <code>sluice schedule</code> does, as long as it runs.
                </p>
              )}
              <Scroll kind="schedules" label="Schedules">
                <table>
                  <thead>
                    <tr>
                      {["Pipeline", "Next", "Last", ""].map((title) => (
                        <th key={title} scope="col">
                          {title === "" ? <span class="unseen">Deeds</span> : title}
                        </th>
                      ))}
                    </tr>
                  </thead>
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

export const Pause = ({
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
      yes="Pause it"
      label="Pause"
      act={() => postJson(paths.pause, { pipeline }, why === "" ? {} : { why }).then(again)}
    >
      <p>Its instants pass by, as skipped, until it is resumed. A run that goes on is left alone.</p>
      <label class="field">
        <span>Why, for others</span>
        <input type="text" value={why} maxLength={200} onInput={(event) => setWhy(event.currentTarget.value)} />
      </label>
    </Confirm>
  ) : (
    <Confirm
      title={`Resume ${pipeline}?`}
      yes="Resume it"
      label="Resume"
      act={() => postJson(paths.unpause, { pipeline }).then(again)}
    >
      <p>It runs again from its next instant on.</p>
    </Confirm>
  )
}
