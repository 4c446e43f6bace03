/** Flags of `sluice watch`. */
import * as Parameter from "../Parameter.ts"
import * as SharedFlags from "../SharedFlags.ts"

export const parameters = {
  urls: Parameter.several("URL", "Pages or files to watch, such as PDFs; with --section, the start of each section."),
  every: Parameter.withDefault(
    Parameter.duration("TIME", "Time between two visits, like 30m, 1h or 1d; at least 1m; default: 1h."),
    3_600_000
  ),
  once: Parameter.toggle("Visits once and ends, for a scheduler that you have; the first time, twice."),
  until: Parameter.texts(
    "CONDITION",
    "Ends when one of them holds: changed; words that a page has; without:TEXT, when no page has it; a time or a duration like 2h. May be repeated."
  ),
  notify: Parameter.texts(
    "TARGET",
    "Sends each change, too: an address of a webhook or of Slack, an e-mail address, or command:PROGRAM. May be repeated."
  ),
  "quiet-hours": Parameter.text("FROM-TO", "Sends nothing in these hours, like 22:00-07:00, by the local time."),
  digest: Parameter.duration("TIME", "Collects the changes of this time into one message."),
  login: Parameter.text(
    "FILE",
    "Signs in first: a YAML file with the `login` of a definition. Its ${{ secrets.NAME }} are variables of the environment."
  ),
  select: Parameter.texts("CSS", "Watches only what this selector finds. May be repeated."),
  always: Parameter.texts("REGEX", "A difference in a block with a match always counts. May be repeated."),
  ignore: Parameter.texts("REGEX", "Blocks with a match do not count. May be repeated."),
  goal: Parameter.text(
    "TEXT",
    "Reports only changes that matter to this goal, like 'the price fell'. The language model of the settings is asked about each one."
  ),
  "goal-limit": Parameter.integer("N", "Questions of one visit, at most; further changes are reported. Default: 20.", {
    minimum: 0,
    maximum: 10_000
  }),
  "show-ignored": Parameter.toggle("Lists what was learned to differ at every visit, and does not count."),
  section: Parameter.toggle("Watches all pages below each URL: new, changed and removed ones."),
  search: Parameter.text("WORDS", "Watches a search in place of pages, for new results."),
  limit: Parameter.integer("N", "Pages of a section (default: 200), or results of a search (default: 20).", {
    minimum: 1,
    maximum: 10_000
  }),
  write: Parameter.text("FILE", "Writes the pipeline that this is, and ends; - prints it."),
  data: SharedFlags.data("the engine's store and the ledger"),
  profile: SharedFlags.profile,
  json: Parameter.toggle("Prints one JSON object for each change on stdout."),
  quiet: SharedFlags.quiet
}

export type WatchOptions = Parameter.Values<typeof parameters>
