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

/** Lines for environment variables, hosts and files; outputs have lines of their own. */
const touched = ({ env, hosts, reads, secrets, uses }: Plan["touches"]): ReadonlyArray<readonly [string, string]> => {
  const line = (name: string, values: ReadonlyArray<string>) =>
    values.length === 0 ? [] : [[name, values.join(", ")] as const]
  return [
    ...line("env", env),
    ...line("secrets", secrets),
    ...line(
      "hosts",
      hosts.map((host) => (host === "*" ? "the hosts that rows and search results name" : host))
    ),
    ...line("reads", reads.map(place)),
    ...line("touches", uses)
  ]
}

export const facts = (
  plan: Plan,
  { account, file, now, service, unmet }: Surroundings
): ReadonlyArray<readonly [string, string]> => {
  const { budget, lastRun, outputs, schedule, state, steps, touches } = plan
  const held = steps.flatMap(({ held, id }): ReadonlyArray<readonly [string, string]> => {
    if (held === undefined || held.of === 0) return []
    const newest = held.newest === undefined ? "" : `, the newest ${ago(held.newest, now)}`
    return [
      ["seen", `${id}: ${number(held.known)} of ${number(held.of)} known${newest}, ${number(held.of - held.known)} new`]
    ]
  })
  const usual = steps.flatMap(({ id, nouns, operation, usual }): ReadonlyArray<readonly [string, string]> => {
    if (usual === undefined) return []
    const { fetched, pages, runs } = usual
    const last = runs === 1 ? "the last run" : `the last ${runs} runs`
    if (operation === undefined)
      return [["calls", `${id}: about ${count(pages, nouns?.page ?? "page")}, as in ${last}`]]
    return [
      [
        "changes",
        `${id}: about ${number(fetched)} of ${count(pages, "page")}, as in ${last}; pages that have not changed cost nothing`
      ]
    ]
  })
  const entries = state?.entries === undefined ? "" : `, ${count(state.entries, "entry", "entries")}`
  const advanced = state?.advanced === undefined ? "" : `, last updated ${ago(state.advanced, now)}`
  const prices = new Set(steps.flatMap(({ purchases }) => purchases.map(({ rate }) => rate?.basis)))
  const undocumented = steps.filter(({ operation }) => operation?.documented === false && service !== "local")
  return [
    ...unmet.map(({ message, optional }) => [optional ? "less" : "cannot", message] as const),
    ["total", totalOf(plan)],
    ...[...new Set(steps.flatMap(({ note }) => note ?? []))].map((note) => ["", note] as const),
    ...(prices.has("local") ? [["", "the local engine counts credits and charges nothing"] as const] : []),
    ...(prices.has("earlier") ? [["", "≈ prices of earlier runs"] as const] : []),
    ...(undocumented.length === 0
      ? []
      : [
          [
            "*",
            `not in the service's documentation: ${[...new Set(undocumented.map(({ operation }) => operation?.request))].join(", ")}`
          ] as const
        ]),
    ...steps.flatMap(({ id, pin }) =>
      pin === undefined
        ? []
        : [
            [
              "pin",
              `${id}: ${pin.file} ${pinned[pin.is]}${pin.is === "held" ? "" : `: \`sluice pin ${file}\``}`
            ] as const
          ]
    ),
    ...(budget?.limits ?? []).map((reach) => ["budget", reached(reach, budget?.per ?? "run")] as const),
    ...(account === undefined ? [] : [["account", account] as const]),
    ...held,
    ...usual,
    ...(state === undefined
      ? []
      : [
          [
            "state",
            `${state.key ?? "its key depends on the run"}${entries}${advanced}${state.active ? "" : "; with --limit, the state is neither read nor changed"}`
          ] as const
        ]),
    ...outputs.map(({ exists, mode, path }) => {
      const there = exists === undefined ? "" : exists ? ", exists" : ", new"
      return ["output", `${place(path)} (${mode}${there})`] as const
    }),
    ...touched(touches),
    ...(schedule === undefined
      ? []
      : [
          [
            "schedule",
            `${schedule.next.map((each) => localTime(each, schedule.timezone)).join(", ")} (${schedule.timezone}), while sluice schedule runs`
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
