/** Charts of metrics with the range of their normal values (band): trends of runs, fill rates of fields, and the values behind verdicts. */
import { useFetch } from "./Api.ts"
import { Loaded, Table } from "./Components.tsx"
import { count, many, moment, percent } from "./Format.ts"
import { type Band, type FieldTrends, paths, type SinkTrends } from "./Protocol.ts"
import { to } from "./Route.ts"
import type { Comparison, RunDetail, RunHealth } from "./RunProtocol.ts"

export interface Point {
  readonly key: string
  readonly value: number
  readonly tone: string
  /** Tooltip of the point. */
  readonly title: string
}

interface ChartProps {
  /** Label for screen readers. */
  readonly label: string
  /** Points of the chart, oldest first. */
  readonly points: ReadonlyArray<Point>
  readonly band: Band | undefined
  /** Upper end of the scale; default: the largest value. */
  readonly most?: number | undefined
}

const sizes = { width: 300, height: 84, margin: 6 }

export const BandChart = ({ band, label, most: top, points }: ChartProps) => {
  const { height, margin, width } = sizes
  const most = top ?? Math.max(1e-9, band?.greatest ?? 0, ...points.map(({ value }) => value))
  const x = (index: number) => margin + ((width - 2 * margin) * (index + 0.5)) / Math.max(1, points.length)
  const y = (value: number) => height - margin - ((height - 2 * margin) * value) / most
  return (
    <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {band !== undefined && (
        <>
          <rect
            class="normal"
            x="0"
            y={y(band.greatest)}
            width={width}
            height={Math.max(1, y(band.least) - y(band.greatest))}
          />
          <line class="median" x1="0" x2={width} y1={y(band.median)} y2={y(band.median)} />
        </>
      )}
      <polyline points={points.map(({ value }, index) => `${x(index)},${y(value)}`).join(" ")} />
      {points.map(({ key, title, tone, value }, index) => (
        <circle key={key} cx={x(index)} cy={y(value)} r="3" data-tone={tone}>
          <title>{title}</title>
        </circle>
      ))}
    </svg>
  )
}

interface TrendProps extends ChartProps {
  readonly title: string
  readonly show: (value: number) => string
  /** Text shown as long as there are too few runs for a band. */
  readonly without: string
}

/** Chart of a metric over the runs, with its latest value and the band of its normal values. */
export const Trend = ({ show, title, without, ...chart }: TrendProps) => {
  const { band, points } = chart
  const last = points.at(-1)
  return (
    <figure class="trend">
      <figcaption>
        <b>{title}</b> <span class="number">{last === undefined ? "" : show(last.value)}</span>
        <small>{band === undefined ? without : `normal: ${show(band.least)} to ${show(band.greatest)}`}</small>
      </figcaption>
      <BandChart {...chart} />
    </figure>
  )
}

export const isNormal = (value: number, band: Band | undefined): boolean =>
  band === undefined || (value >= band.least && value <= band.greatest)

const FillRates = ({ trends: { count: total, fields, name: output, runs } }: { readonly trends: SinkTrends }) => (
  <section class="card">
    <h2>
      Fill rates{" "}
      <small>
        share of the rows of {output} in which a field has a value, over {many(runs.length, "run")}
      </small>
    </h2>
    <div class="trends small">
      {fields.map(({ band, fill, name }) => (
        <Trend
          key={name}
          title={name}
          show={percent}
          without="normal: from the sixth run on"
          label={`Fill rate of ${name} in the last ${many(runs.length, "run")}: ${percent(fill.at(-1) ?? 0)}`}
          most={1}
          band={band}
          points={runs.map(({ at, isPublished, run }, index) => {
            const value = fill[index] ?? 0
            return {
              key: run,
              value,
              tone: isNormal(value, band) ? "good" : isPublished ? "warn" : "bad",
              title: `${moment(at)}: ${percent(value)}${isPublished ? "" : ", not published"}`
            }
          })}
        />
      ))}
    </div>
    {total > fields.length && (
      <p class="dim">
        {count(fields.length)} of {count(total)} fields: those that vary the most.
      </p>
    )}
  </section>
)

/** Small multiples of the fill rates of all fields, by output. */
export const Fields = ({ pipeline }: { readonly pipeline: string }) => {
  const asked = useFetch<FieldTrends>(paths.fields, { pipeline })
  return (
    <Loaded asked={asked}>
      {({ sinks }) => (
        <>
          {sinks.map((trends) => (
            <FillRates key={trends.sink} trends={trends} />
          ))}
        </>
      )}
    </Loaded>
  )
}

const exact = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 4 })

type Kind<Name extends Comparison["kind"]> = Extract<Comparison, { readonly kind: Name }>

interface OfVerdict<Name extends Comparison["kind"]> {
  readonly comparison: Kind<Name>
  readonly tone: string
  /** Step, field and metric, which tell apart the tables of one run for screen readers. */
  readonly of: string
}

const History = ({ comparison: { got, good, greatest, least, unit }, tone }: OfVerdict<"history">) => {
  const show = unit === "share" ? percent : (value: number) => count(Math.round(value))
  const points = good.map(({ at, run, value }) => ({
    key: run,
    value,
    tone: "good",
    title: `${moment(at)}: ${show(value)}`
  }))
  const expected = least === greatest ? show(least) : `${show(least)} to ${show(greatest)}`
  return (
    <figure class="trend">
      <figcaption>
        <span>
          expected <b>{expected}</b>
        </span>{" "}
        <span data-tone={tone}>
          got <b>{show(got)}</b>
        </span>
      </figcaption>
      <BandChart
        label={`The good runs before had ${expected}, this run has ${show(got)}`}
        band={{ least, median: (least + greatest) / 2, greatest }}
        points={[...points, { key: "this run", value: got, tone, title: `this run: ${show(got)}` }]}
      />
      <small class="dim">{many(good.length, "good run")}, then this one</small>
    </figure>
  )
}

const Bar = ({ share, tone }: { readonly share: number; readonly tone: string }) => (
  <svg class="share" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <rect class="room" width="100" height="10" />
    <rect data-tone={tone} width={Math.max(0, Math.min(100, share * 100))} height="10" />
  </svg>
)

const Mix = ({ comparison: { parts }, of, tone }: OfVerdict<"mix">) => (
  <Table label={`Shares of ${of}, expected and actual`} class="mix" columns={["Kind", "Expected", "Got"]}>
    {parts.map(({ got, expected, name }) => (
      <tr key={name}>
        <th scope="row">{name}</th>
        <td>
          <Bar share={expected} tone="good" /> {percent(expected)}
        </td>
        <td>
          <Bar share={got} tone={tone} /> {percent(got)}
        </td>
      </tr>
    ))}
  </Table>
)

const quantileNames = ["smallest", "10 %", "median", "90 %", "largest"] as const

/** Box from the 10 % to the 90 % quantile, with the median, and a line between the extremes. */
const Box = ({ at, figures, tone, y }: BoxProps) => {
  const [least = 0, low = 0, middle = 0, high = 0, most = 0] = figures.map(at)
  return (
    <g class="box" data-tone={tone}>
      <line x1={least} x2={most} y1={y} y2={y} />
      <rect x={low} y={y - 8} width={Math.max(1, high - low)} height="16" rx="2" />
      <line class="middle" x1={middle} x2={middle} y1={y - 8} y2={y + 8} />
    </g>
  )
}

interface BoxProps {
  readonly figures: ReadonlyArray<number>
  /** Maps a value to its position. */
  readonly at: (value: number) => number
  readonly y: number
  readonly tone: string
}

const Quantiles = ({ comparison: { got, expected, unit }, of, tone }: OfVerdict<"quantiles">) => {
  // Unlike a logarithm, asinh also scales zero and negative numbers.
  const scaled = [...expected, ...got].map(Math.asinh)
  const [least, most] = [Math.min(...scaled), Math.max(...scaled)]
  const at = (value: number) => 8 + ((sizes.width - 16) * (Math.asinh(value) - least)) / Math.max(1e-9, most - least)
  return (
    <figure class="trend">
      <svg
        viewBox={`0 0 ${sizes.width} 64`}
        role="img"
        aria-label={`Distribution of the ${unit}s: expected above, actual below. The table has the figures`}
      >
        <Box figures={expected} at={at} y={18} tone="good" />
        <Box figures={got} at={at} y={46} tone={tone} />
      </svg>
      <Table label={`Quantiles of ${of}`} class="mix" columns={[unit, ...quantileNames]}>
        <tr>
          <th scope="row">expected</th>
          {expected.map((value, index) => (
            <td key={quantileNames[index]}>{exact.format(value)}</td>
          ))}
        </tr>
        <tr data-tone={tone}>
          <th scope="row">got</th>
          {got.map((value, index) => (
            <td key={quantileNames[index]}>{exact.format(value)}</td>
          ))}
        </tr>
      </Table>
    </figure>
  )
}

const Figures = ({
  comparison,
  ...rest
}: Omit<OfVerdict<"history">, "comparison"> & { readonly comparison: Comparison }) => {
  switch (comparison.kind) {
    case "history":
      return <History comparison={comparison} {...rest} />
    case "mix":
      return <Mix comparison={comparison} {...rest} />
    case "quantiles":
      return <Quantiles comparison={comparison} {...rest} />
  }
}

interface VerdictProps {
  readonly verdict: RunHealth["verdicts"][number]
  readonly run: RunDetail
}

const VerdictCard = ({ run: { written = [] }, verdict }: VerdictProps) => {
  const { comparison, field, isRule, level, metric, since, step, text } = verdict
  const tone = level === "broken" ? "bad" : "warn"
  const title =
    [written.find((each) => each.step === step)?.name ?? step, field]
      .filter((part) => part !== undefined)
      .join(" · ") || "The run"
  return (
    <article class="verdict" data-tone={tone}>
      <h3>
        {title} <small>{metric}</small>
      </h3>
      <p>
        <b class="level">{level}</b> {text}
        {since !== undefined && (
          <>
            {" "}
            <a href={to(["runs", since])}>Show that run</a>
          </>
        )}
      </p>
      {comparison === undefined ? (
        !isRule && <p class="dim">The good runs before it are no longer in the ledger, or too few.</p>
      ) : (
        <Figures comparison={comparison} tone={tone} of={`${title}, ${metric}`} />
      )}
    </article>
  )
}

/** Metrics of the outputs that differ from the earlier good runs, next to the values of those runs. */
export const Health = ({ run }: { readonly run: RunDetail }) => {
  const asked = useFetch<RunHealth>(run.verdicts.length === 0 ? undefined : paths.health, { id: run.id })
  if (run.verdicts.length === 0 && !run.isHeld) return null
  return (
    <section class="card health" data-tone={run.verdicts.some(({ level }) => level === "broken") ? "bad" : "warn"}>
      <h2>{run.isHeld ? "The outputs are held" : "The outputs differ from the runs before"}</h2>
      {run.isHeld && (
        <p>
          Nothing was published. Publish the outputs if they are right: they then become the new normal for later runs.
          Discard them if they are wrong: the next run reads the rows again.
        </p>
      )}
      {run.verdicts.length > 0 && (
        <Loaded asked={asked}>
          {({ verdicts }) => (
            <div class="verdicts">
              {verdicts.map((verdict) => (
                <VerdictCard key={verdict.text} verdict={verdict} run={run} />
              ))}
            </div>
          )}
        </Loaded>
      )}
    </section>
  )
}
