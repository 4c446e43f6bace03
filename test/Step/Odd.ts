/** A service that answers as the test says, and the steps that are run against it. */
import * as Effect from "effect/Effect"
import type * as Run from "../../src/Run.ts"
import { documented, type PriceOf } from "../../src/Step/Cost.ts"
import type { Asked, Reply } from "../Client/Server.ts"
import { project } from "../Project.ts"

export const id = "7b6f3c1e-8f6b-4b1a-9d56-0123456789ab"

export const page = (url: string, extra: Record<string, unknown> = {}) => ({
  markdown: `# ${url}`,
  metadata: { sourceURL: url, statusCode: 200, ...extra }
})

type Json = Record<string, unknown>

/** Behaviour of a job of the service. */
export interface Job {
  readonly start?: ((asked: Asked) => Reply) | undefined
  readonly status?: ((number: number, base: string) => Json) | undefined
  /** The list of failed pages; absent when there is no such endpoint. */
  readonly errors?: Json | undefined
}

/** A service with one job. */
export const jobService = ({ start, status, errors }: Job) => {
  let looks = 0
  return (asked: Asked, base: string): Reply => {
    if (asked.method === "POST") return start?.(asked) ?? { body: { success: true, id, url: base } }
    if (asked.method === "DELETE") return { body: { success: true, status: "cancelled" } }
    if (asked.path.endsWith("/errors")) return errors === undefined ? { status: 404, body: "no" } : { body: errors }
    return { body: { success: true, status: "completed", total: 0, completed: 0, ...status?.(looks++, base) } }
  }
}

/** Runs steps that end in a JSONL file against a service; `frame` stands beside the steps. */
export const run = (
  reply: (asked: Asked, base: string) => Reply,
  steps: string,
  { dataDir, ...options }: Partial<Run.RunOptions> = {},
  frame = "",
  /** Price of a call, as far as the client knows it; default: the documented one. */
  rate: PriceOf = documented
) =>
  Effect.gen(function* () {
    // A state key of its own would be shared with the other tests.
    const sharesLedger = dataDir === undefined && options.id === undefined && frame === ""
    const here = yield* project({ dataDir, rate, sharesLedger, service: reply })
    const ended = yield* here.run(`${steps}\n  - write: { jsonl: rows.jsonl }\n`, { ...options, frame })
    return { ...ended, asked: here.asked }
  })
