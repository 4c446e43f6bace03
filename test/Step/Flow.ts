/** Steps as a whole run over the client of the test. */
import * as Effect from "effect/Effect"
import type { Client } from "../../src/Client.ts"
import type * as Run from "../../src/Run.ts"
import { project, type Rows } from "../Project.ts"

export type { Rows }

/** Runs steps that end in a JSONL file, in a folder with these files; gives its rows. */
export const runSteps = (
  steps: string,
  options: Partial<Run.RunOptions> = {},
  files: Readonly<Record<string, string>> = {
    "leaf.html": "<title>Leaf</title><h1>Leaf</h1><p>A leaf of text.</p>",
    "list.txt": "# two\nhttp://127.0.0.1:1/x\n\nhttp://127.0.0.1:1/y\n"
  }
) =>
  Effect.gen(function* () {
    const { run } = yield* project({ client: yield* Effect.context<Client>(), files, sharesLedger: true })
    const { outcome, progress, rejects, rows } = yield* run(`${steps}\n  - write: { jsonl: rows.jsonl }\n`, options)
    return { summary: yield* outcome, rows, rejects, progress }
  })
