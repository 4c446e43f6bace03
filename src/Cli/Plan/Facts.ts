/** Facts of a plan that are not about single steps: totals, prices, budgets, state, outputs. */

import type { Unmet } from "../../Pipeline/Issue.ts"
import type { Price, Purchase, Reach } from "../../Pipeline/Plan/Price.ts"
import type { Plan, PlannedStep } from "../../Pipeline/Plan.ts"
import { unitOf } from "../../Step/Cost.ts"
import type { Count } from "../../Step/Estimate.ts"
import { bytes, count, duration, place } from "../Format.ts"

/** What the facts of a plan are computed from, besides the plan itself. */
export interface Surroundings {
  readonly file: string
  /** Host of the service, or `local`. */
  readonly service: string
  readonly now: number
  /** Result of `--probe`: the state of the account, in words. */
  readonly account: string | undefined
  /** Capabilities that the service lacks, or has only in part. */
  readonly unmet: ReadonlyArray<Unmet>
}

const ago = (time: number, now: number): string => {
  const days = Math.floor((now - time) / 86_400_000)
  return days >= 2 ? `${days} days ago` : `${duration(Math.max(0, now - time))} ago`
}

/** Time such as `2026-03-29 02:30 UTC`, in the given zone. */
const localTime = (millis: number, timeZone: string): string => {
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
    ? `${parts.join(", ")}; ${least}the number of paid pages is unknown`
    : `${parts.join(", ")}, ${credits(price, purchases)} credits`
}

const pinned: Readonly<Record<NonNullable<PlannedStep["pin"]>["is"], string>> = {
  held: "fits",
  missing: "is missing",
  stale: "was made for another request",
  broken: "cannot be used"
}

type Line = readonly [name: string, text: string]

/** A line, unless there is nothing to say. */
const line = (name: string, text: string | undefined): ReadonlyArray<Line> =>
  text === undefined || text === "" ? [] : [[name, text]]

/** Lines for environment variables, hosts and files; outputs have lines of their own. */
const touched = ({ env, hosts, reads, secrets, uses }: Plan["touches"]): ReadonlyArray<Line> => {
  const named = hosts.map((host) => (host === "*" ? "the hosts that rows and search results name" : host))
  return [
    ...line("env", env.join(", ")),
    ...line("secrets", secrets.join(", ")),
    ...line("hosts", named.join(", ")),
    ...line("reads", reads.map(place).join(", ")),
    ...line("touches", uses.join(", "))
  ]
}

/** How many rows of a step are known from earlier runs. */
const seen = ({ held, id }: PlannedStep, now: number): ReadonlyArray<Line> => {
  if (held === undefined || held.of === 0) return []
  const newest = held.newest === undefined ? "" : `, the newest ${ago(held.newest, now)}`
  return line(
    "seen",
    `${id}: ${number(held.known)} of ${number(held.of)} known${newest}, ${number(held.of - held.known)} new`
  )
}

/** Usage of a step in earlier runs. */
const usualOf = ({ id, nouns, operation, usual }: PlannedStep): ReadonlyArray<Line> => {
  if (usual === undefined) return []
  const { fetched, pages, runs } = usual
  const as = `as in ${runs === 1 ? "the last run" : `the last ${runs} runs`}`
  return operation === undefined
    ? line("calls", `${id}: about ${count(pages, nouns?.page ?? "page")}, ${as}`)
    : line(
        "changes",
        `${id}: about ${number(fetched)} of ${count(pages, "page")}, ${as}; pages that have not changed cost nothing`
      )
}

const stateOf = ({ state }: Plan, now: number): string | undefined => {
  if (state === undefined) return undefined
  const entries = state.entries === undefined ? "" : `, ${count(state.entries, "entry", "entries")}`
  const advanced = state.advanced === undefined ? "" : `, last updated ${ago(state.advanced, now)}`
  const idle = state.active ? "" : "; with --limit, the state is neither read nor changed"
  return `${state.key ?? "its key depends on the run"}${entries}${advanced}${idle}`
}

const lastRunOf = ({ lastRun }: Plan, now: number): string => {
  if (lastRun === undefined) return "none"
  const { credits, endedAt, id, rows, startedAt, status, unpriced } = lastRun
  const spent = unpriced > 0 && credits === 0 ? "credits unknown" : count(credits, "credit")
  return `${id}, ${status} ${ago(endedAt ?? startedAt, now)}: ${count(rows, "row")}, ${spent}`
}

export const facts = (plan: Plan, { account, file, now, service, unmet }: Surroundings): ReadonlyArray<Line> => {
  const { budget, outputs, schedule, steps, touches } = plan
  const prices = new Set(steps.flatMap(({ purchases }) => purchases.map(({ rate }) => rate?.basis)))
  const undocumented = steps.filter(({ operation }) => operation?.documented === false && service !== "local")
  const requests = [...new Set(undocumented.map(({ operation }) => operation?.request))].join(", ")
  return [
    ...unmet.flatMap(({ message, optional }) => line(optional ? "less" : "cannot", message)),
    ...line("total", totalOf(plan)),
    ...[...new Set(steps.flatMap(({ note }) => note ?? []))].flatMap((note) => line("", note)),
    ...(prices.has("local") ? line("", "the local engine counts credits and charges nothing") : []),
    ...(prices.has("earlier") ? line("", "≈ prices of earlier runs") : []),
    ...(undocumented.length === 0 ? [] : line("*", `not in the service's documentation: ${requests}`)),
    ...steps.flatMap(({ id, pin }) => {
      if (pin === undefined) return []
      const todo = pin.is === "held" ? "" : `: \`sluice pin ${file}\``
      return line("pin", `${id}: ${pin.file} ${pinned[pin.is]}${todo}`)
    }),
    ...(budget?.limits ?? []).flatMap((reach) => line("budget", reached(reach, budget?.per ?? "run"))),
    ...line("account", account),
    ...steps.flatMap((step) => seen(step, now)),
    ...steps.flatMap(usualOf),
    ...line("state", stateOf(plan, now)),
    ...outputs.flatMap(({ exists, mode, path }) => {
      const there = exists === undefined ? "" : exists ? ", exists" : ", new"
      return line("output", `${place(path)} (${mode}${there})`)
    }),
    ...touched(touches),
    ...line(
      "schedule",
      schedule &&
        `${schedule.next.map((each) => localTime(each, schedule.timezone)).join(", ")} (${schedule.timezone}), while sluice schedule runs`
    ),
    ...line("last run", lastRunOf(plan, now))
  ]
}

export const number = (value: number): string => Number(value.toFixed(2)).toLocaleString("en-US")

/** Count such as `38`, `≤ 500`, `10–20`, `≥ 1` or `?`. */
export const amount = ({ least, most }: Count): string => {
  if (most === undefined) return least === 0 ? "?" : `≥ ${number(least)}`
  if (least === most) return number(most)
  return least === 0 ? `≤ ${number(most)}` : `${number(least)}–${number(most)}`
}

export const counted = (value: Count, noun: string): string =>
  `${amount(value)} ${noun}${(value.most ?? value.least) === 1 ? "" : "s"}`

/** Credits as far as they are known; never 0 for an unknown price. */
export const credits = (price: Price, purchases: ReadonlyArray<Purchase>): string => {
  if (purchases.length === 0) return ""
  if (purchases.some(({ rate }) => rate === undefined)) return price.least > 0 ? `≥ ${number(price.least)}` : "unknown"
  const about = purchases.some(({ rate }) => rate?.basis === "earlier") ? "≈ " : ""
  const [only] = purchases
  if (price.most === undefined && purchases.length === 1 && only?.rate !== undefined) {
    return `${about}${number(only.rate.credits)} a ${unitOf(only.good)}`
  }
  return `${about}${amount(price)}`
}
