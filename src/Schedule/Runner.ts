/** Executes scheduled tasks in this process. A resumed run uses the definition that it was started with. */
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Client } from "../Client.ts"
import type { Ledger } from "../Ledger.ts"
import type { Checked } from "../Pipeline/Check.ts"
import { optionsOf, type ResolvedOptions } from "../Run/RunSpec.ts"
import * as Run from "../Run.ts"
import type { LocalServices } from "../Step.ts"
import { inWindow } from "./Backfill.ts"
import { frozen, load, type ReadOptions } from "./Read.ts"
import type { Failure, Runner, Task } from "./Scheduler.ts"

/** Paths in `dataDir` and `out` are absolute. */
export interface Options<R> extends ReadOptions, Pick<ResolvedOptions, "dataDir" | "out"> {
  /** Opens the services that a run uses; they stay open until its scope closes. */
  readonly serve: (
    checked: Checked
  ) => Effect.Effect<
    { readonly site: ResolvedOptions["site"]; readonly client: Layer.Layer<Client, Failure> },
    Failure,
    R | Scope.Scope
  >
  /** Called before a run is executed. */
  readonly watch?: ((run: Run.Run, checked: Checked) => Effect.Effect<void, never, Scope.Scope>) | undefined
  /** Called with the summary of every run that ended, successfully or not. */
  readonly ended?: ((checked: Checked, summary: Run.Summary) => void) | undefined
}

export const make = <R>(
  options: Options<R>
): Effect.Effect<Runner, never, Ledger | LocalServices | Exclude<R, Scope.Scope>> =>
  Effect.map(Effect.context<Ledger | LocalServices | Exclude<R, Scope.Scope>>(), (context): Runner => {
    const { allowCode, dataDir, ended, out, scope, serve, watch } = options
    const run = (task: Task) =>
      Effect.gen(function* () {
        const { backfill, begun, checked: current, scheduledTime, resume } = yield* inWindow(task, options)
        const checked = resume === undefined ? current : yield* frozen(resume, options)
        const { client, site } = yield* serve(checked)
        const kept = resume === undefined ? { out } : optionsOf(resume)
        const scheduledFor = new Date(scheduledTime)
        const handle = yield* Run.make(checked, { ...scope, backfill, ...kept, dataDir, allowCode, site, scheduledFor })
        yield* begun(handle.id)
        if (watch !== undefined) yield* watch(handle, checked)
        const report = (summary: Run.Summary) => Effect.sync(() => ended?.(checked, summary))
        return yield* handle.execute.pipe(
          Effect.provide(client),
          Effect.tap(report),
          Effect.tapErrorTag("RunFailed", ({ summary }) => report(summary)),
          Effect.onInterrupt(() => Effect.flatMap(handle.summary, report))
        )
      })
    return {
      load: (file) => Effect.provide(load(file, options), context),
      former: (record) => Effect.provide(frozen(record, options), context),
      run: (task) => Effect.provide(Effect.scoped(run(task)), context)
    }
  })
