/** Plan of a run: its steps, requests and price, as far as this machine can know them without a request. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Checked, type CheckOptions, scopeBefore } from "./Check.ts"
import { open, type Scope, settle } from "./Interpolate.ts"
import { decode, type Node } from "./Node.ts"
import * as Pin from "./Pin.ts"
import * as Counts from "./Plan/Count.ts"
import type { Earlier, Held, LastRun, StateSize } from "./Plan/Earlier.ts"
import { type Listing, list } from "./Plan/Listing.ts"
import { outputOf, type PlannedOutput } from "./Plan/Outputs.ts"
import { type Price, type Purchase, type Tariff, total } from "./Plan/Price.ts"
import { shown } from "./Plan/Shown.ts"
import { type Reach, reach } from "./Plan/Spending.ts"
import { type Operation, type Work, workOf } from "./Plan/Work.ts"
import { nextInstants } from "./Schedule.ts"
import { stateKey } from "./StateKey.ts"
import { type Touches, touchesOf } from "./Touches.ts"

export interface PlannedStep {
  readonly id: string
  readonly key: string
  /** The steps whose rows it reads, and those that it waits for. */
  readonly inputs: ReadonlyArray<string>
  readonly after: ReadonlyArray<string>
  /** Its fields in one line. */
  readonly does: string
  /** False with `when: false`. */
  readonly runs: boolean
  /** Undefined for what is done here. */
  readonly operation: Operation | undefined
  readonly requests: Counts.Count
  readonly pages: Counts.Count
  /** Rows that it gives. */
  readonly rows: Counts.Count
  readonly purchases: ReadonlyArray<Purchase>
  readonly price: Price
  /** What earlier runs have of the rows that a source will give. */
  readonly held?: (Held & { readonly of: number }) | undefined
  readonly pin?: { readonly file: string; readonly is: Pin.Standing["is"] } | undefined
}

export interface Plan {
  readonly name: string
  readonly steps: ReadonlyArray<PlannedStep>
  readonly requests: Counts.Count
  readonly pages: Counts.Count
  readonly price: Price
  /** Steps of unknown price. */
  readonly unpriced: ReadonlyArray<string>
  readonly budget: { readonly per: "run" | "day"; readonly limits: ReadonlyArray<Reach> } | undefined
  /** Without a key when that hangs on the run; `active` is false where the run neither reads nor advances it. */
  readonly state: (Partial<StateSize> & { readonly key: string | undefined; readonly active: boolean }) | undefined
  readonly outputs: ReadonlyArray<PlannedOutput>
  readonly touches: Touches
  /** Milliseconds since 1970. */
  readonly schedule: { readonly timezone: string; readonly next: ReadonlyArray<number> } | undefined
  readonly lastRun: LastRun | undefined
}

export interface PlanOptions<E> extends Pick<CheckOptions, "env" | "secrets"> {
  /** `--limit`. */
  readonly wanted: number | undefined
  /** The folder that relative outputs are under. */
  readonly out: string
  readonly tariff: Tariff
  /** Most pages of a crawl that says no limit, where the service is known to have one. */
  readonly crawlLimit: number | undefined
  readonly earlier: Earlier<E>
}

type Files = FileSystem.FileSystem | Path.Path

/** Unknown prices are estimated from what earlier runs have paid. */
const purchasesOf = <E>(name: string, { id }: Node, { buys }: Work, { earlier, tariff }: PlanOptions<E>) =>
  Effect.forEach(
    buys.filter(({ amount }) => amount.most !== 0),
    ({ amount, good }) =>
      Effect.gen(function* (): Effect.fn.Return<Purchase, E> {
        const told = tariff(good)
        if (told !== undefined || /^(search|map|crawlPreview)/.test(good)) return { good, amount, rate: told }
        const credits = yield* earlier.pagePrice(name, id)
        return { good, amount, rate: credits === undefined ? undefined : { credits, basis: "earlier" } }
      })
  )

/** What earlier runs have of what a source lists. */
const heldOf = <E>({ keys, left }: Partial<Listing> = {}, earlier: Earlier<E>) =>
  Effect.gen(function* (): Effect.fn.Return<PlannedStep["held"], E> {
    if (left !== undefined) return { known: left.seen, of: left.of }
    const held = keys === undefined ? undefined : yield* earlier.held(keys)
    return held === undefined ? undefined : { ...held, of: new Set(keys).size }
  })

/** Credits of a page, when all that costs something are pages of one price. */
const pagePriceOf = (purchases: ReadonlyArray<Purchase>): number | undefined => {
  const rates = new Set(purchases.map(({ good, rate }) => (/^search|map/.test(good) ? undefined : rate?.credits)))
  return rates.size === 1 ? [...rates][0] : undefined
}

/** What is known before the first step is looked at. */
interface Known<E> {
  readonly checked: Checked
  readonly options: PlanOptions<E>
  /** Of the state; `open` when it hangs on the run. */
  readonly key: string | typeof open | undefined
  readonly size: StateSize | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** A step with what hangs on it: its rows for the steps below, its file, and its answer where that is in a lock file. */
interface PlannedNode {
  readonly step: PlannedStep
  readonly work: Work
  readonly output: PlannedOutput | undefined
  readonly answer: unknown
}

/** The rows that a step reads: of one step, or of all where branches merge. */
const mergedOf = (works: ReadonlyArray<Work>): Pick<Work, "rows" | "keys"> | undefined => {
  if (works.length < 2) return works[0]
  const keys = works.every((work) => work.keys !== undefined) ? works.flatMap((work) => work.keys ?? []) : undefined
  return { rows: Counts.sum(works.map(({ rows }) => rows)), keys }
}

/** Looks at one step; `above` is the work of the one whose rows it reads. */
const planNode = <E>(
  node: Node,
  above: Pick<Work, "rows" | "keys"> | undefined,
  scope: Scope,
  { checked, key, now, options, size }: Known<E>
) =>
  Effect.gen(function* (): Effect.fn.Return<PlannedNode, E, Files> {
    const { frame, inputs, source } = checked
    const { earlier, wanted } = options
    const decoded = yield* decode(node, scope)
    // What hangs on the run stands in the fields as `open`; the rest of them is known all the same.
    const written = Effect.map(settle(scope, node.config, []), ({ value }) => value)
    const config = Either.isLeft(decoded) || decoded.right.config === open ? yield* written : decoded.right.config
    const runs = Either.isLeft(decoded) || decoded.right.common.when !== false
    const isSource = node.step.behaviour.kind === "source"
    const rows = above?.rows ?? Counts.none
    const pinned = yield* Pin.questionOf(node, scope)
    const standing =
      pinned === undefined
        ? undefined
        : yield* Pin.fileOf(checked, pinned.pin).pipe(
            Effect.flatMap((file) => Pin.inspect(file, pinned.question)),
            Effect.catchAll(({ message }) => Effect.succeed<Pin.Standing>({ is: "broken", reason: message }))
          )
    const remembers = typeof key === "string" && wanted === undefined && checked.remembering.includes(node.id)
    const memory = isSource && remembers ? yield* earlier.entries(key, node.id) : undefined
    const listing: Listing | undefined = isSource
      ? yield* list(node.step.key, config, { folder: source.folder, wanted, memory })
      : undefined
    const passed: Work = { requests: Counts.none, pages: Counts.none, rows: isSource ? Counts.none : rows, buys: [] }
    const work = runs
      ? workOf(node.step.key, {
          config,
          cost: node.step.cost?.(config === open ? undefined : config, isSource ? wanted : undefined) ?? [],
          rows,
          keys: above?.keys,
          times: isSource && node.inputs.length > 0 ? rows : Counts.exactly(1),
          listing,
          wanted: isSource ? wanted : undefined,
          pinned: pinned !== undefined,
          crawlLimit: options.crawlLimit,
          remembered: size?.entries ?? 0
        })
      : passed
    const purchases = yield* purchasesOf(frame.name, node, work, options)
    const output =
      runs && node.step.behaviour.kind === "sink"
        ? yield* outputOf(node.id, node.step.behaviour.destination(config), {
            out: options.out,
            date: new Date(now).toISOString().slice(0, 10),
            isTrial: wanted !== undefined
          })
        : undefined
    const step: PlannedStep = {
      id: node.id,
      key: node.step.key,
      inputs: node.inputs,
      after: node.after,
      does: yield* shown({ ...scope, inputs }, node.config),
      runs,
      operation: work.operation,
      requests: work.requests,
      pages: work.pages,
      rows: work.rows,
      purchases,
      price: total(purchases),
      held: runs ? yield* heldOf(listing, earlier) : undefined,
      pin: pinned === undefined || standing === undefined ? undefined : { file: pinned.pin, is: standing.is }
    }
    return { step, work, output, answer: standing?.is === "held" ? standing.lock.answer : undefined }
  })

/** Plans a checked definition. Reads files and the ledger, and nothing beyond this machine. */
export const plan = <E>(checked: Checked, options: PlanOptions<E>): Effect.Effect<Plan, E, Files> =>
  Effect.gen(function* () {
    const { frame, nodes } = checked
    const { earlier, wanted } = options
    const now = yield* Clock.currentTimeMillis
    const today = Math.floor(now / 86_400_000) * 86_400_000
    let scope: Scope = scopeBefore(checked, options)
    const key = yield* Effect.orElseSucceed(stateKey(checked, { ...options, run: scope.run }), () => undefined)
    const size = typeof key === "string" ? yield* earlier.state(key) : undefined
    const works = new Map<string, Work>()
    const steps: Array<PlannedStep> = []
    const outputs: Array<PlannedOutput> = []
    for (const node of nodes) {
      const above = mergedOf(node.inputs.flatMap((id) => works.get(id) ?? []))
      const { answer, output, step, work } = yield* planNode(node, above, scope, { checked, key, now, options, size })
      works.set(node.id, work)
      steps.push(step)
      if (output !== undefined) outputs.push(output)
      if (answer !== undefined) scope = { ...scope, steps: { ...scope.steps, [node.id]: { output: answer } } }
    }

    const purchases = steps.flatMap((step) => step.purchases)
    const price = total(purchases)
    const pages = Counts.sum(steps.map((step) => step.pages))
    const ends = nodes.filter(
      ({ id, step }) => step.behaviour.kind !== "value" && !nodes.some(({ inputs }) => inputs.includes(id))
    )
    const { budget, schedule } = frame
    const spent = {
      price,
      pagePrice: pagePriceOf(purchases),
      pages,
      rows: Counts.sum(ends.map(({ id }) => works.get(id)?.rows ?? Counts.none))
    }
    const usedToday = budget?.per === "day" ? yield* earlier.spentSince(frame.name, today) : 0
    return {
      name: frame.name,
      steps,
      requests: Counts.sum(steps.map((step) => step.requests)),
      pages,
      price,
      unpriced: steps.filter((step) => step.purchases.some(({ rate }) => rate === undefined)).map(({ id }) => id),
      budget: budget === undefined ? undefined : { per: budget.per, limits: reach(budget, usedToday, spent) },
      state:
        key === undefined ? undefined : { ...size, key: key === open ? undefined : key, active: wanted === undefined },
      outputs,
      touches: yield* touchesOf(checked, options),
      schedule:
        schedule === undefined ? undefined : { timezone: schedule.timezone, next: nextInstants(schedule, now, 3) },
      lastRun: yield* earlier.lastRun(frame.name)
    }
  })
