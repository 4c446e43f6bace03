/** What the store on disk knows of jobs that are kept in memory: whose they are, and which engine has them. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { Conflict, NotFound } from "../../Api/Errors.ts"
import type { JobRow } from "./Job.ts"
import * as Owners from "./Owners.ts"
import type { Start } from "./Start.ts"

/** What is said of such a job once the engine that had it is gone. */
const lost =
  "The job was started with zeroDataRetention, and the engine has been restarted since: its data was not kept. Start it again."

const elsewhere = new NotFound({
  error:
    "The job was started with zeroDataRetention, and only the engine that it was started at has it: ask that engine, another one works on the same data folder."
})

/** The engine that has the job; undefined for jobs that are on disk. */
const holderOf = ({ spec }: JobRow): string | undefined =>
  (JSON.parse(spec) as { readonly heldBy?: string | undefined }).heldBy

/** Speaks for the jobs in memory of this engine for as long as the scope is open. */
export const make = (disk: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    const owner = yield* Owners.make
    yield* Owners.renew(disk, owner).pipe(
      Effect.catchAllCause((cause) => Effect.logWarning("The lease on unkept jobs could not be renewed", cause)),
      Effect.delay(Duration.millis(Owners.leaseMillis / 3)),
      Effect.forever,
      Effect.forkScoped
    )

    /** All that is written down: whose it is, and when. It has failed for whoever finds nothing else. */
    const note = (id: string, { kind, team, version }: Start) =>
      Effect.flatMap(
        Clock.currentTimeMillis,
        (now) =>
          disk`INSERT INTO jobs ${disk.insert({
            id,
            team: team.id,
            key_id: team.keyId,
            kind,
            version,
            url: "",
            spec: JSON.stringify({ heldBy: owner }),
            status: "failed",
            seeded: 1,
            error: lost,
            page_limit: 0,
            created_at: now,
            updated_at: now,
            finished_at: now
          })} ON CONFLICT DO NOTHING`
      )

    /** The job as it is on disk, unless another engine has it. */
    const check = (job: JobRow) => {
      const holder = holderOf(job)
      if (holder === undefined) return Effect.succeed(job)
      return Effect.flatMap(Owners.isAlive(disk, holder), (alive) => (alive ? elsewhere : Effect.succeed(job)))
    }
    /** There is nothing left that pages could be added to. */
    const refuseLost = (job: JobRow) =>
      holderOf(job) === undefined ? Effect.void : new Conflict({ error: lost, code: "JOB_NOT_KEPT" })

    return { note, check, refuseLost }
  })
