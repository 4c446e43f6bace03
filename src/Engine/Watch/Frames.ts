/** What a watcher is told: documents are the stored bytes, a slice of them in memory at a time. */
import type * as SqlError from "@effect/sql/SqlError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { NotFound } from "../../Api/Errors.ts"
import { pageSize } from "../../Api/JobStatus.ts"
import { Bell } from "../Jobs/Bell.ts"
import { envelopeOf, pathOf } from "../Jobs/Envelope.ts"
import type { JobRow, Version } from "../Jobs/Job.ts"
import { Jobs } from "../Jobs/Jobs.ts"
import { type Page, Results } from "../Jobs/Results.ts"
import { Owner } from "../Shares.ts"
import type { Line, Lost } from "./Line.ts"

export interface Watched {
  readonly job: JobRow
  readonly version: Version
  /** The engine, as the watcher calls it. */
  readonly origin: string
}

/** Another process on the same store rings no bell of ours. */
const patience = Duration.seconds(1)

/** Clients of version 1 read the end from the close frame, and take "done" for success. */
const reasonOf = ({ status }: JobRow, version: Version): string =>
  `{"type":"${version === 1 && status === "failed" ? "failed" : "done"}"}`

const before = Buffer.from('{"type":"document","data":')
const after = Buffer.from("}")

export const make = Effect.map(Effect.all([Jobs, Results, Bell]), ([jobs, results, bell]) => {
  const headOf = (job: JobRow, { origin, version }: Watched, position: number) =>
    `${envelopeOf(job, {
      expiresAt: jobs.expiresAt(job),
      address: `${origin}${pathOf(job.kind, version)}/${job.id}`,
      position
    })},"data":[`

  return Effect.fnUntraced(function* (
    line: Line,
    find: Effect.Effect<JobRow, NotFound | SqlError.SqlError>,
    watched: Watched
  ): Effect.fn.Return<void, Lost | SqlError.SqlError> {
    let position = 0

    const text = (frame: string) => line.send(Buffer.from(frame), true)

    const catchUp = (job: JobRow, { count, slices }: Page) =>
      Effect.gen(function* () {
        yield* line.send(Buffer.from(`{"type":"catchup","data":${headOf(job, watched, position + count)}`), false)
        for (const slice of slices) yield* line.send(yield* slice, false)
        yield* text("]}}")
        position += count
      })

    const documents = Effect.gen(function* () {
      const bodies = yield* results.some(watched.job.id, position, watched.version)
      // What was there a moment ago has expired.
      if (bodies.length === 0) return yield* new NotFound({ error: "Job expired" })
      for (const body of bodies) {
        yield* line.send(Buffer.concat([before, body, after]), true)
        position++
      }
    })

    /** A client takes a catchup with a final status for the end: of a job that has ended it has the last page. */
    const begin = (job: JobRow): Effect.Effect<void, Lost | NotFound | SqlError.SqlError> =>
      Effect.gen(function* () {
        const page = yield* results
          .page(job.id, position, pageSize.max, watched.version)
          .pipe(Effect.provideService(Owner, job.team))
        if (job.status === "scraping" || position + page.count >= job.results) return yield* catchUp(job, page)
        yield* documents
        yield* begin(job)
      })

    /** In the words of whoever reads frames: completed is done, everything else says its status. */
    const end = (job: JobRow) => {
      const data = `${headOf(job, watched, position)}]}`
      if (job.status === "failed") {
        return text(`{"type":"error","error":${JSON.stringify(job.error ?? "The job failed")},"data":${data}}`)
      }
      return text(`{"type":"${job.status === "completed" ? "done" : job.status}","data":${data}}`)
    }

    let { job } = watched
    const tell = Effect.gen(function* () {
      yield* begin(job)
      let told = job.status !== "scraping"
      // Clients of version 1 do not read a failure out of the catchup.
      if (watched.version === 1 && job.status === "failed") yield* end(job)
      while (!told) {
        const changed = yield* bell.listen(job.id)
        job = yield* find
        while (position < job.results) yield* documents
        if (job.status === "scraping") yield* Effect.timeoutOption(changed, patience)
        else {
          if (watched.version === 2 || job.status === "failed") yield* end(job)
          told = true
        }
      }
    })

    yield* Effect.catchTag(tell, "NotFound", ({ error }) => text(JSON.stringify({ type: "error", error })))
    yield* line.close(1000, reasonOf(job, watched.version))
  })
})
