/** Asks for crawl parameters, and prints them as a pipeline has them. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { stringify } from "yaml"
import { PreviewRequest } from "../../Api/CrawlPreview.ts"
import { CrawlPreview } from "../../Client/CrawlPreview.ts"
import { clientOf } from "../Ask.ts"
import { WrongUsage } from "../Errors.ts"
import type { PreviewParameters } from "../Preview.ts"
import * as Profile from "../Profile.ts"
import { paint, type Terminal, warn } from "../Terminal.ts"

const decode = Schema.decodeUnknownEither(PreviewRequest)

const who: Readonly<Record<string, string>> = { model: "by the model", rules: "by rules" }

export const program = ({ data, json, profile, prompt, url }: PreviewParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const request = decode({ url, prompt })
    if (Either.isLeft(request)) {
      return yield* new WrongUsage({
        reason: `URL is an address with http:// or https://, PROMPT has at most 10,000 characters; got ${url}`
      })
    }
    const settings = yield* Profile.read(terminal.env, profile)
    const client = yield* clientOf(settings, data)
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
