/** `sluice preview`: prints the crawl parameters for a prompt; crawls nothing. */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { stringify } from "yaml"
import { PreviewRequest } from "../Api/CrawlPreview.ts"
import { CrawlPreview } from "../Client/CrawlPreview.ts"
import { wrongUsage } from "./CommandErrors.ts"
import { readSettings } from "./CommandSettings.ts"
import * as Parameter from "./Parameter.ts"
import { openClient } from "./Service.ts"
import * as SharedFlags from "./SharedFlags.ts"
import { paint, type Terminal, warn } from "./Terminal.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  url: Parameter.one("URL", "Where the crawl would start."),
  prompt: Parameter.one("PROMPT", "What to crawl and what not, in your words."),
  data: SharedFlags.data("the local engine's store"),
  profile: SharedFlags.profile,
  json: Parameter.toggle("Prints the whole answer as one JSON object.")
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details:
    "Prints the parameters as `crawl: { params: … }` of a pipeline takes them. If SLUICE_LLM_MODEL is set, that model chooses them, and sees links of the site; without a model, rules do. Parts of the prompt that were not understood are listed on stderr.",
  parameters,
  examples: [
    { line: 'sluice preview https://example.com "only the docs, 50 pages, no changelog"', what: "paths and a limit" },
    {
      line: 'sluice preview https://example.com "the blog of 2025" --json',
      what: "also prints whether a model or rules chose the parameters"
    }
  ],
  run: (options, terminal) => run(options, terminal)
})

const decode = Schema.decodeUnknownEither(PreviewRequest)

const who: Readonly<Record<string, string>> = { model: "by the model", rules: "by rules" }

const run = ({ data, json, profile, prompt, url }: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const request = decode({ url, prompt })
    if (Either.isLeft(request)) {
      return yield* wrongUsage(
        `URL must begin with http:// or https://, and PROMPT may have at most 10,000 characters; got ${url}`
      )
    }
    const settings = yield* readSettings(terminal.env, profile)
    const client = yield* openClient(settings, data)
    const answer = yield* Effect.provide(
      Effect.flatMap(CrawlPreview, (preview) => preview.run(request.right)),
      client
    )
    if (json) {
      terminal.out.write(`${JSON.stringify(answer)}\n`)
      return
    }
    const by = who[answer.answeredBy ?? ""]
    if (by !== undefined) terminal.err.write(`${paint(terminal.err).dim(by)}\n`)
    if (answer.warning) warn(terminal.err, answer.warning)
    const { url: _, ...params } = answer.data
    if (Object.keys(params).length > 0) terminal.out.write(stringify(params))
  }).pipe(Effect.scoped)
