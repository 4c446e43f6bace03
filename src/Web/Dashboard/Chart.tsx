/** Bars by month, one part for each series; the figures stand in the table beside it. */
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { brief, count } from "./Format.ts"

export interface Series {
  readonly name: string
  /** One for each month. */
  readonly values: ReadonlyArray<number>
  readonly total: number
}

const height = 240
const [top, right, bottom, left] = [12, 4, 26, 48]

/** The next of 1, 2, 5, 10 … that is a round step for so many lines. */
const stepOf = (most: number): number => {
  const rough = most / 4
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)))
  return ([1, 2, 5, 10].find((each) => each * power >= rough) ?? 10) * power
}

const monthName = new Intl.DateTimeFormat("en", { month: "short", timeZone: "UTC" })
const labelOf = (month: string): string =>
  month.endsWith("-01") ? month.slice(0, 4) : monthName.format(new Date(`${month}-01T00:00:00Z`))

export const Chart = ({
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
  // So many names fit.
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
        aria-label="Credits by month; the table below says the same"
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
