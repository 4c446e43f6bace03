/** Schema of a definition without the fields of its steps: the frame (its own keys, like `budget`), and the keys common to all steps. */
import * as Schema from "effect/Schema"
import { optional as key } from "../Api/Field.ts"
import { DurationText, Rate } from "../Row/Amount.ts"
import { SizeText } from "../Row/Size.ts"
import { PipelineHealth } from "../Sink/HealthRules.ts"
import { Login } from "../Step/Login.ts"
import type * as Step from "../Step.ts"
import { Notify, Schedule } from "./Schedule.ts"

const Whole = Schema.Int.pipe(Schema.positive()).annotations({ description: "a whole number of 1 or more" })

export const limits = ["credits", "pages", "calls", "rows", "bytes", "duration"] as const

/** Limits of a run, which stops cleanly at the first one reached. `bytes`: total size of all outputs. */
export const Budget = Schema.Struct({
  credits: key(Schema.Number.pipe(Schema.positive()), "Credits that a run, or all runs of a day, may spend."),
  pages: key(Whole, "Pages that a run may pay for; each call of `request` counts as one, too."),
  calls: key(
    Whole,
    "Calls of services and APIs that a run may make: each page of `request`, each call of `scrape`, `parse`, `search` and the like, and each start of a crawl or a batch. A call that is repeated by `retry` counts once."
  ),
  rows: key(Whole, "Rows that a run may write."),
  bytes: key(SizeText, "Bytes that a run may write, in all outputs together."),
  duration: key(DurationText, "How long a run may take."),
  per: Schema.optionalWith(Schema.Literal("run", "day"), { default: () => "run" as const }).annotations({
    description: "run: each run has the budget for itself. day: all runs of a day (UTC) share its credits."
  }),
  onReached: Schema.optionalWith(Schema.Literal("stop", "publish"), { default: () => "stop" as const }).annotations({
    description:
      "stop: the outputs are not published, and the run can be resumed. publish: the outputs with all rows that were paid for are published, and the next run does the rest."
  })
}).pipe(
  Schema.filter((budget) => {
    if (limits.every((limit) => budget[limit] === undefined))
      return `sets no limit: set at least one of ${limits.join(", ")}`
    if (budget.per === "run") return true
    if (budget.credits === undefined) {
      return { path: ["per"], message: "a budget per day counts only credits: set credits, or leave per out" }
    }
    const other = limits.find((limit) => limit !== "credits" && budget[limit] !== undefined)
    return (
      other === undefined || {
        path: [other],
        message: `a budget per day counts only credits, not ${other}: leave ${other} or per out`
      }
    )
  })
)
export type Budget = typeof Budget.Type

const Name = Schema.String.pipe(Schema.pattern(/^[a-zA-Z][\w-]{0,63}$/)).annotations({
  description: "a name of letters, digits, - and _, beginning with a letter"
})

/** An input of a pipeline: type, default and description. */
export const Input = Schema.Struct({
  type: Schema.propertySignature(
    Schema.Literal("string", "integer", "number", "boolean", "url", "path").annotations({
      description: "string, integer, number, boolean, url or path"
    })
  ).annotations({ description: "Type of its values." }),
  description: Schema.optional(Schema.String).annotations({
    description: "Explains the input to users of the pipeline."
  }),
  default: Schema.optional(Schema.Union(Schema.String, Schema.Number, Schema.Boolean)).annotations({
    description: "Value when none is given. An input without a default is required."
  }),
  enum: Schema.optional(Schema.Array(Schema.Union(Schema.String, Schema.Number))).annotations({
    description: "Allowed values."
  }),
  minimum: key(Schema.Number, "Smallest number that is allowed."),
  maximum: key(Schema.Number, "Largest number that is allowed."),
  maxLength: Schema.optional(Schema.Int).annotations({ description: "Maximum number of characters of a string." })
})
export type Input = typeof Input.Type

const Percentage = Schema.String.pipe(Schema.pattern(/^\d{1,3}(\.\d+)?%$/)).annotations({
  description: "a share like 5%"
})

/** Schema of `onError`: what happens to rows that fail. */
export const OnError = Schema.Union(
  Schema.Literal("reject", "keep", "drop", "fail"),
  Schema.Struct({
    reject: Schema.propertySignature(Schema.Literal(true)).annotations({
      description: "Sends failed rows to the reject file, as `onError: reject` does."
    }),
    stopAfter: Schema.optional(Schema.Union(Schema.Int.pipe(Schema.positive()), Percentage)).annotations({
      description:
        "Ends the run at this number of failed rows, or when at least this share of the step's rows has failed; a share is checked from the hundredth row on, and at the end."
    })
  })
)
export type OnError = typeof OnError.Type

const isRange = (text: string): boolean => {
  const [first = "", last = ""] = text.split("-")
  return /^[1-5]\d\d$/.test(first) && /^[1-5]\d\d$/.test(last) && first <= last
}

/** A status code of a page, a class of status codes, or `blocked`. */
export const PageStatus = Schema.Union(
  Schema.Int.pipe(Schema.between(100, 599)),
  Schema.Literal("4xx", "5xx", "blocked"),
  Schema.String.pipe(Schema.filter(isRange))
).annotations({ description: "a status like 404, a range like 400-403, 4xx, 5xx or blocked" })
export type PageStatus = typeof PageStatus.Type

/** True if a list like `[404, 5xx]` contains the status. */
export const includesStatus = (named: ReadonlyArray<PageStatus>, status: number | "blocked"): boolean =>
  named.some((each) => {
    if (status === "blocked" || each === "blocked") return each === status
    if (typeof each === "number") return each === status
    const [first = "", last = first] = each.replace("xx", "00").split("-")
    return each.endsWith("xx") ? Math.floor(status / 100) === Number(each[0]) : status >= +first && status <= +last
  })

/** Default of `failOn`. */
export const defaultFailOn: ReadonlyArray<PageStatus> = [429, "5xx", "blocked"]

/** A cause in `retry.on`: a status code, a class of status codes, a timeout or a network error. */
export const RetryCause = Schema.Union(
  Schema.Int.pipe(Schema.between(400, 599)),
  Schema.Literal("4xx", "5xx", "429", "timeout", "network")
).annotations({ description: "a status like 503, or one of 429, 4xx, 5xx, timeout, network" })
export type RetryCause = typeof RetryCause.Type

/** Common keys: allowed for every step in addition to its own. */
export const commonFields = {
  id: key(Name, "Name of the step in other steps and in messages; its key by default."),
  when: key(
    Schema.Boolean.annotations({ description: "true or false, usually a ${{ … }}" }),
    "false skips the step: rows pass unchanged."
  ),
  from: key(
    Schema.Union(Name, Schema.Array(Name).pipe(Schema.minItems(1))).annotations({
      description: "the id of a step or an array of at least one id"
    }),
    "The step whose rows this step reads; without `from`, the step above. With an array, it reads the rows of all these steps as they arrive, and ends when all have ended."
  ),
  after: key(
    Schema.Union(Name, Schema.Array(Name)).annotations({ description: "the id of a step or an array of ids" }),
    "Starts a separate branch when these steps have ended."
  ),
  retry: key(
    Schema.Struct({
      times: key(Schema.Int.pipe(Schema.between(0, 20)), "Maximum number of retries for a row; 5 by default."),
      on: key(
        Schema.Array(RetryCause),
        "Causes that are retried; by default those that the service reports as retryable. A status also matches the status of a page: `scrape` and `parse` request that page again, and pay again, after the time that the site asks for with `Retry-After` (up to two minutes). `network` is a lost connection, to the service or from it to the site."
      ),
      retryBudget: key(
        Schema.Union(
          Schema.Literal(false),
          Schema.Struct({
            ratio: key(Percentage, "Retries as a share of the calls made so far; 10% by default."),
            minimum: key(
              Schema.Int.pipe(Schema.nonNegative()),
              "Retries that are always allowed, however few calls there were; 20 by default."
            )
          })
        ),
        "Limits how many calls may be retries. Set here, the budget of this step replaces the run's. A call beyond it fails with its error; false sets no limit."
      ),
      circuitBreaker: key(
        Schema.Union(
          Schema.Literal(false),
          Schema.Struct({
            failureThreshold: key(
              Schema.Int.pipe(Schema.positive()),
              "Failures in a row that open the circuit; 10 by default."
            ),
            resetTimeout: key(
              DurationText,
              "Wait before the first probe, doubled after each failed one up to five times as long; 2s by default."
            ),
            giveUpAfter: key(
              DurationText,
              "How long rows wait for the service before the run fails; 5m by default, and at most 30s for a service that has never answered."
            )
          })
        ),
        "Stops calling a failing service for a while. Set here, it replaces the run's circuit breaker for this step. While it is open, rows wait and one call at a time probes the service; false never opens it."
      )
    }),
    "Retries failed calls, with growing waits; `times` counts all retries of a row. Pages of a job (`crawl`, `batchScrape`) are not retried one by one: `sluice replay` does that, and `check` warns of statuses in `on` that never match there."
  ),
  concurrency: key(Schema.Int.pipe(Schema.between(1, 1000)), "Number of rows that are processed at once."),
  rate: key(Rate, "Maximum number of calls that start in a period."),
  timeout: key(
    DurationText,
    "Maximum time for one row, with all its attempts. Time in which the row waits for the budget or the circuit breaker does not count."
  ),
  failOn: key(
    Schema.Array(PageStatus),
    "Makes pages fail, for `onError` to handle: by HTTP status, or `blocked` for a bot check, a login wall or an error page that the site showed in place of the page. Default: `[429, 5xx, blocked]`; `[]` lets every page pass. Failed pages are charged, except for blocked pages of the local engine."
  ),
  onError: key(
    OnError,
    "What happens to a failed row: it goes to the reject file, is passed on unchanged, is dropped, or ends the run."
  ),
  each: key(
    Schema.Boolean,
    "true: runs the step once for each incoming row; its { expr: … } fields can read that row."
  ),
  pin: key(
    Schema.String.pipe(Schema.pattern(/[^/\\]\.lock\.json$/)).annotations({
      description: "a file name that ends in .lock.json, relative to the definition"
    }),
    "Reads the value from this file, which `sluice pin` writes, instead of calling the service."
  )
}
export const Common = Schema.Struct(commonFields)
export type Common = typeof Common.Type
export const commonKeys: ReadonlyArray<string> = Object.keys(commonFields)

/** State key: one printable line, because messages and names of exported files contain it. */
const StateKey = Schema.String.pipe(
  Schema.filter((text) => text.trim() === text && text !== "" && text.length <= 500 && !/\p{Cc}/u.test(text))
).annotations({
  description: "one line of 1 to 500 characters without space around them, like docs-watch/${{ inputs.site }}"
})

/** Settings of the state across runs. */
export const State = Schema.Struct({
  key: key(StateKey, "Pipelines with the same key share their state; without it, the key is the name of the pipeline."),
  forgetAfter: key(DurationText, "Removes entries that no run has seen for this long; without it, they stay.")
})
export type State = typeof State.Type

/** Priorities of a run on a cluster, highest first. */
export const priorities = ["high", "normal", "low"] as const
export type Priority = (typeof priorities)[number]

/** Keys of the frame that may contain `${{ }}`. Each is resolved from inputs and environment, then decoded separately. */
export const settledFields = {
  /** A folder of pages that is served on the loopback address while the pipeline runs: `${{ run.site }}`. */
  site: Schema.String,
  schedule: Schedule,
  state: State,
  budget: Budget,
  priority: Schema.Literal(...priorities).annotations({ description: "high, normal or low" }),
  notify: Notify,
  health: PipelineHealth,
  login: Login
}
export const settledKeys = [
  "site",
  "schedule",
  "state",
  "budget",
  "priority",
  "notify",
  "health",
  "login"
] as const satisfies ReadonlyArray<keyof typeof settledFields>

/** Path of a file with the project's own steps and sinks. */
export const ExtensionsFile = Schema.String.pipe(Schema.pattern(/\.[cm]?[jt]s$/)).annotations({
  description: "a .ts, .mts, .js or .mjs file, relative to the definition's folder"
})

const literalFields = {
  version: Schema.propertySignature(Schema.Literal(1)).annotations({
    description: "Version of the pipeline language."
  }),
  name: Schema.propertySignature(Name).annotations({
    description: "Identifies the pipeline in runs, schedules and state."
  }),
  description: Schema.optional(Schema.String).annotations({ description: "What the pipeline does, in a sentence." }),
  inputs: Schema.optional(Schema.Record({ key: Schema.String, value: Input })).annotations({
    description: "Values that a run is started with: `${{ inputs.NAME }}`."
  }),
  steps: Schema.propertySignature(
    Schema.NonEmptyArray(Schema.Unknown).annotations({ description: "an array of at least one step" })
  ).annotations({ description: "Steps in their order: each reads the rows of the step above it." })
}

export const frameFields = {
  ...literalFields,
  extensions: key(
    ExtensionsFile,
    "A file that exports steps of your own, made by `Step.make`, or sinks, made by `Sink.make`: a pipeline uses them like those of Sluice. It is code of the project, which runs only where code is allowed (`--allow-code`)."
  ),
  site: key(
    settledFields.site,
    "A folder of pages that is served on this machine while the pipeline runs: `${{ run.site }}`."
  ),
  schedule: key(settledFields.schedule, "When `sluice schedule` runs the pipeline, and how."),
  state: key(settledFields.state, "State across runs: what `dedupe: { across: runs }` and `files` remember."),
  budget: key(
    settledFields.budget,
    "Limits of a run: no call is made that could exceed them. A run that reaches a limit stops cleanly, with exit code 4."
  ),
  priority: key(
    settledFields.priority,
    "On a cluster, runs of a higher priority come first, also scheduled ones: high, normal (the default) or low. `--priority` overrides it. The priority has no effect on runs of one machine."
  ),
  notify: key(settledFields.notify, "Receivers of notifications about scheduled runs, such as failed ones."),
  health: key(
    settledFields.health,
    "How outputs are compared with those of the last good runs before they are published; `off` skips the comparison."
  ),
  login: key(
    settledFields.login,
    "Signs in once for the steps `crawl`, `batchScrape`, `scrape` and `request`: with a form, HTTP basic, a file of cookies, or code in a browser. A step with `login: false` does not use it."
  )
}
export const Frame = Schema.Struct(frameFields)
export interface Frame extends Schema.Schema.Type<typeof Frame> {}

const Later = Schema.optional(Schema.Unknown)

/** The frame before `${{ }}` is resolved: checks the keys, and leaves values that will be resolved for later. */
export const WrittenFrame = Schema.Struct({
  ...literalFields,
  extensions: Later,
  site: Later,
  schedule: Later,
  state: Later,
  budget: Later,
  priority: Later,
  notify: Later,
  health: Later,
  login: Later
}).annotations({ parseOptions: { errors: "all", onExcessProperty: "error" } })

type Behaviour = Step.Any["behaviour"]

/** Common keys without effect, by kind of step. `check` refuses them; types and reference omit them. */
export const ignoredByKind = {
  source: ["rate", "timeout", "pin"],
  item: ["each", "after", "pin"],
  transform: ["each", "after", "concurrency", "rate", "timeout", "pin"],
  sink: ["each", "after", "concurrency", "rate", "timeout", "pin"],
  value: ["from", "each", "after", "concurrency", "rate", "timeout", "onError"]
} as const satisfies Readonly<Record<Behaviour["kind"], ReadonlyArray<string>>>

/** Keys from {@link ignoredByKind} that do have an effect in transforms that process each row separately. */
export const perRowKeys = ["concurrency", "timeout"] as const

const isPerRowKey = (key: string): boolean => perRowKeys.some((each) => each === key)

/** Keys that have an effect only on steps whose rows are pages. */
export const forPages = ["failOn"] as const

/** Statuses of 400 and above that a service, or a proxy in front of it, may return for a poll. */
const ofServices: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 429])

/**
 * Causes in `retry.on` that can never occur on a step whose pages come from a job. The step only polls the job, which requests the
 * pages itself, so these are the statuses that no poll returns.
 */
export const ignoredCauses = (behaviour: Behaviour, on: ReadonlyArray<unknown>): ReadonlyArray<number> =>
  behaviour.kind === "item" || !("pages" in behaviour) || behaviour.pages !== true
    ? []
    : on.filter((cause) => typeof cause === "number").filter((cause) => cause < 500 && !ofServices.has(cause))

/** Common keys that never have an effect on a step, whatever its other keys are. */
export const ignoredKeys = (behaviour: Behaviour): ReadonlyArray<string> => {
  const hasPages = "pages" in behaviour && behaviour.pages === true
  const idle: ReadonlyArray<string> = [...ignoredByKind[behaviour.kind], ...(hasPages ? [] : forPages)]
  if (behaviour.kind === "sink") return [...idle, "retry"]
  if (behaviour.kind !== "transform") return idle
  const { calls, perRow } = behaviour
  const own: ReadonlyArray<string> = perRow === true ? idle.filter((key) => !isPerRowKey(key)) : idle
  return calls === true ? own : [...own, "retry"]
}
