/** Answers a crawl preview; the same rules settle a crawl that comes with a prompt (spec 4.5). */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import { Api } from "../../Api.ts"
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

/** Group `crawlPreview`. */
export const handlers = HttpApiBuilder.group(Api, "crawlPreview", (group) =>
  group.handle("preview", ({ payload: { url, prompt } }) =>
    Effect.sync(() => {
      const { params, warning } = crawlParamsFromPrompt(url, prompt)
      return { success: true, data: { url, ...params }, ...(warning === undefined ? {} : { warning }) }
    })
  )
)
