/** Protocol between the dashboard's pages and its server: JSON over HTTP, and one stream of server-sent events. */

/*
 * All answers are JSON in UTF-8, but for `/`, the files and `/api/events`. Instants are milliseconds since 1970. What is not
 * known is left out (undefined), unless null is said to mean something. A request that fails answers `Trouble` with 400
 * (asked wrongly), 401 (without the token: open the link that was printed once more), 403 (from another site), 404, 409 (not
 * as things stand), 413, 422 (a definition or its inputs are wrong), 503 (the ledger or the
 * service did not answer).
 *
 * Every request below `/api/` brings the token of the link in the header `sluice-token`.
 *
 * Whatever changes something is a POST with `content-type: application/json` (an empty body is `{}`), from the page's own
 * origin. Whatever begins a run may bring an `idempotency-key`: asked once more under the same key, for the same, it gives
 * the run that began at first.
 *
 * GET of a path that is none of these and has no dot in its last segment answers the page itself (`Page.ts`), so that the
 * pages may have addresses of their own: `/runs/20260314T093001-7c2ep2`. `/dashboard.js`, `/dashboard.css` and `/icon.svg`
 * are its files.
 *
 * Answers are described in `Protocol/*.ts`, each by what it is about.
 */

/** Brings the token of the link. */
export const tokenHeader = "sluice-token"

/** Names what is asked for, so that it is done once however often it is asked: 8 to 100 letters, digits, `_` and `-`. */
export const onceHeader = "idempotency-key"

/** Where things are; what begins with `:` is put in by `encodeURIComponent`. */
export const paths = {
  /** → `About` */
  about: "/api/about",
  /** `?pipeline=&state=&text=&group=&after=&limit=` → `RunList` */
  runs: "/api/runs",
  /** → `Names` of pipelines that have run, for the filter. */
  pipelines: "/api/pipelines",
  /** → `RunDetail` */
  run: "/api/runs/:id",
  /** → `Definition` as the run began with it. */
  definition: "/api/runs/:id/definition",
  /** `?after=` a position in bytes, → `Log` */
  log: "/api/runs/:id/log",
  /** `?step=&error=&text=&which=open|replayed|all&after=&limit=` → `RejectList` */
  rejects: "/api/runs/:id/rejects",
  /** `?after=&limit=` → `RunPages` */
  runPages: "/api/runs/:id/pages",
  /** `:number` of the run's `outputs`, `?rows=` (at most 200) → `Preview` */
  preview: "/api/runs/:id/outputs/:number",
  /** POST, `Again` → `Launched`: a new run with the open rejects of this one. */
  replay: "/api/runs/:id/replay",
  /** POST, `Again` → `Launched`: goes on with it, where `canResume`. */
  resume: "/api/runs/:id/resume",
  /** POST → `Done`: stops it in order, where `canStop`. */
  stop: "/api/runs/:id/stop",
  /** `?text=&after=&limit=` → `PageList` */
  pages: "/api/pages",
  /** `?key=&after=&limit=` → `PageVersions` */
  page: "/api/page",
  /** `?key=&from=RUN:NUMBER&to=RUN:NUMBER` → `PageDiff` */
  diff: "/api/page/diff",
  /** → `ScheduleList` */
  schedules: "/api/schedules",
  /** `?from=&to=&pipeline=`: instants, at most 62 days apart → `Calendar` */
  calendar: "/api/schedules/calendar",
  /** POST, `Pause` → `Done` */
  pause: "/api/schedules/:pipeline/pause",
  /** POST → `Done` */
  unpause: "/api/schedules/:pipeline/resume",
  /** `?months=` (12, at most 36) → `Usage` */
  usage: "/api/usage",
  /** → `EngineNow` */
  engine: "/api/engine",
  /** → `Definitions` that can be run from here. */
  definitions: "/api/definitions",
  /** POST, `Launch` → `Launched` */
  launch: "/api/launch",
  /** `?run=` one to be followed closely; `text/event-stream` of `Events`. */
  events: "/api/events"
} as const

/** Why a request failed, in words for people. */
export interface Trouble {
  readonly error: string
  /** Of a definition or of its inputs. */
  readonly mistakes?: ReadonlyArray<Mistake> | undefined
}

export interface Mistake {
  readonly message: string
  /** The input that it is about. */
  readonly input?: string | undefined
  readonly line?: number | undefined
  readonly column?: number | undefined
}

export interface Done {
  readonly done: true
}

export interface Names {
  readonly names: ReadonlyArray<string>
}

/** Where lists go on: given back as `after`; null at the end. */
export type Next = string | null

/** What a list gives at once: what is asked for, within these. */
export const page = { runs: 50, rejects: 50, pages: 50, versions: 100, most: 200 } as const
