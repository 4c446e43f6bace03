/** The pipelines that run on time: whether their definitions are right, somebody runs them, and the last instants went well. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { defaultFolder } from "../Schedule/Names.ts"
import { isBad } from "../Schedule/News.ts"
import * as Standing from "../Schedule/Standing.ts"
import type { Terminal } from "../Terminal.ts"
import { count, place } from "../Words.ts"
import { type Finding, missing, ok, warned } from "./Finding.ts"

const name = "schedule"

/** Nothing is said where nothing is scheduled. */
export const look = (
  options: { readonly data?: string | undefined; readonly profile?: string | undefined },
  terminal: Terminal,
  folder: string = defaultFolder
): Effect.Effect<ReadonlyArray<Finding>, never, Standing.Needs> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    if (!(yield* Effect.orElseSucceed(files.exists(folder), () => false))) return []
    const { broken, entries, isServed } = yield* Standing.of(folder, options, terminal)
    if (entries.length === 0) return []
    const amount = `${count(entries.length, "pipeline")} of ${place(folder)}`
    const bad = entries.filter(({ last }) => last !== undefined && isBad(last.status)).map((entry) => entry.name)
    if (broken.length > 0) {
      const where = broken.map(({ file }) => place(file)).join(", ")
      return [warned(name, `${amount}; broken and not run: ${where}`, `sluice check ${where.replaceAll(",", "")}`)]
    }
    if (bad.length > 0) {
      return [
        warned(name, `${amount}; the last instant went wrong of ${bad.join(", ")}`, "sluice schedule list says why")
      ]
    }
    return isServed ? [ok(name, amount)] : [missing(name, `${amount}, and nobody runs them now`, "sluice schedule")]
  }).pipe(
    Effect.catchAll((error) =>
      Effect.succeed([warned(name, error.message.split("\n")[0] ?? "", "sluice schedule list shows more")])
    )
  )
