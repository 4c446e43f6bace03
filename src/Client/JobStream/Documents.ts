/** The documents of a page of a job, however they came. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { Document } from "../../Api/Document.ts"
import type { Call } from "../Errors.ts"

const isDocument = Schema.is(Document)
const decodeDocument = Schema.decodeUnknownEither(Document)

/** The objects among what a page holds; those that aren't quite documents are passed on, and counted in a warning. */
export const documentsOf = (data: ReadonlyArray<unknown>, call: Call): Effect.Effect<ReadonlyArray<Document>> => {
  let odd = 0
  let nothing = 0
  let read: Array<unknown> | undefined
  for (const [at, item] of data.entries()) {
    if (isDocument(item)) continue
    // Numbers may have come as texts.
    const decoded = decodeDocument(item)
    if (Either.isRight(decoded)) {
      read ??= [...data]
      read[at] = decoded.right
      continue
    }
    odd++
    if (typeof item !== "object" || item === null) nothing++
  }
  const all = read ?? data
  if (odd === 0) return Effect.succeed(all as ReadonlyArray<Document>)
  const objects = nothing === 0 ? all : all.filter((item) => typeof item === "object" && item !== null)
  return Effect.as(
    Effect.logWarning(
      `${odd} of ${data.length} documents are not as documented; ${nothing} are nothing and left out`
    ).pipe(Effect.annotateLogs({ url: call.url })),
    objects as ReadonlyArray<Document>
  )
}
