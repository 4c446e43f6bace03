/** Answers a crawl preview, by a model or by rules; a crawl that comes with a prompt is settled the same way. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { settle } from "../../Api/Field.ts"
import { requestFields as mapFields } from "../../Api/Map.ts"
import { Api } from "../../Api.ts"
import { Model } from "../Model.ts"
import { DocumentThreads } from "../Scrape/DocumentThreads.ts"
import { find } from "../Scrape/MapHandlers.ts"
import { byModel } from "./ByModel.ts"
import { type Preview, rules } from "./Rules.ts"

/** What is said about the parts of a prompt that changed nothing. */
const warn = ({ params, notUnderstood }: Preview): string | undefined => {
  const quoted = notUnderstood.map((part) => `"${part}"`).join(", ")
  if (Object.keys(params).length === 0) {
    return "The prompt names no path, limit, depth, host, sitemap, robots or delay rule: nothing is set."
  }
  return quoted === "" ? undefined : `Not understood and left out: ${quoted}.`
}

/** Crawl parameters from a prompt, with a warning when part of it says nothing that a crawl can do. */
export const crawlParamsFromPrompt = (
  url: string,
  prompt: string
): { readonly params: Preview["params"]; readonly warning: string | undefined } => {
  const preview = rules(url, prompt)
  return { params: preview.params, warning: warn(preview) }
}

/** Addresses that a model is shown, and the time that finding them may take of the whole. */
const [mostLinks, mapTimeout, timeout] = [50, 10_000, 60_000]

/** The site's own links; none when it cannot be mapped. */
const linksOf = (url: string) =>
  find(settle(mapFields, { url, limit: mostLinks, timeout: mapTimeout })).pipe(
    Effect.match({ onFailure: () => [], onSuccess: ({ links }) => links })
  )

const leftOutOf = (values: ReadonlyArray<string>): string | undefined =>
  values.length === 0 ? undefined : `Left out, because the prompt does not say it: ${values.join(", ")}.`

/** By the model where one is set; by rules without one, or when it gives no usable answer. */
export const preview = Effect.fn("Preview.preview")(function* (url: string, prompt: string) {
  const rules = { ...crawlParamsFromPrompt(url, prompt), answeredBy: "rules" as const }
  const model = yield* Model
  if (model === undefined) return rules
  const deadline = (yield* Clock.currentTimeMillis) + timeout
  const links = yield* linksOf(url)
  return yield* byModel(model, { url, prompt, links, byRules: rules.params, deadline }).pipe(
    Effect.map(({ leftOut, params }) => ({ params, warning: leftOutOf(leftOut), answeredBy: "model" as const })),
    Effect.catchAll((failure) =>
      Effect.as(Effect.logWarning(`the model made no crawl parameters: ${failure.message}`), {
        ...rules,
        warning: [`The model gave no usable answer, so rules have: ${failure.message}`, rules.warning]
          .filter((line) => line !== undefined)
          .join(" ")
      })
    )
  )
})

/** Group `crawlPreview`. */
export const handlers = HttpApiBuilder.group(Api, "crawlPreview", (group) =>
  group.handle("preview", ({ payload: { url, prompt } }) =>
    Effect.map(preview(url, prompt), ({ answeredBy, params, warning }) => ({
      success: true,
      data: { url, ...params },
      answeredBy,
      ...(warning === undefined ? {} : { warning })
    }))
  )
).pipe(Layer.provide(DocumentThreads.Default))
