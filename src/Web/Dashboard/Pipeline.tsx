/**
 * Screen of a pipeline: trends with the range of their normal values, calendar of runs, next times, graph of the latest run, and its runs.
 */
import { rowsIn } from "../../Row/Count.ts"
import { useFetch } from "./Api.ts"
import { Fields, isNormal, Trend } from "./Bands.tsx"
import { Changes } from "./Changes.tsx"
import { Back, Empty, Loaded, Press, Scroll, Table, Tabs } from "./Components.tsx"
import { Contract, PipelineState } from "./Contract.tsx"
import { DiffTable } from "./Diff.tsx"
import { serverNow, useEvent, useGap, useThrottled } from "./EventStream.ts"
import { brief, count, day, many, moment, relative, short, span, weekdays } from "./Format.ts"
import { Graph } from "./Graph.tsx"
import { type DefinitionDiff, type PipelineDetail, type PipelineRun, paths } from "./Protocol.ts"
import { type Route, setQuery, to } from "./Route.ts"
import { lively, type State as RunState } from "./RunProtocol.ts"
import { Rows } from "./Runs.tsx"
import { Icon, lookOf, Sign, State } from "./Signs.tsx"

const metrics = [
  { name: "duration", title: "Duration", show: span },
  { name: "credits", title: "Credits", show: (value: number) => count(Math.round(value)) },
  { name: "rejects", title: "Rejects", show: (value: number) => count(Math.round(value)) }
] as const

/** Charts of the runs: rows of each output, duration, credits and rejects. A value that is 0 in all runs has no chart. */
const chartsOf = ({ bands, outputs, runs }: PipelineDetail) => {
  const isOnly = outputs.length === 1
  const only = runs.some(({ written }) => written !== undefined) ? "Rows written" : "Rows"
  return [
    ...outputs.map(({ band, name, step }) => ({
      title: isOnly ? only : `Rows in ${name}`,
      band,
      show: (value: number) => count(Math.round(value)),
      of: (run: PipelineRun) => rowsIn(run, step, isOnly)
    })),
    ...metrics.map(({ name, ...metric }) => ({
      ...metric,
      band: bands[name],
      of: (run: PipelineRun) => run[name]
    }))
  ].filter(({ of }) => runs.some((run) => (of(run) ?? 0) > 0))
}

const aWeek = 7
const weeks = 14

/** States, most urgent first. */
const urgency = Object.keys({
  failed: true,
  crashed: true,
  held: true,
  budget: true,
  running: true,
  publishing: true,
  waiting: true,
  stopped: true,
  discarded: true,
  completed: true
} satisfies Record<RunState, true>)

interface DayCount {
  readonly name: string
  readonly isFuture: boolean
  readonly runs: number
  /** Most urgent state among the runs of the day. */
  readonly state: string | undefined
  readonly words: string
}

/** Days of the last weeks in the browser's time zone, starting on a Monday. */
const daysOf = (calendar: PipelineDetail["calendar"], now: number): ReadonlyArray<DayCount> => {
  const byDay = new Map<string, Map<string, number>>()
  for (const { at, runs, state } of calendar) {
    const states = byDay.get(day(at)) ?? new Map<string, number>()
    states.set(state, (states.get(state) ?? 0) + runs)
    byDay.set(day(at), states)
  }
  const today = new Date(now)
  const monday = today.getDate() - ((today.getDay() + 6) % aWeek) - (weeks - 1) * aWeek
  return Array.from({ length: weeks * aWeek }, (_, index) => {
    // Noon, because clocks change during the night: the date is right in any case.
    const at = new Date(today.getFullYear(), today.getMonth(), monday + index, 12).getTime()
    const states = byDay.get(day(at)) ?? new Map<string, number>()
    const known = urgency.filter((state) => states.has(state))
    return {
      name: day(at),
      isFuture: day(at) > day(now),
      runs: Array.from(states.values()).reduce((sum, runs) => sum + runs, 0),
      state: known[0],
      words: known.map((state) => `${count(states.get(state) ?? 0)} ${lookOf(state).word.toLowerCase()}`).join(", ")
    }
  })
}

const Calendar = ({ calendar }: Pick<PipelineDetail, "calendar">) => {
  const days = daysOf(calendar, serverNow())
  return (
    <section class="card">
      <h2>Runs by day</h2>
      <Scroll kind="days" label="Runs by day">
        <table>
          <thead class="unseen">
            <tr>
              <th scope="col">Weekday</th>
              {Array.from({ length: weeks }, (_, week) => (
                <th key={week} scope="col">
                  Week of {days[week * aWeek]?.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weekdays.map((weekday, index) => (
              <tr key={weekday}>
                <th scope="row">{weekday}</th>
                {Array.from({ length: weeks }, (_, week) => {
                  const date = days[week * aWeek + index]
                  if (date === undefined || date.isFuture) return <td key={week} />
                  const tone = date.state === undefined ? undefined : lookOf(date.state).tone
                  return (
                    <td
                      key={week}
                      data-tone={tone}
                      title={`${date.name}: ${date.words === "" ? "no run" : date.words}`}
                    >
                      <span class="unseen">{date.name}: </span>
                      {date.state !== undefined && date.state !== "completed" && <Sign state={date.state} />}
                      {date.runs === 0 ? <span class="unseen">no run</span> : brief(date.runs)}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  )
}

const NextTimes = ({ schedule }: Pick<PipelineDetail, "schedule">) => {
  const now = serverNow()
  return (
    <section class="card">
      <h2>Next scheduled times</h2>
      {schedule === undefined ? (
        <p class="dim">
          None: no <code>sluice schedule</code> has found a schedule in the definition.
        </p>
      ) : schedule.removedAt !== undefined ? (
        <p class="dim">The definition with the schedule was removed.</p>
      ) : (
        <>
          <p class="dim">
            <code>{schedule.cron}</code> {schedule.timezone} ·{" "}
            <a href={to(["schedules"], { pipeline: schedule.pipeline })}>Calendar</a>
          </p>
          {schedule.pausedAt !== undefined ? (
            <State state="paused" text={`Paused ${relative(schedule.pausedAt, now)}`} />
          ) : (
            <ol class="times">
              {schedule.next.map((instant) => (
                <li key={instant}>
                  <span title={moment(instant)}>{short(instant, now)}</span> <small>{relative(instant, now)}</small>
                </li>
              ))}
            </ol>
          )}
        </>
      )}
    </section>
  )
}

interface RunsProps {
  readonly detail: PipelineDetail
  readonly route: Route
}

const RunTable = ({ detail: { pipeline, runs }, route }: RunsProps) => (
  <section class="card">
    <div class="top">
      <h2>Runs</h2>
      <a href={to(["runs"], { pipeline })}>All runs</a>
    </div>
    <Table
      kind="history"
      label="Last runs"
      class="figures"
      columns={["Started", "State", "Duration", "Rows", "Rejects", "Credits", "Definition"]}
    >
      {runs.map((run, index) => {
        const before = runs[index + 1]
        const isChanged = before !== undefined && before.definition !== run.definition
        return (
          <tr key={run.id}>
            <th scope="row">
              <a href={to(["runs", run.id])}>{moment(run.startedAt)}</a>
            </th>
            <td>
              <State state={run.state} />
            </td>
            <td>{span(run.duration)}</td>
            <td>
              <Rows line={run} />
            </td>
            <td>
              {run.rejects === 0 ? (
                "0"
              ) : (
                <a class="rejected" href={to(["runs", run.id, "rejects"])}>
                  {count(run.rejects)}
                </a>
              )}
            </td>
            <td>{count(run.credits)}</td>
            <td>
              {isChanged ? (
                <button type="button" class="more" onClick={() => setQuery(route, { from: before.id, to: run.id })}>
                  changed
                </button>
              ) : (
                <span class="nothing">{before === undefined ? "" : "same"}</span>
              )}
            </td>
          </tr>
        )
      })}
    </Table>
  </section>
)

interface DifferenceProps {
  readonly from: string
  readonly until: string
  /** Runs, newest first. */
  readonly runs: ReadonlyArray<PipelineRun>
  readonly route: Route
}

/** Newest run of each definition, and the chosen run. */
const distinctOf = (runs: ReadonlyArray<PipelineRun>, chosen: string): ReadonlyArray<PipelineRun> => {
  const known = new Set<string>()
  return runs.filter(({ definition, id }) => {
    const isNew = !known.has(definition)
    known.add(definition)
    return isNew || id === chosen
  })
}

const Difference = ({ from, route, runs, until }: DifferenceProps) => {
  const asked = useFetch<DefinitionDiff>(paths.definitionDiff, { from, to: until })
  return (
    <section class="card">
      <div class="top">
        <h2>Changes of the definition</h2>
        <Press act={() => setQuery(route, { from: undefined, to: undefined })}>Close</Press>
      </div>
      <Loaded asked={asked}>
        {({ from, parts, to: until }) => (
          <>
            <p class="dim">
              From the run of <a href={to(["runs", from.run])}>{moment(from.at)}</a> to that of{" "}
              <a href={to(["runs", until.run])}>{moment(until.at)}</a>
            </p>
            <div class="filters">
              {(
                [
                  ["from", "Compare from the run of", from.run],
                  ["to", "to the run of", until.run]
                ] as const
              ).map(([name, label, chosen]) => (
                <label key={name}>
                  <span>{label}</span>{" "}
                  <select value={chosen} onChange={(event) => setQuery(route, { [name]: event.currentTarget.value })}>
                    {distinctOf(runs, chosen).map(({ id, startedAt }) => (
                      <option key={id} value={id}>
                        {moment(startedAt)}
                      </option>
                    ))}
                  </select>
                </label>
              ))}
            </div>
            {parts === null ? (
              <p>They differ too much to compare them.</p>
            ) : (
              <DiffTable parts={parts} isSplit={false} />
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

const Overview = ({ detail, route }: RunsProps) => {
  const { calendar, graph, runs, schedule, steps } = detail
  const [newest] = runs
  const [from, until] = [route.query.get("from"), route.query.get("to")]
  const oldestFirst = runs.toReversed()
  return (
    <>
      {newest !== undefined && (
        <div class="trends card">
          {chartsOf(detail).map(({ band, of, show, title }) => (
            <Trend
              key={title}
              title={title}
              show={show}
              without="normal: from the fifth completed run on"
              label={`${title} of the last ${many(runs.length, "run")}; the table below has the same figures`}
              band={band}
              points={oldestFirst.flatMap((run) => {
                const value = of(run)
                if (value === undefined) return []
                const tone =
                  run.state !== "completed" ? lookOf(run.state).tone : isNormal(value, band) ? "good" : "warn"
                const title = `${moment(run.startedAt)}: ${show(value)}, ${lookOf(run.state).word.toLowerCase()}`
                return [{ key: run.id, value, tone, title }]
              })}
            />
          ))}
        </div>
      )}
      <div class="pair">
        <Calendar calendar={calendar} />
        <NextTimes schedule={schedule} />
      </div>
      {from !== null && until !== null && <Difference from={from} until={until} runs={runs} route={route} />}
      <div class="pair wide-first">
        {newest === undefined ? <Empty title="No runs yet" /> : <RunTable detail={detail} route={route} />}
        {newest !== undefined && graph !== null && (
          <section class="card">
            <h2>
              Steps <small>rows of the run of {moment(newest.startedAt)}</small>
            </h2>
            <Graph run={newest.id} graph={graph} steps={steps} isLive={lively.includes(newest.state)} hasEdgeCounts />
          </section>
        )}
      </div>
      {newest !== undefined && <Fields key={newest.id} pipeline={detail.pipeline} />}
    </>
  )
}

const tabs = [
  ["overview", "Overview"],
  ["changes", "Changes"],
  ["contract", "Contract"],
  ["state", "State"]
] as const

const contentOf = (tab: string, detail: PipelineDetail, route: Route) => {
  switch (tab) {
    case "changes":
      return <Changes pipeline={detail.pipeline} />
    case "contract":
      return <Contract pipeline={detail.pipeline} />
    case "state":
      return <PipelineState pipeline={detail.pipeline} route={route} />
    default:
      return <Overview detail={detail} route={route} />
  }
}

/** Minimum milliseconds between requests that runs trigger. */
const minInterval = 1_000

export const Pipeline = ({ name, route }: { readonly name: string; readonly route: Route }) => {
  const asked = useFetch<PipelineDetail>(paths.pipeline, { pipeline: name })
  const tab = route.path[2] ?? "overview"
  const { again, value } = asked
  useGap(again)
  useEvent("schedules", again)
  const againSoon = useThrottled(again, minInterval)
  useEvent("runs", ({ runs }) => {
    const known = new Map(value?.runs.map((run) => [run.id, run.state]))
    // Counts of running runs change every second, so only a run with a new state triggers a request.
    if (runs.some((run) => run.pipeline === name && known.get(run.id) !== run.state)) againSoon()
  })
  return (
    <section class="screen">
      <Back href={to(["runs"], { pipeline: name })}>Runs</Back>
      <div class="top">
        <h1>{name}</h1>
        {value?.startable !== undefined && (
          <div class="actions">
            <a class="press" href={to(["start"], { file: value.startable })}>
              <Icon name="start" size={16} /> Run it
            </a>
          </div>
        )}
      </div>
      {value?.file !== undefined && (
        <p class="dim">
          <code>{value.file}</code>
        </p>
      )}
      <Tabs
        label="Parts of the pipeline"
        path={["pipelines", name]}
        chosen={tab}
        tabs={tabs.filter(([each]) => each === tab || each === "overview" || value?.has[each] === true)}
      />
      <Loaded asked={asked}>{(detail) => contentOf(tab, detail, route)}</Loaded>
    </section>
  )
}
