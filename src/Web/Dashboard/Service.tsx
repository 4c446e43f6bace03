/** Screens of the connected service: its current activity, and credits by month, pipeline and key. */
import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { useFetch } from "./Api.ts"
import { Cluster } from "./Cluster.tsx"
import { Banner, Empty, ExternalLink, Fact, Loaded, Press, Select, Table, Toggle } from "./Components.tsx"
import { useEvent, useNow, useThrottled } from "./EventStream.ts"
import { brief, count, many, relative, size } from "./Format.ts"
import { type EngineNow, type Job, paths, type Session, type Usage as Used } from "./Protocol.ts"
import { type Route, setQuery } from "./Route.ts"
import { Icon } from "./Signs.tsx"

interface ThingsProps<A> {
  readonly title: string
  /** Null if the service did not return them. */
  readonly things: ReadonlyArray<A> | null
  /** Plural noun for the message, such as `jobs`. */
  readonly what: string
  /** Text shown if there are none. */
  readonly none: string
  readonly children: (thing: A) => ComponentChildren
}

const Things = <A,>({ children, none, things, title, what }: ThingsProps<A>) => (
  <section class="card">
    <h2>
      {title} <small>{things === null ? "" : count(things.length)}</small>
    </h2>
    {things === null ? (
      <p class="dim">The service did not return its {what}.</p>
    ) : things.length === 0 ? (
      <p class="dim">{none}</p>
    ) : (
      <ul class="things">{things.map(children)}</ul>
    )}
  </section>
)

const Jobs = ({ jobs, now }: { readonly jobs: ReadonlyArray<Job> | null; readonly now: number }) => (
  <Things title="Jobs" things={jobs} what="jobs" none="No active jobs.">
    {({ createdAt, id, url }) => (
      <li key={id}>
        <span class="grow">{url === undefined ? <code>{id}</code> : <ExternalLink address={url} />}</span>
        {url !== undefined && <code class="id">{id}</code>}
        {createdAt !== undefined && <small>{relative(createdAt, now)}</small>}
      </li>
    )}
  </Things>
)

/** A live view has another origin and opens in a new tab. */
const LiveViewLink = ({ address, text }: { readonly address: string | undefined; readonly text: string }) =>
  address !== undefined && /^https?:/i.test(address) ? (
    <a class="press" href={address} target="_blank" rel="noopener noreferrer">
      <Icon name="open" size={15} /> {text}
    </a>
  ) : null

const Sessions = ({ now, sessions }: { readonly sessions: ReadonlyArray<Session> | null; readonly now: number }) => (
  <Things title="Browser sessions" things={sessions} what="sessions" none="No open sessions.">
    {({ expiresAt, id, steerUrl, watchUrl }) => (
      <li key={id}>
        <code class="grow">{id}</code>
        {expiresAt !== undefined && <small>ends {relative(expiresAt, now)}</small>}
        <LiveViewLink address={watchUrl} text="Watch" />
        <LiveViewLink address={steerUrl} text="Interact" />
      </li>
    )}
  </Things>
)

/** Minimum milliseconds between requests. */
const minInterval = 3_000

export const Active = () => {
  const asked = useFetch<EngineNow>(paths.engine)
  const now = useNow(true, 5_000)
  // The service sends no events, but its jobs change when runs do.
  useEvent("runs", useThrottled(asked.again, minInterval))
  useEffect(() => {
    const look = () => document.visibilityState === "visible" && asked.again()
    document.addEventListener("visibilitychange", look)
    return () => document.removeEventListener("visibilitychange", look)
  }, [asked.again])
  return (
    <section class="screen">
      <div class="top">
        <h1>Active</h1>
        <Press act={asked.again} isOff={asked.isAsking}>
          Refresh
        </Press>
      </div>
      <Cluster now={now} />
      <Loaded asked={asked}>
        {({ jobs, queue, sessions, storage, url, why }) =>
          url === null ? (
            <Empty title="No service connected">
              <p>
                Start one with <code>sluice serve --ui</code>, or set <code>SLUICE_BASE_URL</code>.
              </p>
            </Empty>
          ) : (
            <>
              <p class="dim">
                Reported by <code>{url}</code>
              </p>
              {why !== undefined && <Banner tone="warn">{why}</Banner>}
              {storage?.warning !== undefined && <Banner tone="warn">{storage.warning}</Banner>}
              {queue !== null && (
                <dl class="facts">
                  <Fact name="active requests">{count(queue.active)}</Fact>
                  <Fact name="waiting requests">{count(queue.waiting)}</Fact>
                  <Fact name="limit">{count(queue.limit)}</Fact>
                  {storage !== undefined && (
                    <Fact name="stored">
                      {size(storage.used)} of {size(storage.limit)}
                    </Fact>
                  )}
                </dl>
              )}
              <Jobs jobs={jobs} now={now} />
              <Sessions sessions={sessions} now={now} />
            </>
          )
        }
      </Loaded>
    </section>
  )
}

/** Maximum series in the chart; the rest are summed as the last series. */
const maxSeries = 5

const seriesOf = (
  months: ReadonlyArray<string>,
  lines: ReadonlyArray<{ readonly month: string; readonly name: string; readonly credits: number }>
): ReadonlyArray<Series> => {
  const byName = new Map<string, Map<string, number>>()
  for (const { credits, month, name } of lines) {
    const own = byName.get(name) ?? new Map<string, number>()
    byName.set(name, own.set(month, (own.get(month) ?? 0) + credits))
  }
  const all = [...byName].map(([name, own]) => {
    const values = months.map((month) => own.get(month) ?? 0)
    return { name, values, total: values.reduce((sum, value) => sum + value, 0) }
  })
  const sorted = all.sort((a, b) => b.total - a.total)
  if (sorted.length <= maxSeries + 1) return sorted
  const rest = sorted.slice(maxSeries)
  const values = months.map((_, index) => rest.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  const name = `${rest.length} others`
  return [...sorted.slice(0, maxSeries), { name, values, total: values.reduce((sum, value) => sum + value, 0) }]
}

const CreditsTable = ({
  months,
  series
}: {
  readonly months: ReadonlyArray<string>
  readonly series: ReadonlyArray<Series>
}) => (
  <Table label="Credits as a table" class="figures" columns={["Month", ...series.map(({ name }) => name), "Total"]}>
    {months.map((month, index) => (
      <tr key={month}>
        <th scope="row">{month}</th>
        {series.map(({ name, values }) => (
          <td key={name}>{values[index] === 0 ? <span class="none">0</span> : count(values[index] ?? 0)}</td>
        ))}
        <td>
          <b>{count(series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))}</b>
        </td>
      </tr>
    ))}
  </Table>
)

const sides = [
  ["pipeline", "By pipeline"],
  ["key", "By API key"]
] as const

const Body = ({ route, used }: { readonly used: Used; readonly route: Route }) => {
  const by = route.query.get("by") === "key" ? "key" : "pipeline"
  const series = seriesOf(used.months, by === "key" ? (used.keys ?? []) : used.pipelines)
  const unpriced = used.pipelines.reduce((sum, line) => sum + line.unpriced, 0)
  const thisMonth = (at: number) => series.reduce((sum, { values }) => sum + (values.at(at) ?? 0), 0)
  return (
    <>
      <dl class="facts">
        <Fact name="credits this month">{count(thisMonth(-1))}</Fact>
        <Fact name="last month">{used.months.length > 1 ? count(thisMonth(-2)) : "—"}</Fact>
        {used.remaining !== undefined && <Fact name="remaining credits">{count(used.remaining)}</Fact>}
        {unpriced > 0 && <Fact name={`${unpriced === 1 ? "call" : "calls"} of unknown price`}>{count(unpriced)}</Fact>}
      </dl>
      {by === "key" && used.keys === null ? (
        <Empty title="No usage by API key">
          <p>{used.why}</p>
        </Empty>
      ) : series.length === 0 ? (
        <Empty title={`No credits used in ${many(used.months.length, "month")}`} />
      ) : (
        <>
          <section class="card">
            <h2>Credits by month</h2>
            <Chart months={used.months} series={series} />
          </section>
          <section class="card">
            <h2>Table</h2>
            <CreditsTable months={used.months} series={series} />
          </section>
        </>
      )}
    </>
  )
}

/** Numbers of months to choose from. */
const lengths = ["6", "12", "24", "36"]

export const Usage = ({ route }: { readonly route: Route }) => {
  const months = lengths.find((each) => each === route.query.get("months")) ?? "12"
  const by = route.query.get("by") === "key" ? "key" : "pipeline"
  const asked = useFetch<Used>(paths.usage, { months })
  return (
    <section class="screen">
      <div class="top">
        <h1>Usage</h1>
        <div class="filters">
          <Toggle label="Credits" value={by} sides={sides} choose={(side) => setQuery(route, { by: side })} />
          <Select
            label="Months"
            value={months}
            choices={lengths.map((each) => [each, `${each} months`])}
            choose={(chosen) => setQuery(route, { months: chosen })}
          />
        </div>
      </div>
      <Loaded asked={asked}>{(used) => <Body used={used} route={route} />}</Loaded>
    </section>
  )
}

interface Series {
  readonly name: string
  /** Values by month. */
  readonly values: ReadonlyArray<number>
  readonly total: number
}

const height = 240
const [top, right, bottom, left] = [12, 4, 26, 48]

/** Distance between the lines of the scale: 1, 2 or 5 times a power of ten, so that there are about four lines. */
const stepOf = (most: number): number => {
  const rough = most / 4
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)))
  return ([1, 2, 5, 10].find((each) => each * power >= rough) ?? 10) * power
}

const monthName = new Intl.DateTimeFormat("en", { month: "short", timeZone: "UTC" })
const labelOf = (month: string): string =>
  month.endsWith("-01") ? month.slice(0, 4) : monthName.format(new Date(`${month}-01T00:00:00Z`))

const Chart = ({
  months,
  series
}: {
  readonly months: ReadonlyArray<string>
  readonly series: ReadonlyArray<Series>
}) => {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(800)
  useLayoutEffect(() => {
    const element = place.current
    if (element === null) return
    const watcher = new ResizeObserver(() => setWidth(Math.max(280, element.clientWidth)))
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])

  const sums = months.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  const step = stepOf(Math.max(1, ...sums))
  const most = Math.max(step, Math.ceil(Math.max(...sums) / step) * step)
  const y = (value: number) => top + (height - top - bottom) * (1 - value / most)
  const slot = (width - left - right) / months.length
  const bar = Math.min(56, slot * 0.68)
  // Only every n-th month has a label, so that labels do not overlap.
  const every = Math.ceil(34 / slot)
  return (
    <div class="chart" ref={place}>
      <ul class="legend">
        {series.map(({ name, total }, index) => (
          <li key={name}>
            <i data-series={index} aria-hidden="true" /> {name} <b class="number">{count(total)}</b>
          </li>
        ))}
      </ul>
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label="Credits by month; the table below has the same figures"
      >
        {Array.from({ length: Math.round(most / step) + 1 }, (_, index) => index * step).map((value) => (
          <g key={value} class="scale">
            <line x1={left} x2={width - right} y1={y(value)} y2={y(value)} />
            <text x={left - 8} y={y(value) + 4}>
              {brief(value)}
            </text>
          </g>
        ))}
        {months.map((month, index) => {
          const x = left + slot * index + (slot - bar) / 2
          let sum = 0
          return (
            <g key={month} class="bar">
              <title>
                {[
                  month,
                  ...series
                    .filter(({ values }) => (values[index] ?? 0) > 0)
                    .map(({ name, values }) => `${name}: ${count(values[index] ?? 0)}`)
                ].join("\n")}
              </title>
              <rect class="slot" x={left + slot * index} y={top} width={slot} height={height - top - bottom} />
              {series.map(({ name, values }, number) => {
                const value = values[index] ?? 0
                sum += value
                return value > 0 ? (
                  <rect
                    key={name}
                    data-series={number}
                    x={x}
                    y={y(sum)}
                    width={bar}
                    height={Math.max(1, y(sum - value) - y(sum) - 1)}
                    rx="1.5"
                  />
                ) : null
              })}
              {(months.length - 1 - index) % every === 0 && (
                <text class="month" x={x + bar / 2} y={height - 8}>
                  {labelOf(month)}
                </text>
              )}
            </g>
          )
        })}
      </svg>
    </div>
  )
}
