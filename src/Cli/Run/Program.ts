/** Reads, checks and runs a pipeline. */
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { check } from "../../Pipeline/Check.ts"
import { read } from "../../Pipeline/Source.ts"
import { WrongUsage } from "../Errors.ts"
import * as Folder from "../Folder.ts"
import * as Profile from "../Profile.ts"
import type { RunParameters } from "../Run.ts"
import { scopeOf } from "../Scope.ts"
import type { Terminal } from "../Terminal.ts"
import { perform, printing } from "./Perform.ts"

export const program = (options: RunParameters, terminal: Terminal) =>
  printing(options, terminal, (print) =>
    Effect.gen(function* () {
      if (options.on !== "cluster" && (options.detach || options["shard-rows"] !== undefined)) {
        const flag = options.detach ? "--detach" : "--shard-rows"
        return yield* new WrongUsage({
          reason: `${flag} is for runs on many machines: say --on cluster, or leave it out`
        })
      }
      const paths = yield* Path.Path
      const settings = yield* Profile.read(terminal.env, options.profile)
      const source = yield* read(options.file)
      const checked = yield* check(source, { ...scopeOf(terminal.env), inputs: options.input, complete: true })
      const dataDir = paths.resolve(options.data ?? settings.dataDir)
      const isOwn = options.out === undefined && options.limit !== undefined
      const out = isOwn ? undefined : paths.resolve(options.out ?? ".")
      if (out !== undefined) yield* Folder.require(out, "Name a folder that you may write to with --out")
      if (options.on === "cluster") {
        // Few want what runs on many machines need.
        const Cluster = yield* Effect.promise(() => import("./Cluster.ts"))
        return yield* Cluster.perform(
          {
            checked,
            settings,
            out,
            limit: options.limit,
            backfill: options.backfill,
            allowCode: options["allow-code"],
            shardRows: options["shard-rows"],
            detach: options.detach
          },
          terminal,
          print
        )
      }
      yield* perform(
        {
          checked,
          settings,
          dataDir,
          out,
          limit: options.limit,
          backfill: options.backfill,
          allowCode: options["allow-code"],
          quiet: options.quiet
        },
        terminal,
        print
      )
    }).pipe(Effect.scoped)
  )
