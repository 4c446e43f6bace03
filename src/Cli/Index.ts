/** `sluice index`: what the local engine can be searched for, and how to take pages out. */
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  action: Parameter.oneOf("ACTION", ["list", "rm"], "list or rm."),
  url: Parameter.optional("URL", "The page, or many: * stands for anything. Parsed files are upload:NAME."),
  site: Parameter.text("HOST", "Pages of this host and of those below it."),
  team: Parameter.text("NAME", "Pages of this team only; default: of every team."),
  all: Parameter.toggle("For rm: everything, or with --team all of the team."),
  limit: Parameter.withDefault(Parameter.integer("N", "At most N pages of list; default: 100.", { minimum: 1 }), 100),
  data: Parameter.text("DIR", "Folder of the local engine's store; default: .sluice, or SLUICE_DATA."),
  profile: Parameter.text("NAME", "Settings from config/NAME.yaml or a path; the environment goes before them."),
  json: Parameter.toggle("Prints a line of JSON for each page.")
}

export type IndexParameters = Parameter.Values<typeof parameters>

export const index = Verb.make({
  name: "index",
  summary: "Shows what the local engine can be searched for, and takes pages out of it.",
  details:
    "Pages come in when they are scraped, crawled or parsed, and again whenever they are read again; but not with zeroDataRetention, nor when they were fetched with headers that may be secrets, with a name and a password, or with a browser profile. Removing one, with its images, leaves jobs and their results as they are.",
  parameters,
  examples: [
    { line: "sluice index list --limit 20", what: "the pages read last" },
    { line: "sluice index rm https://example.com/private", what: "one page, for every team" },
    { line: 'sluice index rm "https://example.com/drafts/*" --team acme', what: "a section, for one team" },
    { line: "sluice index rm --site example.com", what: "a domain" },
    { line: "sluice index rm --all", what: "begins anew" }
  ],
  load: () => import("./Index/Program.ts")
})
