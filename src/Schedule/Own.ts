/** A runner for programs that serve a schedule themselves: with the client, the ledger and the files of their own layers. */
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import type { Ledger } from "../Ledger.ts"
import * as LocalSite from "../Run/LocalSite.ts"
import { optionsOf, type ResolvedOptions } from "../Run/RunSpec.ts"
import * as Run from "../Run.ts"
import type { Services } from "../Step.ts"
import { frozen, load } from "./Read.ts"
import type { Runner, Task } from "./Runner.ts"

/** Where runs of a schedule write, and what they may read. */
export interface RunnerOptions extends Pick<ResolvedOptions, "allowCode" | "dataDir" | "env" | "out" | "secrets"> {
  /** Values for the inputs of those pipelines that declare them; they go before `schedule.inputs`. */
  readonly inputs?: Readonly<Record<string, unknown>> | undefined
  /** Given each run before it is executed: `run.progress` says how far it has come. */
  readonly watch?: ((run: Run.Run) => Effect.Effect<void>) | undefined
}

/**
 * Carries runs of a schedule out here, each with the definition that it began with. Code of the project, in definitions and
 * in steps of the kind `use`, only runs with `allowCode`.
 *
 * @example
 * ```ts
 * const runner = yield* Schedule.runner({ out: "out", dataDir: ".sluice" })
 * ```
 */
export const runner = ({
  allowCode = false,
  dataDir,
  env = {},
  inputs,
  out,
  secrets = () => undefined,
  watch
}: RunnerOptions): Effect.Effect<Runner, never, Services | Ledger> =>
  Effect.map(Effect.context<Services | Ledger>(), (context): Runner => {
    const scope = { env, secrets }
    const places = { allowCode, dataDir: resolve(dataDir), out: resolve(out) }
    const run = ({ begun, checked: current, instant, resume }: Task) =>
      Effect.gen(function* () {
        const checked = resume === undefined ? current : yield* frozen(resume, { allowCode, scope })
        const { frame, source } = checked
        const site = frame.site === undefined ? undefined : yield* LocalSite.serve(resolve(source.folder, frame.site))
        const kept = resume === undefined ? {} : optionsOf(resume)
        const scheduledFor = new Date(instant)
        const made = yield* Run.make(checked, { ...scope, ...places, ...kept, scheduledFor, site })
        yield* begun(made.id)
        if (watch !== undefined) yield* watch(made)
        return yield* made.execute
      })
    return {
      load: (file) => Effect.provide(load(file, { allowCode, inputs, scope }), context),
      former: (record) => Effect.provide(frozen(record, { allowCode, scope }), context),
      run: (task) => Effect.provide(Effect.scoped(run(task)), context)
    }
  })
