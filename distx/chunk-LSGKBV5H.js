import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  forget,
  rangeOf
} from "./chunk-JY6Y7VY7.js";
import {
  layer
} from "./chunk-B6Z23CTJ.js";
import "./chunk-Q3EFARSN.js";
import "./chunk-QVSNP7MA.js";
import {
  withEngineStore
} from "./chunk-4D2OEZ5S.js";
import {
  data,
  profile
} from "./chunk-22T4FJR7.js";
import {
  integer,
  make,
  oneOf,
  optional,
  text,
  toggle,
  withDefault
} from "./chunk-FCWYZXNV.js";
import {
  WrongUsage,
  count,
  table
} from "./chunk-BMNGXVO7.js";
import "./chunk-CZDJQLZL.js";
import "./chunk-Y3UV4EDE.js";
import "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-NEXSCO5F.js";
import {
  SqlClient
} from "./chunk-3IJJA3UF.js";
import "./chunk-7DF5MID3.js";
import "./chunk-4U3SQ3WC.js";
import "./chunk-DUMKR6VQ.js";
import {
  TaggedError
} from "./chunk-PAQDWWDE.js";
import {
  flatMap5 as flatMap,
  gen,
  map9 as map,
  provide2 as provide
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import "./chunk-FWQRLSGQ.js";
import {
  canParse
} from "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Engine/Search/Shelf.ts
var conditions = (sql, { site, team, url }) => {
  let [from, to] = rangeOf(site ?? "");
  return sql.and([
    sql`true`,
    ...team === void 0 ? [] : [sql`p.team = ${team}`],
    ...site === void 0 ? [] : [sql`p.host >= ${from} AND p.host < ${to}`],
    ...url === void 0 ? [] : (
      // In GLOB, `?` and `[` are wildcards too: escape them.
      [url.includes("*") ? sql`p.url GLOB ${url.replace(/[?[]/g, "[$&]")}` : sql`p.url = ${url}`]
    )
  ]);
}, list = (which, limit) => flatMap(
  SqlClient,
  (sql) => sql`
      SELECT p.team, p.url, t.title, p.published, p.first_seen AS "firstSeen", p.last_seen AS "lastSeen"
      FROM search_page p JOIN search_text t ON t.id = p.id WHERE ${conditions(sql, which)}
      ORDER BY p.last_seen DESC, p.id DESC LIMIT ${limit}`
), portion = 500, remove = (which) => gen(function* () {
  let sql = yield* SqlClient, removeSome = sql.withTransaction(
    gen(function* () {
      let gone = yield* sql`
          DELETE FROM search_page WHERE id IN (
            SELECT p.id FROM search_page p WHERE ${conditions(sql, which)} LIMIT ${portion}) RETURNING id`, ids = JSON.stringify(gone.map(({ id }) => id));
      return yield* sql`DELETE FROM search_word WHERE rowid IN (SELECT value FROM json_each(${ids}))`, yield* forget(sql, ids), yield* sql`DELETE FROM search_image WHERE page IN (SELECT value FROM json_each(${ids}))`, yield* sql`DELETE FROM search_pending WHERE id IN (SELECT value FROM json_each(${ids}))`, yield* sql`DELETE FROM search_text WHERE id IN (SELECT value FROM json_each(${ids}))`, gone.length;
    })
  ), removed = 0;
  for (let last = portion; last === portion; removed += last) last = yield* removeSome;
  return removed;
});

// src/Cli/Index.ts
var parameters = {
  action: oneOf("ACTION", ["list", "rm"], "list or rm."),
  url: optional("URL", "The page, or many: * stands for anything. Parsed files are upload:NAME."),
  site: text("HOST", "Pages of this host and of those below it."),
  team: text("NAME", "Pages of this team only; default: of every team."),
  all: toggle("For rm: everything, or with --team all of the team."),
  limit: withDefault(integer("N", "At most N pages of list; default: 100.", { minimum: 1 }), 100),
  data: data("the local engine's store"),
  profile,
  json: toggle("Prints a line of JSON for each page.")
}, command = make({
  details: "Pages come in when they are scraped, crawled or parsed, and again whenever they are read again; but not with zeroDataRetention, nor when they were fetched with headers that may be secrets, with a name and a password, or with a browser profile. Removing one, with its images, leaves jobs and their results as they are.",
  parameters,
  examples: [
    { line: "sluice index list --limit 20", what: "the pages read last" },
    { line: "sluice index rm https://example.com/private", what: "one page, for every team" },
    { line: 'sluice index rm "https://example.com/drafts/*" --team acme', what: "a section, for one team" },
    { line: "sluice index rm --site example.com", what: "a domain" },
    { line: "sluice index rm --all", what: "begins anew" }
  ],
  run: (options, terminal) => run(options, terminal)
}), NotIndexed = class extends TaggedError("NotIndexed") {
  get message() {
    return `${this.which} is not in the search index; sluice index list shows what is`;
  }
}, iso = (time) => time === null ? null : new Date(time).toISOString(), list2 = ({ json, limit, site, team, url }, terminal) => map(list({ site, team, url }, limit), (pages) => {
  if (json) {
    for (let { firstSeen, lastSeen, published, ...page } of pages) {
      let dates = { published: iso(published), firstSeen: iso(firstSeen), lastSeen: iso(lastSeen) };
      terminal.out.write(`${JSON.stringify({ ...page, ...dates })}
`);
    }
    return;
  }
  let isNarrow = site !== void 0 || team !== void 0 || url !== void 0;
  if (pages.length === 0) terminal.err.write(`the search index ${isNarrow ? "has no such page" : "is empty"}
`);
  else {
    let rows = pages.map(({ lastSeen, title, url: url2 }) => [
      url2,
      iso(lastSeen)?.slice(0, 16).replace("T", " ") ?? "",
      title.slice(0, 80)
    ]);
    terminal.out.write(`${table([["page"], ["read"], ["title"]], rows, terminal.out).join(`
`)}
`);
  }
}), remove2 = ({ all, json, site, team, url }, terminal) => gen(function* () {
  if ((url === void 0 && site === void 0) == !all)
    return yield* new WrongUsage({
      reason: "sluice index rm takes the URL of a page or a --site, or --all; one of them, and --team besides"
    });
  let written = yield* remove({ site, team, url }), href = url !== void 0 && canParse(url) ? new URL(url).href : void 0, removed = written === 0 && href !== void 0 && href !== url ? yield* remove({ site, team, url: href }) : written;
  if (!all && removed === 0) return yield* new NotIndexed({ which: url ?? site ?? "" });
  json ? terminal.out.write(`${JSON.stringify({ removed })}
`) : terminal.err.write(`removed ${count(removed, "page")}
`);
}), run = (options, terminal) => options.url === "" ? new WrongUsage({ reason: "URL is empty: say which pages are meant" }) : withEngineStore(options, terminal, "there is nothing to search", (dataDir) => {
  let act = options.action === "rm" ? remove2(options, terminal) : list2(options, terminal);
  return provide(act, layer(dataDir));
});
export {
  command
};
