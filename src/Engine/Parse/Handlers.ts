/** Answers an upload: parse it, book it, make it searchable (spec 4.2). */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import { Team } from "../../Api/Auth.ts"
import { Api } from "../../Api.ts"
import { SearchIndex } from "../Search/SearchIndex.ts"
import { priced, prices, Usage } from "../Usage/Usage.ts"
import * as Options from "./Options.ts"
import { Parser } from "./Parser.ts"
import { receive } from "./Uploaded.ts"

/** The upload is a temporary file, which goes when the answer has been sent or the sender has left. */
const upload = Effect.fn("Parse.upload")(function* (request: HttpServerRequest.HttpServerRequest) {
  const { name, options: text, path } = yield* receive(request)
  const options = yield* Options.read(text)
  const team = yield* Team
  const parser = yield* Parser
  const { document, indexed } = yield* parser.parse({ path, name, options, uploaded: true })
  const usage = yield* Usage
  yield* usage.charge(team, "parse", prices.parse)
  if (!options.zeroDataRetention) {
    const index = yield* SearchIndex
    yield* index.add([{ teamId: team.id, url: `upload:${encodeURIComponent(name)}`, ...indexed }])
  }
  return { success: true, data: priced(document, prices.parse) }
})

/** Group `parse`. */
export const handlers = HttpApiBuilder.group(Api, "parse", (group) =>
  group.handleRaw("parse", ({ request }) => Effect.catchTag(upload(request), "SqlError", Effect.die))
)
