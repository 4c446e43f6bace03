/** Handlers of group `parse`: parse the upload, charge it, index it. */
import { createHash } from "node:crypto"
import * as FileSystem from "@effect/platform/FileSystem"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Team } from "../../Api/Auth.ts"
import { Parsed } from "../../Api/Parse.ts"
import { Api } from "../../Api.ts"
import * as Failures from "../Failures.ts"
import { repeat } from "../Idempotency.ts"
import { SearchIndex } from "../Search/SearchIndex.ts"
import { PaidCalls } from "../Usage/PaidCalls.ts"
import { priced, prices, Usage } from "../Usage/Usage.ts"
import * as Options from "./Options.ts"
import { Parser } from "./Parser.ts"
import { receive } from "./Upload.ts"

/** SHA-256 of the file. */
const digest = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const hash = createHash("sha256")
  yield* Stream.runForEach(files.stream(path), (bytes) => Effect.sync(() => hash.update(bytes)))
  return hash.digest("hex")
}, Effect.orDie)

/** Handles one upload. Its temporary file is deleted after the answer, or when the sender disconnects. */
const upload = Effect.fn("Parse.upload")(function* (
  request: HttpServerRequest.HttpServerRequest,
  key: string | undefined
) {
  const { name, options: text, path } = yield* receive(request)
  const options = yield* Options.read(text)
  const team = yield* Team
  const parser = yield* Parser
  const usage = yield* Usage
  const index = yield* SearchIndex
  const calls = yield* PaidCalls
  const keeps = !options.zeroDataRetention
  const repeated =
    key !== undefined && keeps ? repeat(key, "v2 parse", { name, options, file: yield* digest(path) }) : undefined
  const parsed = Effect.map(
    parser.parse({ path, name, options, uploaded: true, team: team.id }),
    ({ document, indexed }) => ({
      answer: { success: true, data: priced(document, prices.parse) },
      book: Effect.zipRight(
        usage.charge(team, "parse", prices.parse),
        keeps && options.storeInCache
          ? index.add([{ teamId: team.id, url: `upload:${encodeURIComponent(name)}`, ...indexed }])
          : Effect.void
      )
    })
  )
  return yield* Failures.withoutCause(
    !keeps,
    calls.answer(Parsed, { team, repeat: repeated, price: prices.parse }, parsed)
  )
})

/** Group `parse`. */
export const handlers = HttpApiBuilder.group(Api, "parse", (group) =>
  group.handleRaw("parse", ({ headers, request }) =>
    Effect.catchTag(upload(request, headers["x-idempotency-key"]), "SqlError", Effect.die)
  )
)
