/** A plan as people read it. */
import type { Count } from "../../Pipeline/Plan/Count.ts"
import type { Price, Purchase } from "../../Pipeline/Plan/Price.ts"
import { unitOf } from "../../Pipeline/Plan/Price.ts"
import type { Reach } from "../../Pipeline/Plan/Spending.ts"
import type { Plan, PlannedStep } from "../../Pipeline/Plan.ts"
import { type Channel, type Paint, paint } from "../Terminal.ts"
import { bytes, count, duration, place } from "../Words.ts"
import { tree } from "./Tree.ts"

/** What surrounds a plan. */
export interface Surroundings {
  readonly file: string
  /** Host of the service, or `local`. */
  readonly service: string
  readonly now: number
  /** What `--probe` was told, in words. */
  readonly account: string | undefined
}

const number = (value: number): string => Number(value.toFixed(2)).toLocaleString("en-US")

/** `38`, `≤ 500`, `10–20`, `≥ 1`, `?`. */
const amount = ({ least, most }: Count): string => {
  if (most === undefined) return least === 0 ? "?" : `≥ ${number(least)}`
  if (least === most) return number(most)
  return least === 0 ? `≤ ${number(most)}` : `${number(least)}–${number(most)}`
}

const counted = (value: Count, noun: string): string => `${amount(value)} ${noun}${value.most === 1 ? "" : "s"}`

const asked = ({ key, operation, pages, requests }: PlannedStep): string => {
  if (operation === undefined || requests.most === 0) return ""
  if (pages.most === 0) return counted(requests, "request")
  if (requests.least === pages.least && requests.most === pages.most) {
    return counted(pages, key === "parse" ? "file" : "page")
  }
  const begun = key === "crawl" || key === "batchScrape" ? "job" : "request"
  return `${counted(requests, begun)}, ${counted(pages, "page")}`
}

/** Credits, as far as anybody can tell; never 0 for what is not known. */
const credits = (price: Price, purchases: ReadonlyArray<Purchase>): string => {
  if (purchases.length === 0) return ""
  if (purchases.some(({ rate }) => rate === undefined)) return price.least > 0 ? `≥ ${number(price.least)}` : "unknown"
  const about = purchases.some(({ rate }) => rate?.basis === "earlier") ? "≈ " : ""
  const [only] = purchases
  if (price.most === undefined && purchases.length === 1 && only?.rate !== undefined) {
    return `${about}${number(only.rate.credits)} a ${unitOf[only.good]}`
  }
  return `${about}${amount(price)}`
}

const cut = (text: string, width: number): string => (text.length <= width ? text : `${text.slice(0, width - 1)}…`)

/** How wide the table may be where nobody looks. */
const unseen = 120

const table = ({ steps }: Plan, { service }: Surroundings, channel: Channel, dye: Paint): ReadonlyArray<string> => {
  const head = ["step", "what", "where", "asks for", "rows", "credits"]
  const lines = tree(steps).map(({ stem, step }) => {
    const where =
      step.operation === undefined
        ? "here"
        : `${service}${step.operation.documented || service === "local" ? "" : " *"}`
    const own = step.id === step.key ? "" : `${step.key} `
    const what = step.runs ? `${own}${step.does}` : `${own}(left out by \`when\`)`
    const pin =
      step.pin === undefined ? "" : ` [${step.pin.is === "held" ? "pinned in" : `${step.pin.is}:`} ${step.pin.file}]`
    return [
      `${stem}${step.id}`,
      `${what}${pin}`,
      step.pin === undefined ? where : "here",
      asked(step),
      step.key === "crawlPreview" || step.key === "browser" ? "" : amount(step.rows),
      credits(step.price, step.purchases)
    ]
  })
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => (line[column] ?? "").length)))
  const others = widths.reduce((sum, width, column) => sum + (column === 1 ? 0 : width + 2), 2)
  const room = Math.max(24, (channel.interactive ? channel.columns() : unseen) - others)
  widths[1] = Math.min(widths[1] ?? room, room)
  const row = (line: ReadonlyArray<string>) =>
    line
      .map((cell, column) =>
        column === 4 ? cell.padStart(widths[column] ?? 0) : cut(cell, widths[column] ?? 0).padEnd(widths[column] ?? 0)
      )
      .join("  ")
      .trimEnd()
  return [dye.dim(`  ${row(head)}`), ...lines.map((line) => `  ${row(line)}`)]
}

const ago = (instant: number, now: number): string => {
  const days = Math.floor((now - instant) / 86_400_000)
  return days >= 2 ? `${days} days ago` : `${duration(Math.max(0, now - instant))} ago`
}

/** `2026-03-29 02:30 UTC`, in the zone that is named. */
const instant = (millis: number, timeZone: string): string => {
  const parts = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" }).format(millis)
  return parts.replace(/:00$/, "")
}

const limitOf = ({ allowed, limit }: Reach): string =>
  limit === "duration" ? duration(allowed) : limit === "bytes" ? bytes(allowed) : count(allowed, limit.slice(0, -1))

const reached = (reach: Reach, per: string): string => {
  const said = `${limitOf(reach)} ${per === "day" && reach.limit === "credits" ? "a day" : "a run"}`
  const used = reach.used === 0 ? "" : `, ${number(reach.used)} used today`
  if (reach.stops === "never") return `${said}${used}: enough for all of it`
  const { about, of } = reach.pages ?? {}
  const pages =
    about === undefined
      ? ""
      : ` after ${reach.limit === "pages" ? "" : "≈ "}${number(about)} of ${of === undefined ? "unknown many" : number(of)} pages`
  return reach.stops === "sure" || pages !== ""
    ? `${said}${used}: stops${pages}`
    : `${said}${used}: stops when they are used up`
}

const totalOf = (plan: Plan): string => {
  const { price, requests, pages, unpriced } = plan
  const parts = [counted(requests, "request"), ...(pages.most === 0 ? [] : [counted(pages, "page")])]
  const purchases = plan.steps.flatMap((step) => step.purchases)
  if (purchases.length === 0) return `${parts.join(", ")}, no credits`
  const least = price.least === 0 ? "" : `at least ${count(price.least, "credit")}, and `
  if (unpriced.length > 0) return `${parts.join(", ")}; ${least}the price of ${unpriced.join(", ")} is unknown`
  return price.most === undefined
    ? `${parts.join(", ")}; ${least}nobody can say how many pages will be paid for`
    : `${parts.join(", ")}, ${credits(price, purchases)} credits`
}

/** What follows the table, each under its name. */
const facts = (plan: Plan, { account, now, service }: Surroundings): ReadonlyArray<readonly [string, string]> => {
  const { budget, lastRun, outputs, schedule, state, steps } = plan
  const held = steps.flatMap(({ held, id }): ReadonlyArray<readonly [string, string]> => {
    if (held === undefined || held.of === 0) return []
    const newest = held.newest === undefined ? "" : `, the newest ${ago(held.newest, now)}`
    return [
      ["held", `${id}: ${number(held.known)} of ${number(held.of)} known${newest}, ${number(held.of - held.known)} new`]
    ]
  })
  const entries = state?.entries === undefined ? "" : `, ${count(state.entries, "entry", "entries")}`
  const advanced = state?.advanced === undefined ? "" : `, brought up to date ${ago(state.advanced, now)}`
  const prices = new Set(steps.flatMap(({ purchases }) => purchases.map(({ rate }) => rate?.basis)))
  const undocumented = steps.filter(({ operation }) => operation?.documented === false && service !== "local")
  return [
    ["total", totalOf(plan)],
    ...(steps.some(({ key }) => key === "batchStatus" || key === "crawlStatus")
      ? [["", "reading a job costs nothing; what the job has cost is counted by the run"] as const]
      : []),
    ...(prices.has("local") ? [["", "credits are counted by the local engine, and nobody is charged"] as const] : []),
    ...(prices.has("earlier") ? [["", "≈ is what earlier runs have paid"] as const] : []),
    ...(undocumented.length === 0
      ? []
      : [
          [
            "*",
            `not described by the service's documentation: ${[...new Set(undocumented.map(({ operation }) => operation?.request))].join(", ")}`
          ] as const
        ]),
    ...(budget?.limits ?? []).map((reach) => ["budget", reached(reach, budget?.per ?? "run")] as const),
    ...(account === undefined ? [] : [["account", account] as const]),
    ...held,
    ...(state === undefined
      ? []
      : [
          [
            "state",
            `${state.key ?? "its key hangs on the run"}${entries}${advanced}${state.active ? "" : "; neither read nor advanced with --limit"}`
          ] as const
        ]),
    ...outputs.map(({ exists, mode, path }) => {
      const there = exists === undefined ? "" : exists ? ", exists" : ", new"
      return ["output", `${place(path)} (${mode}${there})`] as const
    }),
    ...(schedule === undefined
      ? []
      : [
          [
            "schedule",
            `${schedule.next.map((each) => instant(each, schedule.timezone)).join(", ")} (${schedule.timezone}); this version starts nothing by itself`
          ] as const
        ]),
    [
      "last run",
      lastRun === undefined
        ? "none"
        : `${lastRun.id}, ${lastRun.status} ${ago(lastRun.endedAt ?? lastRun.startedAt, now)}: ${count(lastRun.rows, "row")}, ${lastRun.unpriced > 0 && lastRun.credits === 0 ? "credits unknown" : count(lastRun.credits, "credit")}`
    ]
  ]
}

export const text = (plan: Plan, surroundings: Surroundings, channel: Channel): string => {
  const dye = paint(channel)
  const all = facts(plan, surroundings)
  const width = Math.max(...all.map(([name]) => name.length))
  return [
    `${dye.bold(plan.name)}  ${dye.dim(surroundings.file)}`,
    "",
    ...table(plan, surroundings, channel, dye),
    "",
    ...all.map(([name, said], index) => {
      const isRepeated = index > 0 && all[index - 1]?.[0] === name
      return `  ${dye.dim((isRepeated ? "" : name).padEnd(width))}  ${said}`
    }),
    ""
  ].join("\n")
}
