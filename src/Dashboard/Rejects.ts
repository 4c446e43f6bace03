/** Rejects of a run: by step, reason and text, a page of them at a time. */
import * as Effect from "effect/Effect"
import type { RejectList } from "../Web/Dashboard/Protocol/Rejects.ts"
import { page } from "../Web/Dashboard/Protocol.ts"
import * as Queries from "./Queries.ts"
import { noRun, type Query } from "./Refusal.ts"

/** Characters of a row that are shown, of a message, and of a key. */
const shown = { row: 20_000, message: 4_000, key: 4_000 }
const groupsAtMost = 100

export const list = (id: string, query: Query) =>
  Effect.gen(function* () {
    const survey = yield* Queries.survey
    const which = (yield* query.word("which", ["open", "replayed", "all"])) ?? "all"
    const limit = yield* query.number("limit", { least: 1, most: page.most, otherwise: page.rejects })
    const after = yield* query.number("after", { most: Number.MAX_SAFE_INTEGER, otherwise: 0 })
    if (!(yield* survey.known([id])).has(id)) return yield* noRun(id)
    const found = yield* survey.rejects({
      run: id,
      which,
      step: query.text("step"),
      error: query.text("error"),
      text: query.text("text", 200),
      after,
      limit: limit + 1
    })
    const groups = yield* survey.rejectCounts(id, groupsAtMost)
    return {
      rejects: found
        .slice(0, limit)
        .map(
          ({
            at,
            attempts,
            content,
            definedAt,
            error,
            isCut,
            jobId,
            key,
            message,
            number,
            replayedBy,
            status,
            step
          }) => {
            const text = isCut ? content : JSON.stringify(JSON.parse(content), undefined, 2)
            return {
              number,
              step,
              key: key.slice(0, shown.key),
              error,
              message: message.slice(0, shown.message),
              status,
              attempts,
              definedAt,
              at: Date.parse(at),
              jobId,
              row: text.slice(0, shown.row),
              isCut: isCut || text.length > shown.row,
              replayedBy
            }
          }
        ),
      next: found.length > limit ? String(found[limit - 1]?.number) : null,
      groups
    } satisfies RejectList
  })
