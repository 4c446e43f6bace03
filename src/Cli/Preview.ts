/** `sluice preview`: the crawl parameters that a prompt leads to; nothing is crawled. */
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  url: Parameter.one("URL", "Where the crawl would start."),
  prompt: Parameter.one("PROMPT", "What to crawl and what not, in your words."),
  data: Parameter.text("DIR", "Folder of the local engine's store; default: .sluice, or SLUICE_DATA."),
  profile: Parameter.text("NAME", "Settings from config/NAME.yaml or a path; the environment goes before them."),
  json: Parameter.toggle("Prints the whole answer as one JSON object.")
}

export type PreviewParameters = Parameter.Values<typeof parameters>

export const preview = Verb.make({
  name: "preview",
  summary: "Shows the crawl parameters that a prompt leads to.",
  details:
    "Prints them as they can stand under `crawl: { params: … }` of a pipeline. By SLUICE_LLM_MODEL when it is set, which is shown links of the site; by rules without one. What was not understood is said on stderr.",
  parameters,
  examples: [
    { line: 'sluice preview https://example.com "only the docs, 50 pages, no changelog"', what: "paths and a limit" },
    { line: 'sluice preview https://example.com "the blog of 2025" --json', what: "with who has answered" }
  ],
  load: () => import("./Preview/Program.ts")
})
