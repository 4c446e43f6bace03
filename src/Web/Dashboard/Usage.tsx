/** What was used: credits by month, of pipelines as the ledger has them or of keys as the service has them. */
import { useAsk } from "./Ask.ts"
import { Chart, type Series } from "./Chart.tsx"
import { count, many } from "./Format.ts"
import type { Usage as Used } from "./Protocol/Usage.ts"
import { paths } from "./Protocol.ts"
import { narrow, type Route } from "./Route.ts"
import { Empty, Fact, Shown } from "./Shown.tsx"
import { Toggle, Wide } from "./Wide.tsx"

/** Series of their own; what is less stands together as the last one. */
const most = 5

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
  if (sorted.length <= most + 1) return sorted
  const rest = sorted.slice(most)
  const values = months.map((_, index) => rest.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  const name = `${rest.length} others`
  return [...sorted.slice(0, most), { name, values, total: values.reduce((sum, value) => sum + value, 0) }]
}

const Table = ({
  months,
  series
}: {
  readonly months: ReadonlyArray<string>
  readonly series: ReadonlyArray<Series>
}) => (
  <Wide label="Credits as a table">
    <table class="figures">
      <thead>
        <tr>
          <th scope="col">Month</th>
          {series.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          <th scope="col">Together</th>
        </tr>
      </thead>
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
  </Wide>
)

const sides = [
  ["pipeline", "By pipeline"],
  ["key", "By key"]
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
        <Fact name="the month before">{used.months.length > 1 ? count(thisMonth(-2)) : "—"}</Fact>
        {used.left !== undefined && <Fact name="left at the service">{count(used.left)}</Fact>}
        {unpriced > 0 && <Fact name={`${unpriced === 1 ? "call" : "calls"} of unknown price`}>{count(unpriced)}</Fact>}
      </dl>
      {by === "key" && used.keys === null ? (
        <Empty title="The service does not say what its keys have used">
          <p>{used.why}</p>
        </Empty>
      ) : series.length === 0 ? (
        <Empty title={`No credits were used in ${many(used.months.length, "month")}`} />
      ) : (
        <>
          <section class="card">
            <h2>Credits by month</h2>
            <Chart months={used.months} series={series} />
          </section>
          <section class="card">
            <h2>The same as a table</h2>
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
  const asked = useAsk<Used>(paths.usage, { months })
  return (
    <section class="screen">
      <div class="top">
        <h1>Usage</h1>
        <div class="filters">
          <Toggle label="Credits" value={by} sides={sides} choose={(side) => narrow(route, { by: side })} />
          <label>
            <span class="unseen">Months</span>
            <select value={months} onChange={(event) => narrow(route, { months: event.currentTarget.value })}>
              {["6", "12", "24", "36"].map((each) => (
                <option key={each} value={each}>
                  {each} months
                </option>
              ))}
            </select>
          </label>
        </div>
      </div>
      <Shown asked={asked}>{(used) => <Body used={used} route={route} />}</Shown>
    </section>
  )
}
