/** `sluice index`: lists and removes pages of the local engine's search index. */

import * as Effect from "effect/Effect"
import { canParse } from "../Api/Url.ts"
import * as IndexAdmin from "../Engine/Search/IndexAdmin.ts"
import * as Store from "../Engine/Store/Store.ts"
import { commandFailed, wrongUsage } from "./CommandErrors.ts"
import { withEngineStore } from "./Folder.ts"
import { count, isoOrNull, writeTable } from "./Format.ts"
import * as Parameter from "./Parameter.ts"
import * as SharedFlags from "./SharedFlags.ts"
import type { Terminal } from "./Terminal.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  action: Parameter.oneOf("ACTION", ["list", "rm"], "list or rm."),
  url: Parameter.optional("URL", "URL of a page, or of many with * for any text. Parsed files are upload:NAME."),
  site: Parameter.text("HOST", "Only pages of this host and its subdomains."),
  team: Parameter.text("NAME", "Only pages of this team; default: pages of every team."),
  all: Parameter.toggle("For rm: removes everything, or with --team all pages of that team."),
  limit: Parameter.withDefault(Parameter.integer("N", "Lists at most N pages; default: 100.", { minimum: 1 }), 100),
  data: SharedFlags.data("the local engine's store"),
  profile: SharedFlags.profile,
  json: Parameter.toggle("Prints a line of JSON for each page.")
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details:
    "The index takes in pages when they are scraped, crawled or parsed, each time they are read. It leaves out pages with zeroDataRetention, and pages that were fetched with headers that may be secrets, with a user name and password, or with a browser profile. Removing a page also removes its images; jobs and their results stay as they are.",
  parameters,
  examples: [
    { line: "sluice index list --limit 20", what: "the pages read last" },
    { line: "sluice index rm https://example.com/private", what: "one page, for every team" },
    { line: 'sluice index rm "https://example.com/drafts/*" --team acme', what: "a section, for one team" },
    { line: "sluice index rm --site example.com", what: "a domain" },
    { line: "sluice index rm --all", what: "empties the index" }
  ],
  run: (options, terminal) => run(options, terminal)
})

const list = ({ json, limit, site, team, url }: Options, terminal: Terminal) =>
  Effect.map(IndexAdmin.list({ site, team, url }, limit), (pages) => {
    if (json) {
      for (const { firstSeen, lastSeen, published, ...page } of pages) {
        const dates = {
          published: isoOrNull(published),
          firstSeen: isoOrNull(firstSeen),
          lastSeen: isoOrNull(lastSeen)
        }
        terminal.out.write(`${JSON.stringify({ ...page, ...dates })}\n`)
      }
      return
    }
    const isNarrow = site !== undefined || team !== undefined || url !== undefined
    if (pages.length === 0) terminal.err.write(`the search index ${isNarrow ? "has no such page" : "is empty"}\n`)
    else {
      const rows = pages.map(({ lastSeen, title, url }) => [
        url,
        isoOrNull(lastSeen)?.slice(0, 16).replace("T", " ") ?? "",
        title.slice(0, 80)
      ])
      writeTable([["page"], ["read"], ["title"]], rows, terminal.out)
    }
  })

const remove = ({ all, json, site, team, url }: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    if ((url === undefined && site === undefined) === !all) {
      return yield* wrongUsage("sluice index rm takes one of URL, --site and --all, each also with --team")
    }
    const written = yield* IndexAdmin.remove({ site, team, url })
    // The index stores the normalized URL, with a path and a lower-case host.
    const href = url !== undefined && canParse(url) ? new URL(url).href : undefined
    const isOther = written === 0 && href !== undefined && href !== url
    const removed = isOther ? yield* IndexAdmin.remove({ site, team, url: href }) : written
    if (!all && removed === 0) {
      return yield* commandFailed(`${url ?? site} is not in the search index; sluice index list shows what is`)
    }
    if (json) terminal.out.write(`${JSON.stringify({ removed })}\n`)
    else terminal.err.write(`removed ${count(removed, "page")}\n`)
  })

const run = (options: Options, terminal: Terminal) => {
  // A script with an unset variable passes an empty argument. Flags refuse that already.
  if (options.url === "") return wrongUsage("URL is empty: name the pages to remove")
  return withEngineStore(options, terminal, "there is nothing to search", (dataDir) => {
    const act = options.action === "rm" ? remove(options, terminal) : list(options, terminal)
    return Effect.provide(act, Store.layer(dataDir))
  })
}
