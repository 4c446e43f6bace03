/** `urls`: addresses from a list, a file or a sitemap. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { PageUrl } from "../Api/Field.ts"
import { Map as SiteMap } from "../Client/Map.ts"
import { named, refusal } from "../Database/Refusal.ts"
import { canonicalUrl } from "../Row/Url.ts"
import * as Step from "../Step.ts"
import { counted } from "./Batch.ts"
import { call } from "./Call.ts"
import * as Need from "./Need.ts"

const List = Schema.Array(PageUrl)

const From = Schema.Union(
  Schema.Struct({ file: Schema.String.annotations({ description: "a text file with one address on each line" }) }),
  Schema.Struct({ sitemap: PageUrl.annotations({ description: "a site, whose sitemap is read" }) })
)

export const urls = Step.make({
  key: "urls",
  summary: "Gives addresses as rows with the field `url`: a literal list, the lines of a file, or a site's sitemap.",
  example: "urls: [https://example.com/a, https://example.com/b]",
  config: Schema.Union(List, From),
  needs: (fields) => [...Need.listing(fields), ...Need.reaching("sitemap")(fields)],
  behaviour: {
    kind: "source",
    read: (config, context, begin) =>
      Stream.unwrap(
        Effect.gen(function* () {
          // A list that may change is read once: a resumed run goes on in the one that it began with.
          const found =
            "file" in config
              ? yield* context.once({ name: "list" }, () => readLines(config.file, context.folder))
              : "sitemap" in config
                ? yield* context.once({ name: "list", book: () => ({ credits: undefined }) }, (key) =>
                    readSitemap(config.sitemap, key)
                  )
                : config
          if ("sitemap" in config && found.length >= mostLinks) yield* context.incomplete("limit")
          const wanted = found.slice(0, context.wanted)
          return counted(
            begin,
            wanted.length
          )(Stream.fromIterable(wanted.map((url, position) => ({ data: { url }, key: canonicalUrl(url), position }))))
        })
      )
  }
})

export const readLines = (file: string, folder: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const text = yield* files.readFileString(paths.resolve(folder, file)).pipe(
      Effect.mapError(
        (cause) =>
          new Step.StepError({
            reason: "FileUnreadable",
            message: `cannot read ${named(file, folder)}: ${refusal(cause)}`,
            cause
          })
      )
    )
    const lines = text.split(/\r?\n/).map((line) => line.trim())
    return lines.filter((line) => line !== "" && !line.startsWith("#"))
  })

/** The service gives no more addresses of a sitemap. */
const mostLinks = 100_000

const readSitemap = (url: string, idempotencyKey: string) =>
  Effect.gen(function* () {
    const client = yield* SiteMap
    const { links } = yield* call(client.run({ url, sitemap: "only", limit: mostLinks }, { idempotencyKey }))
    return links.map((link) => (typeof link === "string" ? link : link.url))
  })
