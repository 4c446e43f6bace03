/** `sluice search`: results of a search, from the service of the settings or the local engine. */
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  query: Parameter.one("QUERY", "Words, phrases in quotes, -word, and operators like site: and filetype:."),
  limit: Parameter.integer("N", "At most N results of each source; default: 10.", { minimum: 1, maximum: 100 }),
  source: Parameter.choice("SOURCE", ["web", "images", "news", "all"], "web, images, news or all; default: web."),
  provider: Parameter.text(
    "NAMES",
    "Asks only these of SLUICE_SEARCH_PROVIDERS, in this order, comma separated; local is what was gathered here."
  ),
  data: Parameter.text("DIR", "Folder of the local engine's store; default: .sluice, or SLUICE_DATA."),
  profile: Parameter.text("NAME", "Settings from config/NAME.yaml or a path; the environment goes before them."),
  json: Parameter.toggle("Prints the answer as one JSON object.")
}

export type SearchParameters = Parameter.Values<typeof parameters>

export const search = Verb.make({
  name: "search",
  summary: "Searches the web, or what was gathered here.",
  details:
    "Without SLUICE_BASE_URL the local engine answers: from the providers in SLUICE_SEARCH_PROVIDERS, else from the pages and files that it has read. What could not be honoured is said on stderr.",
  parameters,
  examples: [
    { line: 'sluice search "tide tables filetype:pdf"', what: "among what was gathered" },
    { line: 'sluice search "harbour pilots" --source news --limit 20 --json', what: "for a program" },
    { line: "sluice search tides --provider brave,local", what: "Brave, and the own index if that fails" }
  ],
  load: () => import("./Search/Program.ts")
})
