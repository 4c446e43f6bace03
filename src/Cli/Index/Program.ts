/** Opens the engine's store, and lists or removes what can be searched there. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { canParse } from "../../Api/Url.ts"
import * as Shelf from "../../Engine/Search/Shelf.ts"
import * as Store from "../../Engine/Store.ts"
import { WrongUsage } from "../Errors.ts"
import type { IndexParameters } from "../Index.ts"
import { within } from "../Store.ts"
import { table } from "../Table.ts"
import type { Terminal } from "../Terminal.ts"
import { count } from "../Words.ts"

/** There is nothing to take out. */
class NotIndexed extends Data.TaggedError("NotIndexed")<{ readonly which: string }> {
  override get message() {
    return `${this.which} is not in the search index; sluice index list shows what is`
  }
}

const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString())

const list = ({ json, limit, site, team, url }: IndexParameters, terminal: Terminal) =>
  Effect.map(Shelf.list({ site, team, url }, limit), (pages) => {
    if (json) {
      for (const { firstSeen, lastSeen, published, ...page } of pages) {
        const dates = { published: iso(published), firstSeen: iso(firstSeen), lastSeen: iso(lastSeen) }
        terminal.out.write(`${JSON.stringify({ ...page, ...dates })}\n`)
      }
      return
    }
    const isNarrow = site !== undefined || team !== undefined || url !== undefined
    if (pages.length === 0) terminal.err.write(`the search index ${isNarrow ? "has no such page" : "is empty"}\n`)
    else {
      const rows = pages.map(({ lastSeen, title, url }) => [
        url,
        iso(lastSeen)?.slice(0, 16).replace("T", " ") ?? "",
        title.slice(0, 80)
      ])
      terminal.out.write(`${table([["page"], ["read"], ["title"]], rows, terminal.out).join("\n")}\n`)
    }
  })

const remove = ({ all, json, site, team, url }: IndexParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    if ((url === undefined && site === undefined) === !all) {
      return yield* new WrongUsage({
        reason: "sluice index rm takes the URL of a page or a --site, or --all; one of them, and --team besides"
      })
    }
    const written = yield* Shelf.remove({ site, team, url })
    // As it is kept: with a path, in lower case where that means the same.
    const href = url !== undefined && canParse(url) ? new URL(url).href : undefined
    const isOther = written === 0 && href !== undefined && href !== url
    const removed = isOther ? yield* Shelf.remove({ site, team, url: href }) : written
    if (!all && removed === 0) return yield* new NotIndexed({ which: url ?? site ?? "" })
    if (json) terminal.out.write(`${JSON.stringify({ removed })}\n`)
    else terminal.err.write(`removed ${count(removed, "page")}\n`)
  })

export const program = (options: IndexParameters, terminal: Terminal) => {
  // As by a script whose variable is not set; options refuse it by themselves.
  if (options.url === "") return new WrongUsage({ reason: "URL is empty: say which pages are meant" })
  return within(options, terminal, "there is nothing to search", (dataDir) => {
    const act = options.action === "rm" ? remove(options, terminal) : list(options, terminal)
    return Effect.provide(act, Store.layer(dataDir))
  })
}
