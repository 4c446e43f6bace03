/** Set-up of the cluster tests: workers in this process, a folder that they share, and a database of their own. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Connection from "../../src/Client/Connection.ts"
import * as Client from "../../src/Client.ts"
import * as Cluster from "../../src/Cluster.ts"
import type { RunRecord } from "../../src/Ledger/Model.ts"
import * as Ledger from "../../src/Ledger.ts"
import { type Checked, check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { noService } from "../../src/Run/LocalSite.ts"
import * as Run from "../../src/Run.ts"
import * as Fresh from "../Ledger/Fresh.ts"
import { tempDir } from "../Local.ts"
import { place } from "../Postgres.ts"

const scope = { env: {}, secrets: () => undefined }

export const client = Layer.provide(Client.layer, Connection.layer(noService))

export const checked = (folder: string, text: string) =>
  Effect.flatMap(parseText(`${folder}/pipeline.yaml`, folder, text), (source) =>
    check(source, { ...scope, inputs: {}, complete: true })
  )

/** A database with the tables of runs on many machines, whose connections all workers of a test share. */
export const database = Effect.flatMap(place, (url) => Layer.memoize(Cluster.layer(Redacted.make(url))))

/** A shared folder with `count` numbered rows in `rows.jsonl`, the definition in it, and a database. */
export const ground = (definition: string, count = 0) =>
  Effect.gen(function* () {
    const out = yield* folder
    writeFileSync(
      `${out}/rows.jsonl`,
      Array.from({ length: count }, (_, index) => `${JSON.stringify({ id: index + 1 })}\n`).join("")
    )
    return { out, definition: yield* checked(out, definition), layer: yield* database }
  })

/** A worker that runs until the scope closes or `stop` is called, and the lines it has logged. */
export const worker = (
  layer: Effect.Effect.Success<typeof database>,
  host: string,
  {
    client: service = client,
    ...options
  }: { readonly drain?: boolean; readonly concurrency?: number; readonly client?: typeof client } = {}
) =>
  Effect.gen(function* () {
    const stop = yield* Deferred.make<void>()
    const said: Array<string> = []
    const fiber = yield* Effect.forkScoped(
      Cluster.work(
        {
          place: { env: scope, serve: () => Effect.succeed({ client: service }) },
          concurrency: 4,
          host,
          say: (line) => void said.push(line),
          ...options
        },
        Deferred.await(stop)
      ).pipe(Effect.provide(layer), Effect.orDie)
    )
    return { said, stop: Deferred.succeed(stop, undefined), fiber }
  })

/** Takes and begins the next part for a worker that does not run; gives its delivery. */
export const claimed = (workerId: string, which: "any" | "suspect" = "any") =>
  Effect.gen(function* () {
    const { claim } = yield* Cluster.Carrier
    const [delivery] = yield* claim(which, 1)
    if (delivery === undefined) return yield* Effect.dieMessage("no part waits")
    yield* (yield* Cluster.Submissions).begin(delivery, workerId)
    return delivery
  })

/** Waits until living workers have so many parts of the run. */
export const untilClaimed = (runId: string, count: number) =>
  Effect.flatMap(Cluster.Submissions, ({ heldParts }) =>
    Effect.repeat(Effect.delay(heldParts(runId), 20), { until: (now) => now === count })
  )

/** Waits until the worker has logged that it gives a part back. */
export const untilReleased = ({ said }: { readonly said: ReadonlyArray<string> }) =>
  Effect.repeat(Effect.sleep(20), { until: () => said.some((line) => line.startsWith("gives back")) })

/** Another run holds the state of this one while `test` runs: the worker has claimed the part, and waits. */
export const whileStateIsHeld = <A, E, R>(runId: string, test: Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { find, open } = yield* Ledger.Ledger
      yield* open({ ...(yield* find(runId)), id: "another" } as RunRecord)
      yield* untilClaimed(runId, 1)
      return yield* test
    })
  )

/** The run when it is over. */
export const ended = (runId: string): Effect.Effect<Cluster.Standing, unknown, Ledger.Ledger> =>
  Effect.gen(function* () {
    const standing = yield* Cluster.RunStatus.standing(runId)
    if (standing !== undefined && standing.status !== "running") return standing
    yield* Effect.sleep(50)
    return yield* ended(runId)
  })

/** Hands a run in. */
export const submit = (definition: Checked, out: string, options: Partial<Cluster.Submission> = {}) =>
  Cluster.submit(definition, { out, shardRows: 10, ...scope, ...options })

/** The same pipeline on this machine alone; gives the folder of its outputs, and of its ledger. */
export const alone = (
  definition: Checked,
  { client: service = client, ...options }: Partial<Run.RunOptions> & { readonly client?: typeof client } = {}
) =>
  Effect.gen(function* () {
    const folder = options.out ?? (yield* tempDir)
    const run = yield* Run.make(definition, { out: folder, dataDir: `${folder}/.sluice`, ...scope, ...options })
    yield* run.execute.pipe(Effect.provide(Fresh.layer(`${folder}/.sluice`)), Effect.provide(service))
    return folder
  })

/** Lines of the files whose names begin like this, in the order of the names. */
export const lines = (folder: string, name: string): ReadonlyArray<string> =>
  readdirSync(folder)
    .filter((each) => each.startsWith(name))
    .toSorted()
    .flatMap((each) => readFileSync(`${folder}/${each}`, "utf8").split("\n"))
    .filter((line) => line !== "")

export const folder: Effect.Effect<string, never, Scope.Scope> = Effect.tap(tempDir, (path) =>
  Effect.sync(() => mkdirSync(path, { recursive: true }))
)

export const context = NodeContext.layer
