/** `sluice search`: searches with the service from the settings, or with the local engine. */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type SearchResponse, sources } from "../Api/SearchRequest.ts"
import { Search } from "../Client/Search.ts"
import { only } from "../Engine/Search/ProviderSettings.ts"
import { hostOf } from "../Pipeline/Requirements.ts"
import { catalogue } from "../Settings.ts"
import { SettingInvalid, wrongUsage } from "./CommandErrors.ts"
import { readSettings, type SettingValues } from "./CommandSettings.ts"
import * as Parameter from "./Parameter.ts"
import { hostedService, openClient } from "./Service.ts"
import * as SharedFlags from "./SharedFlags.ts"
import { paint, type Terminal, warn } from "./Terminal.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  query: Parameter.one("QUERY", "Words, phrases in quotes, -word, and operators like site: and filetype:."),
  limit: Parameter.integer("N", "At most N results of each source; default: 10.", { minimum: 1, maximum: 100 }),
  source: Parameter.choice("SOURCE", ["web", "images", "news", "all"], "web, images, news or all; default: web."),
  provider: Parameter.text(
    "NAMES",
    "Asks only these providers of SLUICE_SEARCH_PROVIDERS, in this order, comma separated; local is the index of pages and files that the local engine has read."
  ),
  data: SharedFlags.data("the local engine's store"),
  profile: SharedFlags.profile,
  json: Parameter.toggle("Prints the answer as one JSON object.")
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details:
    "Without SLUICE_BASE_URL, the local engine searches: with the providers in SLUICE_SEARCH_PROVIDERS, or else the pages and files that it has read. Parts of the query that it could not apply are listed on stderr.",
  parameters,
  examples: [
    { line: 'sluice search "tide tables filetype:pdf"', what: "among the pages and files read here" },
    { line: 'sluice search "harbour pilots" --source news --limit 20 --json', what: "for a program" },
    { line: "sluice search tides --provider brave,local", what: "Brave, then the local index if Brave fails" }
  ],
  run: (options, terminal) => run(options, terminal)
})

/** The settings with only the search providers that `--provider` names. */
const narrowed = (settings: SettingValues, names: string | undefined) =>
  Effect.gen(function* () {
    if (names === undefined) return settings
    const hosted = yield* hostedService(settings)
    if (hosted !== undefined) {
      return yield* wrongUsage(
        `--provider chooses a provider of the local engine, but ${catalogue.baseUrl.env} sends searches to ${hostOf(hosted.baseUrl)}. Leave out one of them.`
      )
    }
    const wanted = names.split(",").map((name) => name.trim().toLowerCase())
    const searchProviders = yield* Either.mapLeft(
      only(settings.searchProviders, wanted),
      (name) =>
        new SettingInvalid({
          name: catalogue.searchProviders.env,
          reason: `it has no provider "${name}", which --provider names`
        })
    )
    return { ...settings, searchProviders }
  })

/** Maximum characters of a query. */
const longest = 500

type Data = SearchResponse["data"]

/** A block of lines for each result, without control characters. */
const lines = (data: Data, { out }: Terminal): ReadonlyArray<string> => {
  const dye = paint(out)
  const tame = (text: unknown): string => String(text ?? "").replace(/\p{Cc}+/gu, " ")
  // The outermost heading often repeats the title.
  const path = (title: unknown, headings: ReadonlyArray<string> | null | undefined): string =>
    tame((headings ?? []).filter((heading, at) => at > 0 || heading !== title).join(" › "))
  const block = (title: unknown, ...rest: ReadonlyArray<string>) =>
    [dye.bold(tame(title)), ...rest.filter((line) => line !== "").map((line) => `  ${line}`), ""].join("\n")
  return [
    ...(data.web ?? []).map(({ description, headings, title, url }) =>
      block(title, dye.cyan(tame(url)), path(title, headings), tame(description))
    ),
    ...(data.images ?? []).map(({ imageHeight, imageUrl, imageWidth, title, url }) =>
      block(
        title,
        `${dye.cyan(tame(imageUrl))}${imageWidth == null || imageHeight == null ? "" : `  ${imageWidth} × ${imageHeight}`}`,
        url === imageUrl ? "" : tame(url)
      )
    ),
    ...(data.news ?? []).map(({ date, headings, snippet, title, url }) =>
      block(
        title,
        `${dye.cyan(tame(url))}${date == null ? "" : `  ${tame(date)}`}`,
        path(title, headings),
        tame(snippet)
      )
    )
  ]
}

const run = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const { json, limit, provider, query, source = "web" } = options
    if (query.trim() === "" || query.length > longest) {
      return yield* wrongUsage(`QUERY must have 1 to ${longest} characters, got ${query.trim().length}`)
    }
    const settings = yield* Effect.flatMap(readSettings(terminal.env, options.profile), (all) =>
      narrowed(all, provider)
    )
    const client = yield* openClient(settings, options.data)
    const answer = yield* Effect.flatMap(Search, (search) =>
      search.run({
        query,
        ...(limit === undefined ? {} : { limit }),
        sources: source === "all" ? sources : [source]
      })
    ).pipe(Effect.provide(client))
    if (json) {
      terminal.out.write(`${JSON.stringify(answer)}\n`)
      return
    }
    if (answer.warning) warn(terminal.err, answer.warning)
    const found = lines(answer.data, terminal)
    if (found.length > 0) terminal.out.write(found.join("\n"))
    else terminal.err.write("nothing was found\n")
  }).pipe(Effect.scoped)
