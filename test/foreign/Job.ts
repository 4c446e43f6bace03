/** Pipelines of `inputs/jobs`, run by the command line in a copy of their folder. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { sluice } from "../Cli/Console.ts"
import { type Case, copyOf } from "./Case.ts"

export interface JobCase extends Case {
  /** Folder under `inputs/jobs`. */
  readonly input: string
  /** Definition in the folder; default: `p.yaml`. */
  readonly run?: string
  /** Files to write into the copy before the run: of this test, or in place of those of the folder. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** True where the definition has functions. */
  readonly allowsCode?: boolean
  /** Expected exit code; default: 0. */
  readonly code?: number
  /** Expected content of outputs. */
  readonly out?: Readonly<Record<string, string>>
  /** Patterns that standard error matches. */
  readonly says?: ReadonlyArray<RegExp>
  /** Patterns that standard error does not match. */
  readonly silent?: ReadonlyArray<RegExp>
}

/** A definition with these steps. */
export const definition = (steps: string): string =>
  `version: 1\nname: own\nsteps:\n${steps.replace(/^/gm, "  ").trimEnd()}\n`

/** Runs a definition of a folder; gives the exit code, what it wrote, and a reader of files. */
export const runIn = (folder: string, file = "p.yaml", ...words: ReadonlyArray<string>) =>
  Effect.map(
    sluice(["run", join(folder, file), "--data", join(folder, "data"), "--out", folder, ...words], { cwd: folder }),
    (ended) => ({
      ...ended,
      read: (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : undefined)
    })
  )

export const runJob = ({ allowsCode = false, files = {}, input, run }: JobCase) =>
  Effect.gen(function* () {
    const folder = yield* copyOf(`jobs/${input}`)
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
    return yield* runIn(folder, run, ...(allowsCode ? ["--allow-code"] : []))
  })
