/** When pipelines run by themselves: how each stands, and a calendar of what was and what will be. */
import { useEffect } from "preact/hooks"
import { useAsk } from "./Ask.ts"
import { Calendar } from "./Calendar.tsx"
import { useEvent, useGap, useNow } from "./Feed.ts"
import { away, moment, short } from "./Format.ts"
import type { ScheduleLine, ScheduleList } from "./Protocol/Schedules.ts"
import { paths } from "./Protocol.ts"
import { narrow, type Route, to } from "./Route.ts"
import { Pause } from "./SchedulePause.tsx"
import { Empty, Shown } from "./Shown.tsx"
import { State } from "./State.tsx"
import { Long } from "./Value.tsx"
import { Wide } from "./Wide.tsx"

const Line = ({
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
            {pausedWhy !== undefined && <Long text={pausedWhy} limit={80} />}
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
            {last.reason !== undefined && <Long text={last.reason} limit={90} />}
          </>
        )}
      </td>
      <td>{removedAt === undefined && <Pause line={line} again={again} />}</td>
    </tr>
  )
}

export const Schedules = ({ route }: { readonly route: Route }) => {
  const asked = useAsk<ScheduleList>(paths.schedules)
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
      <Shown asked={asked}>
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
              <Wide kind="schedules" label="Schedules">
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
                      <Line key={line.pipeline} line={line} now={now} route={route} again={asked.again} />
                    ))}
                  </tbody>
                </table>
              </Wide>
              <Calendar route={route} />
            </>
          )
        }
      </Shown>
    </section>
  )
}
