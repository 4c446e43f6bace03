/** Flags of `sluice watch`. */
import * as Parameter from "../Parameter.ts"
import * as SharedFlags from "../SharedFlags.ts"

export const parameters = {
  urls: Parameter.several("URL", "Pages or files to watch, such as PDFs; with --section, the start of each section."),
  every: Parameter.withDefault(
    Parameter.duration("TIME", "Time between two visits, like 30m, 1h or 1d; at least 1m; default: 1h."),
    3_600_000
  ),
  once: Parameter.toggle("Visits once (the first time, twice) and exits, for use with another scheduler."),
  until: Parameter.texts(
    "CONDITION",
    "Ends when a condition is met: changed; a text, when a page has it; without:TEXT, when no page has it; a time or a duration like 2h. May be repeated: one is enough."
  ),
  notify: Parameter.texts(
    "TARGET",
    "Also sends each change to the address of a webhook or of Slack, to an e-mail address, or to command:PROGRAM. May be repeated."
  ),
  "quiet-hours": Parameter.text(
    "FROM-TO",
    "With --notify: sends nothing in these hours, like 22:00-07:00, in local time."
  ),
  digest: Parameter.duration(
    "TIME",
    "With --notify: collects changes for this long after the first one, and sends them as one message."
  ),
  login: Parameter.text(
    "FILE",
    "Signs in first: a YAML file with the `login` of a definition. Its ${{ secrets.NAME }} are read from the environment."
  ),
  select: Parameter.texts("CSS", "Watches only the parts of the page that this selector finds. May be repeated."),
  always: Parameter.texts(
    "REGEX",
    "Reports every change in blocks whose text matches, even one that occurs at every visit. May be repeated."
  ),
  ignore: Parameter.texts("REGEX", "Ignores changes in blocks whose text matches. May be repeated."),
  goal: Parameter.text(
    "TEXT",
    "Reports only changes that matter to this goal, like 'the price fell'. The language model of the settings is asked about each one."
  ),
  "goal-limit": Parameter.integer(
    "N",
    "With --goal: maximum number of questions in one visit; further changes are reported. Default: 20.",
    {
      minimum: 0,
      maximum: 10_000
    }
  ),
  "show-ignored": Parameter.toggle("Lists the differences that occur at every visit and are ignored."),
  section: Parameter.toggle("Watches all pages below each URL: new, changed and removed ones."),
  search: Parameter.text("WORDS", "Watches a search in place of pages, for new results."),
  limit: Parameter.integer(
    "N",
    "Maximum number of pages of a section (default: 200), or of results of a search (default: 20).",
    {
      minimum: 1,
      maximum: 10_000
    }
  ),
  write: Parameter.text("FILE", "Writes the watch as a pipeline, and exits; - prints it."),
  data: SharedFlags.data("the engine's store and the ledger"),
  profile: SharedFlags.profile,
  json: Parameter.toggle("Prints one JSON object for each change on stdout."),
  quiet: SharedFlags.quiet
}

export type WatchOptions = Parameter.Values<typeof parameters>
