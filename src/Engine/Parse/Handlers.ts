/** Answers an upload: parse it, book it, make it searchable (spec 4.2). */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import { Team } from "../../Api/Auth.ts"
import type { Upload } from "../../Api/Parse.ts"
import { Api } from "../../Api.ts"
import { SearchIndex } from "../Search/SearchIndex.ts"
import { priced, prices, Usage } from "../Usage/Usage.ts"
import * as Options from "./Options.ts"
import { Parser } from "./Parser.ts"

/** The upload is a temporary file, which goes when the answer has been sent or the sender has left. */
const upload = Effect.fn("Parse.upload")(function* ({ file, options: text }: typeof Upload.Type) {
  const options = yield* Options.read(text)
  const team = yield* Team
  const parser = yield* Parser
  const { document, indexed } = yield* parser.parse({ path: file.path, name: file.name, options })
  const usage = yield* Usage
  yield* usage.charge(team, "parse", prices.parse)
  if (!options.zeroDataRetention) {
    const index = yield* SearchIndex
    yield* index.add([{ teamId: team.id, url: `upload:${encodeURIComponent(file.name)}`, ...indexed }])
  }
  return { success: true, data: priced(document, prices.parse) }
})

/** Group `parse`. */
export const handlers = HttpApiBuilder.group(Api, "parse", (group) =>
  group.handle("parse", ({ payload }) => Effect.catchTag(upload(payload), "SqlError", Effect.die))
)
