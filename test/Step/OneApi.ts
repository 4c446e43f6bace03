/** The step `request` against a server on this machine. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schedule from "effect/Schedule"
import * as Outbound from "../../src/Client/Outbound.ts"
import { isSafe, RetryPolicy } from "../../src/Client/Retry.ts"
import { type Asked, type Reply, serve } from "../Client/Server.ts"
import { jsonLines, type Options, project, type Setup, stepLine } from "../Project.ts"

/** Reaches this machine, as with `SLUICE_ALLOW_NETWORKS=127.0.0.0/8`. */
export const here = Outbound.layer({ allowNetworks: ["127.0.0.0/8"] })

export interface Call {
  /** Fields of the step, except for `url`; a path is below the server. */
  readonly fields?: Readonly<Record<string, unknown>>
  readonly path?: string
  /** Rows that the step is run for (`each: true`). */
  readonly each?: ReadonlyArray<unknown>
  /** Common keys of the step, as YAML below it. */
  readonly more?: string
  readonly options?: Options
  readonly setup?: Setup
}

/** Runs a request to its end: rows, rejects, the failure of the run, and what the server was asked. */
export const ask = (reply: (asked: Asked, base: string) => Reply | undefined, call: Call = {}) =>
  Effect.gen(function* () {
    const { each, fields = {}, more = "", options = {}, path = "/items", setup = {} } = call
    const server = yield* serve((asked, { url }) => reply(asked, url))
    const project_ = yield* project({ sharesLedger: options.id === undefined, ...setup })
    const url = { url: `${server.url}${path}` }
    if (each !== undefined) project_.write("in.jsonl", jsonLines(each))
    const source = each === undefined ? "" : "  - read: in.jsonl\n"
    const step = stepLine("request", { ...url, ...fields })
    const steps = `${source}  - id: api\n    ${step.slice(4)}${each === undefined ? "" : "    each: true\n"}${more}`
    const ended = yield* project_
      .run(steps, options)
      .pipe(Effect.provide(here), Effect.provideService(RetryPolicy, { schedule: Schedule.recurs(2), when: isSafe }))
    return {
      ...ended,
      url: server.url,
      data: ended.emitted("api").map(({ data }) => data),
      asked: server.asked.map(({ method, path }) => `${method} ${path}`),
      received: server.asked,
      failure: Either.isLeft(ended.outcome) ? ended.outcome.left : undefined
    }
  })
