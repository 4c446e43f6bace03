/**
 * Handlers of group `crawlPreview`: derive crawl parameters from a prompt, by a model or by rules. Crawls with a prompt use them too.
 *
 * Ports: `Model` (optional; without it, rules decide), and the map of the site for links that the model sees.
 */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { settle } from "../../Api/Field.ts"
import { requestFields as mapFields } from "../../Api/Map.ts"
import { Api } from "../../Api.ts"
import { detectLanguage, maxExcerpt } from "../../Html/TextAnalysis.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { Model } from "../Model/Model.ts"
import { byModel } from "../Preview/ByModel.ts"
import type { Preview } from "../Preview/Rules.ts"
import { DocumentThreads } from "../Scrape/DocumentThreads.ts"
import { find } from "./MapHandlers.ts"

/** Warning about the parts of a prompt that had no effect. */
const warn = ({ params, notUnderstood }: Preview): string | undefined => {
  const quoted = notUnderstood.map((part) => `"${part}"`).join(", ")
  if (Object.keys(params).length === 0) {
    return "The prompt names no path, limit, depth, host, sitemap, robots or delay rule, so no parameters are set."
  }
  return quoted === "" ? undefined : `Not understood and left out: ${quoted}.`
}

/** Words that are frequent in English prompts, and rare in other languages. */
const english =
  /\b(?:the|an?|and|or|only|just|from|in|on|not|no|do|don't|with|without|skip|ignore|except|exclude|include|but|please|all|every|everything|want|need|get|fetch|crawl|scrape|stay|go|to|of|by|at|under|below|most|more|than|up|out|max|limit|depth|delay|first|pages?|posts?|docs|urls?|links?|levels?|deep|per|minutes?|seconds?|requests?|section|follow|between|for|about)\b/gi

/** Detects the language of a prompt that the rules cannot read, such as `de`. Parameter names, paths and numbers are ignored. */
const otherLanguage = async (prompt: string): Promise<string | undefined> => {
  const { readFields } = await import("../Preview/Rules.ts")
  const text = readFields(prompt.slice(0, maxExcerpt)).text.replace(/https?:\S+|[/.@*]\S+|\S*[\d_]\S*/g, " ")
  const words = text.match(/\p{L}[\p{L}']*/gu)?.length ?? 0
  const isEnglish = (text.match(english)?.length ?? 0) >= words / 3
  const language = isEnglish ? "en" : await detectLanguage(prompt, 0)
  return language === "en" ? undefined : language
}

/** Maximum links for the model, milliseconds to find them, and milliseconds for the whole preview. */
const [maxLinks, mapTimeout, timeout] = [50, 10_000, 60_000]

/** Derives crawl parameters by rules, with a warning about the parts of the prompt that had no effect. */
const byRules = Effect.fnUntraced(function* (url: string, prompt: string) {
  const language = yield* Effect.promise(() => otherLanguage(prompt))
  if (language !== undefined) {
    return {
      params: {},
      warning: `The prompt is not in English (detected: "${language}"), and only a language model reads other languages: no parameters are set. Write the prompt in English, or set SLUICE_LLM_URL.`
    }
  }
  const { run } = yield* DocumentThreads
  return yield* Effect.match(run<"prompt">({ kind: "prompt", bytes: Buffer.from(prompt), url }, url, timeout), {
    onSuccess: (preview) => ({ params: preview.params, warning: warn(preview) }),
    onFailure: () => ({ params: {}, warning: "The prompt could not be read in time, so no parameters are set." })
  })
})

/** Links of the site; none if it cannot be mapped. */
const linksOf = (url: string) =>
  find(settle(mapFields, { url, limit: maxLinks, timeout: mapTimeout })).pipe(
    Effect.match({ onFailure: () => [], onSuccess: ({ links }) => links })
  )

const leftOutOf = (values: ReadonlyArray<string>): string | undefined =>
  values.length === 0 ? undefined : `Left out, because the prompt does not ask for it: ${values.join(", ")}.`

/** Derives crawl parameters by the model. Uses rules if there is no model, or if it gives no usable answer. */
export const preview = Trace.fn("Preview.preview")(function* (url: string, prompt: string) {
  const rules = { ...(yield* byRules(url, prompt)), answeredBy: "rules" as const }
  const model = yield* Model
  if (model === undefined) return rules
  const deadline = (yield* Clock.currentTimeMillis) + timeout
  const links = yield* linksOf(url)
  return yield* byModel(model, { url, prompt, links, byRules: rules.params, deadline }).pipe(
    Effect.map(({ leftOut, params }) => ({ params, warning: leftOutOf(leftOut), answeredBy: "model" as const })),
    Effect.catchAll((failure) =>
      Effect.as(Effect.logWarning(`the model made no crawl parameters: ${failure.message}`), {
        ...rules,
        warning: [
          `The parameters come from rules, because the model gave no usable answer: ${failure.message}`,
          rules.warning
        ]
          .filter((line) => line !== undefined)
          .join(" ")
      })
    )
  )
})

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
