/** Screen of the usage: credits by month, per pipeline or per API key, as a chart and as a table. */

import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { useFetch } from "./Api.ts"
import { Empty, Fact, Loaded, Scroll, TableHead, Toggle } from "./Components.tsx"
import { brief, count, many } from "./Format.ts"
import { paths, type Usage as Used } from "./Protocol.ts"
import { type Route, setQuery } from "./Route.ts"

/** Series in the chart; all others are added up as the last one. */
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

const Table = ({
  months,
  series
}: {
  readonly months: ReadonlyArray<string>
  readonly series: ReadonlyArray<Series>
}) => (
  <Scroll label="Credits as a table">
    <table class="figures">
      <TableHead columns={["Month", ...series.map(({ name }) => name), "Total"]} />
      <tbody>
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
      </tbody>
    </table>
  </Scroll>
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
            <Table months={used.months} series={series} />
          </section>
        </>
      )}
    </>
  )
}

export const Usage = ({ route }: { readonly route: Route }) => {
  const months = ["6", "12", "24", "36"].find((each) => each === route.query.get("months")) ?? "12"
  const by = route.query.get("by") === "key" ? "key" : "pipeline"
  const asked = useFetch<Used>(paths.usage, { months })
  return (
    <section class="screen">
      <div class="top">
        <h1>Usage</h1>
        <div class="filters">
          <Toggle label="Credits" value={by} sides={sides} choose={(side) => setQuery(route, { by: side })} />
          <label>
            <span class="unseen">Months</span>
            <select value={months} onChange={(event) => setQuery(route, { months: event.currentTarget.value })}>
              {["6", "12", "24", "36"].map((each) => (
                <option key={each} value={each}>
                  {each} months
                </option>
              ))}
            </select>
          </label>
        </div>
      </div>
      <Loaded asked={asked}>{(used) => <Body used={used} route={route} />}</Loaded>
    </section>
  )
}

interface Series {
  readonly name: string
  /** By month. */
  readonly values: ReadonlyArray<number>
  readonly total: number
}

const height = 240
const [top, right, bottom, left] = [12, 4, 26, 48]

/** Step of the scale: 1, 2 or 5 times a power of ten, for about four lines. */
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
  // Months per label.
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
