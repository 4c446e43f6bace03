/**
 * Plan of a run: its steps, requests and price, the files that it will write, and existing files at their paths, as far as this machine can
 * tell without a request.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Json } from "../Row.ts"
import { below, perRun, placeholdersOf } from "../Sink/Destination.ts"
import { isPerPage, type PriceOf } from "../Step/Cost.ts"
import * as Counts from "../Step/Estimate.ts"
import type { Destination } from "../Step/Output.ts"
import { type Any, operationOf } from "../Step.ts"
import { type Checked, type CheckOptions, scopeBefore, stateKey } from "./Check.ts"
import { shown } from "./Display.ts"
import { open, type Scope, settle } from "./Interpolate.ts"
import { decode, type Node } from "./Node.ts"
import * as Pin from "./Pin.ts"
import { type Price, type Purchase, pagePriceOf, type Reach, reach, total } from "./Plan/Price.ts"
import { type Resources, resourcesOf } from "./Resources.ts"
import { nextScheduledTimes } from "./Schedule.ts"

export interface PlannedStep {
  readonly id: string
  readonly key: string
  /** Ids of the steps whose rows the step reads, and of those that it waits for. */
  readonly inputs: ReadonlyArray<string>
  readonly after: ReadonlyArray<string>
  /** The step's fields on one line. */
  readonly does: string
  /** False if the step has `when: false`. */
  readonly runs: boolean
  /** Undefined for a step that calls no service. */
  readonly operation: Counts.Operation | undefined
  /** Words for the step's requests and pages, if it uses its own. */
  readonly nouns?: Any["nouns"]
  /** A sentence about the step's price, or about the memory and disk space it uses. */
  readonly note?: string | undefined
  /** False for a step whose output is a value. */
  readonly givesRows: boolean
  readonly requests: Counts.Count
  readonly pages: Counts.Count
  readonly rows: Counts.Count
  readonly purchases: ReadonlyArray<Purchase>
  readonly price: Price
  /** Rows of a source that earlier runs have already read. */
  readonly held?: (Held & { readonly of: number }) | undefined
  /** Pages that earlier runs had to read, or calls that they had to make; undefined if there is nothing useful to report. */
  readonly usual?: UsualPages | undefined
  readonly pin?: { readonly file: string; readonly is: Pin.Standing["is"] } | undefined
}

export interface Plan {
  readonly name: string
  readonly steps: ReadonlyArray<PlannedStep>
  readonly requests: Counts.Count
  readonly pages: Counts.Count
  readonly price: Price
  /** Ids of the steps with an unknown price. */
  readonly unpriced: ReadonlyArray<string>
  readonly budget: { readonly per: "run" | "day"; readonly limits: ReadonlyArray<Reach> } | undefined
  /** The key is undefined if it depends on the run; `active` is false if the run neither reads nor updates the state. */
  readonly state: (Partial<StateSize> & { readonly key: string | undefined; readonly active: boolean }) | undefined
  readonly outputs: ReadonlyArray<PlannedOutput>
  readonly touches: Resources
  /** `next`: milliseconds since 1970. */
  readonly schedule: { readonly timezone: string; readonly next: ReadonlyArray<number> } | undefined
  readonly lastRun: LastRun | undefined
}

/** The last run of the same pipeline. */
export interface LastRun {
  readonly id: string
  readonly status: string
  /** Milliseconds since 1970, as are the other times of this interface. */
  readonly startedAt: number
  readonly endedAt?: number | undefined
  readonly rows: number
  readonly rejects: number
  readonly credits: number
  /** Calls for which the service reported no price. */
  readonly unpriced: number
}

/** Pages of a source that earlier runs have already read. */
export interface Held {
  readonly known: number
  /** When the newest of these pages was read. */
  readonly newest?: number | undefined
}

/** Median numbers of pages in the last runs. */
export interface UsualPages {
  readonly pages: number
  /** Pages that were transferred and paid for; the others had not changed. */
  readonly fetched: number
  /** Number of runs that the medians are taken from. */
  readonly runs: number
}

export interface StateSize {
  readonly entries: number
  /** When a run last updated the state. */
  readonly advanced?: number | undefined
}

/** Queries on earlier runs; `E`: error if the ledger cannot be read. */
export interface Earlier<E> {
  readonly lastRun: (pipeline: string) => Effect.Effect<LastRun | undefined, E>
  readonly spentSince: (pipeline: string, since: number) => Effect.Effect<number, E>
  readonly state: (key: string) => Effect.Effect<StateSize, E>
  /** State of a step under the state key. */
  readonly entries: (key: string, step: string) => Effect.Effect<ReadonlyMap<string, Json>, E>
  /** Looks pages up by `$key`; undefined if there are too many. */
  readonly held: (keys: ReadonlyArray<string>) => Effect.Effect<Held | undefined, E>
  /** Pages that a step reads. With `changes`, undefined until a run has found an unchanged page. */
  readonly usualPages: (
    pipeline: string,
    step: string,
    options: { readonly changes: boolean }
  ) => Effect.Effect<UsualPages | undefined, E>
  /** Average price of a step's page, if known. */
  readonly pagePrice: (pipeline: string, step: string) => Effect.Effect<number | undefined, E>
}

/** Answers to the queries if there are no earlier runs. */
export const nothing: Earlier<never> = {
  lastRun: () => Effect.succeed(undefined),
  spentSince: () => Effect.succeed(0),
  state: () => Effect.succeed({ entries: 0 }),
  entries: () => Effect.succeed(new Map()),
  held: () => Effect.succeed({ known: 0 }),
  usualPages: () => Effect.succeed(undefined),
  pagePrice: () => Effect.succeed(undefined)
}

export interface PlanOptions<E> extends Pick<CheckOptions, "env" | "secrets"> {
  /** Value of `--limit`. */
  readonly wanted: number | undefined
  /** Folder for relative outputs. */
  readonly out: string
  readonly tariff: PriceOf
  /** Maximum pages of a crawl without its own limit, if the service is known to have a maximum. */
  readonly crawlLimit: number | undefined
  readonly earlier: Earlier<E>
}

type Files = FileSystem.FileSystem | Path.Path

/** Purchases of a step. Estimates an unknown price by what earlier runs paid per page. */
const purchasesOf = <E>(name: string, { id }: Node, { buys }: Counts.Estimate, { earlier, tariff }: PlanOptions<E>) =>
  Effect.forEach(
    buys.filter(({ amount }) => amount.most !== 0),
    ({ amount, good }) =>
      Effect.gen(function* (): Effect.fn.Return<Purchase, E> {
        const rate = tariff(good)
        if (rate !== undefined || !isPerPage(good)) return { good, amount, rate }
        const credits = yield* earlier.pagePrice(name, id)
        return { good, amount, rate: credits === undefined ? undefined : { credits, basis: "earlier" } }
      })
  )

/** Rows of a listing that earlier runs have already read. */
const heldOf = <E>({ keys, left }: Partial<Counts.Listing> = {}, earlier: Earlier<E>) =>
  Effect.gen(function* (): Effect.fn.Return<PlannedStep["held"], E> {
    if (left !== undefined) return { known: left.seen, of: left.of }
    const held = keys === undefined ? undefined : yield* earlier.held(keys)
    return held === undefined ? undefined : { ...held, of: new Set(keys).size }
  })

/** Default estimate, for a step without its own. */
const usualEstimate = ({ behaviour }: Any, callsService: boolean) => {
  switch (behaviour.kind) {
    case "source":
      return callsService ? Counts.requestPerRead : Counts.listedRows
    case "item":
      return callsService ? Counts.pagePerRow : Counts.asManyRows
    case "sink":
      return Counts.sameRows
    case "value":
      return callsService ? Counts.oneRequest : () => ({ ...Counts.idle, rows: Counts.none })
    default:
      return callsService ? Counts.requestPerRow : Counts.anyRows
  }
}

/** Facts known before the first step is planned. */
interface Known<E> {
  readonly checked: Checked
  readonly options: PlanOptions<E>
  /** The state key; `open` if it is known only during the run. */
  readonly key: string | typeof open | undefined
  readonly size: StateSize | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** A planned step, with the facts that later steps need: its rows, and its answer if a lock file has it. */
interface PlannedNode {
  readonly step: PlannedStep
  readonly estimate: Counts.Estimate
  readonly output: PlannedOutput | undefined
  readonly answer: unknown
}

type Input = Pick<Counts.Estimate, "rows" | "keys">

/** The rows that a step reads; merges those of several steps. */
const mergedOf = (inputs: ReadonlyArray<Input>): Input | undefined => {
  if (inputs.length < 2) return inputs[0]
  const keys = inputs.every((each) => each.keys !== undefined) ? inputs.flatMap((each) => each.keys ?? []) : undefined
  return { rows: Counts.sum(inputs.map(({ rows }) => rows)), keys }
}

/** Plans one step; `above` are the rows it reads. */
const planNode = <E>(
  node: Node,
  above: Input | undefined,
  scope: Scope,
  { checked, key, now, options, size }: Known<E>
) =>
  Effect.gen(function* (): Effect.fn.Return<PlannedNode, E, Files> {
    const { frame, inputs, source } = checked
    const { earlier, wanted } = options
    const decoded = yield* decode(node, scope)
    // Resolve as much as possible: only values that depend on the run are `open`.
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
    const listing = isSource
      ? yield* Effect.orElseSucceed(
          node.step.list?.(config, { folder: source.folder, wanted, memory }) ?? Effect.succeed(undefined),
          () => undefined
        )
      : undefined
    const fields = config === open ? undefined : config
    const operation = runs ? operationOf(node.step, fields) : undefined
    const given: Counts.Given = {
      config,
      cost: node.step.cost?.(fields, isSource ? wanted : undefined) ?? [],
      rows,
      keys: above?.keys,
      times: isSource && node.inputs.length > 0 ? rows : Counts.exactly(1),
      listing,
      wanted: isSource ? wanted : undefined,
      pinned: pinned !== undefined,
      crawlLimit: options.crawlLimit,
      remembered: size?.entries ?? 0
    }
    const estimate: Counts.Estimate = runs
      ? (node.step.estimate ?? usualEstimate(node.step, operation !== undefined))(given)
      : { ...Counts.idle, rows: isSource ? Counts.none : rows }
    const purchases = yield* purchasesOf(frame.name, node, estimate, options)
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
      operation,
      nouns: node.step.nouns,
      note: runs ? (estimate.note ?? node.step.note) : undefined,
      givesRows: node.step.behaviour.kind !== "value",
      requests: estimate.requests,
      pages: estimate.pages,
      rows: estimate.rows,
      purchases,
      price: total(purchases),
      held: runs ? yield* heldOf(listing, earlier) : undefined,
      usual:
        runs &&
        (operation !== undefined || estimate.requests.least !== estimate.requests.most) &&
        estimate.pages.most !== 0
          ? yield* earlier.usualPages(frame.name, node.id, { changes: operation !== undefined })
          : undefined,
      pin: pinned === undefined || standing === undefined ? undefined : { file: pinned.pin, is: standing.is }
    }
    return { step, estimate, output, answer: standing?.is === "held" ? standing.lock.answer : undefined }
  })

/** Plans a checked definition. Reads files and the ledger; sends no requests. */
export const plan = <E>(checked: Checked, options: PlanOptions<E>): Effect.Effect<Plan, E, Files> =>
  Effect.gen(function* () {
    const { frame, nodes } = checked
    const { earlier, wanted } = options
    const now = yield* Clock.currentTimeMillis
    const today = Math.floor(now / 86_400_000) * 86_400_000
    let scope: Scope = scopeBefore(checked, options)
    const key = yield* Effect.orElseSucceed(stateKey(checked, { ...options, run: scope.run }), () => undefined)
    const size = typeof key === "string" ? yield* earlier.state(key) : undefined
    const estimates = new Map<string, Counts.Estimate>()
    const steps: Array<PlannedStep> = []
    const outputs: Array<PlannedOutput> = []
    for (const node of nodes) {
      const above = mergedOf(node.inputs.flatMap((id) => estimates.get(id) ?? []))
      const { answer, estimate, output, step } = yield* planNode(node, above, scope, {
        checked,
        key,
        now,
        options,
        size
      })
      estimates.set(node.id, estimate)
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
    const requests = Counts.sum(steps.map((step) => step.requests))
    const spent = {
      price,
      pagePrice: pagePriceOf(purchases),
      pages,
      requests,
      rows: Counts.sum(ends.map(({ id }) => estimates.get(id)?.rows ?? Counts.none))
    }
    const usedToday = budget?.per === "day" ? yield* earlier.spentSince(frame.name, today) : 0
    return {
      name: frame.name,
      steps,
      requests,
      pages,
      price,
      unpriced: steps.filter((step) => step.purchases.some(({ rate }) => rate === undefined)).map(({ id }) => id),
      budget: budget === undefined ? undefined : { per: budget.per, limits: reach(budget, usedToday, spent) },
      state:
        key === undefined ? undefined : { ...size, key: key === open ? undefined : key, active: wanted === undefined },
      outputs,
      touches: yield* resourcesOf(checked, options),
      schedule:
        schedule === undefined
          ? undefined
          : { timezone: schedule.timezone, next: nextScheduledTimes(schedule, now, 3) },
      lastRun: yield* earlier.lastRun(frame.name)
    }
  })

export interface PlannedOutput {
  readonly step: string
  readonly format: string
  readonly mode: string
  /** Absolute path, with placeholders like `{name}` for values known only to the run or a row. */
  readonly path: string
  /** True if a file exists at the path; undefined if its name is not known yet. */
  readonly exists: boolean | undefined
}

/** The file of a sink; undefined if its path is not known. */
export const outputOf = (
  step: string,
  output: Destination | undefined,
  { date, isTrial, out }: { readonly out: string; readonly date: string; readonly isTrial: boolean }
): Effect.Effect<PlannedOutput | undefined, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    if (output === undefined) return undefined
    const { format, mode, partitions, path: written } = output
    if (written === "-") return { step, format, mode: "stream", path: "-", exists: false }
    const named = mode === "perRun" ? perRun(written) : written
    const template = isTrial ? below(named) : named
    const filled = partitions.includes("date") ? template : template.replaceAll("{date}", date)
    const path = (yield* Path.Path).resolve(out, filled)
    const exists =
      placeholdersOf(filled).length > 0
        ? undefined
        : yield* Effect.orElseSucceed((yield* FileSystem.FileSystem).exists(path), () => false)
    return { step, format, mode, path, exists }
  })
