/** APIs as users of other tools met them: paging, limits and answers. */
import { gzipSync } from "node:zlib"
import type { Asked, Reply } from "../Client/Server.ts"
import { expect, it } from "../It.ts"
import { ask } from "../Step/OneApi.ts"
import type { Case } from "./Case.ts"

interface Api extends Case {
  readonly reply: (asked: Asked, base: string) => Reply | undefined
  readonly fields?: Readonly<Record<string, unknown>>
  readonly path?: string
  readonly each?: ReadonlyArray<unknown>
  /** Values of the rows' field `id`. */
  readonly ids?: ReadonlyArray<unknown>
  readonly rows?: ReadonlyArray<unknown>
  /** What the server was asked, without the path. */
  readonly asked?: ReadonlyArray<string>
  readonly fails?: RegExp
  readonly warns?: RegExp
  /** True if the step is marked as incomplete. */
  readonly isIncomplete?: boolean
  readonly rejects?: ReadonlyArray<string>
}

const query = ({ path }: Asked) => new URL(path, "http://x").searchParams
const items = (...ids: ReadonlyArray<unknown>) => ids.map((id) => ({ id }))
/** Pages of 2 of the numbers up to 5, by the number of the first one. */
const slice = (from: number, size = 2) => items(...[1, 2, 3, 4, 5].slice(from, from + size))
const json = (body: unknown, headers = {}): Reply => ({ body, headers })
const text = (body: string | Uint8Array, type: string): Reply => ({ body, headers: { "content-type": type } })
const cursor = { rows: "items", next: { cursor: { param: "after", from: "next" } } }

const cases: ReadonlyArray<Api> = [
  {
    name: "a cursor in the body leads from page to page until it is null",
    source: "connect#752, dlt#1881",
    fields: cursor,
    reply: (asked) => {
      const at = Number(query(asked).get("after") ?? 0)
      return json({ items: slice(at), next: at + 2 < 5 ? String(at + 2) : null })
    },
    ids: [1, 2, 3, 4, 5],
    asked: ["", "?after=2", "?after=4"]
  },
  {
    name: "a cursor that is a number is sent as one, and 0 is a cursor",
    source: "dlt#3374",
    fields: { rows: "items", next: { cursor: { param: "after", from: "next" } } },
    reply: (asked) => {
      const at = query(asked).get("after")
      return at === null ? json({ items: items(1), next: 0 }) : json({ items: items(2) })
    },
    ids: [1, 2],
    asked: ["", "?after=0"]
  },
  {
    name: "a cursor that the last, empty page repeats ends the pages",
    source: "dlt#3358, habanero#78",
    fields: cursor,
    reply: (asked) => {
      const at = Number(query(asked).get("after") ?? 0)
      return json({ items: slice(at), next: Math.min(5, at + 2) })
    },
    ids: [1, 2, 3, 4, 5],
    asked: ["", "?after=2", "?after=4", "?after=5"]
  },
  {
    name: "a cursor that repeats on a page with rows fails instead of going on for ever",
    source: "langsmith-sdk#347, issue 38",
    fields: cursor,
    reply: ({ path }) => json({ items: items(path), next: path.includes("a") && !path.includes("=b") ? "b" : "a" }),
    fails: /the pages would never end/
  },
  {
    name: "a server that ignores the cursor and gives the first page again fails",
    source: "openproject#24774",
    fields: { rows: "items", next: { cursor: { param: "cursr", from: "next" } } },
    reply: ({ path }) => json({ items: items(1, 2), next: path.length }),
    fails: /leads back to a page that was read.*cursr/
  },
  {
    name: "a server that ignores the number of the page fails, and does not double its rows",
    source: "openproject#24774",
    fields: { rows: "items", next: { page: { param: "pg" } } },
    reply: () => json({ items: items(1, 2) }),
    fails: /the API ignores pg.*stop: same/
  },
  {
    name: "a server that repeats its last page ends there with stop: same",
    source: "issue 38",
    fields: { rows: "items", next: { page: { param: "page", stop: "same" } } },
    reply: (asked) => json({ items: slice((Math.min(3, Number(query(asked).get("page"))) - 1) * 2) }),
    ids: [1, 2, 3, 4, 5]
  },
  {
    name: "the first cursor can be given, as Solr and Crossref want it",
    source: "dlt#4428",
    fields: { rows: "items", next: { cursor: { param: "cursor", from: "next", start: "*" } } },
    reply: (asked) =>
      query(asked).get("cursor") === "*" ? json({ items: items(1), next: "x" }) : json({ items: items(2) }),
    ids: [1, 2],
    asked: ["?cursor=*", "?cursor=x"]
  },
  {
    name: "a cursor in a header is found by its name in lower case",
    source: "dlt#2280",
    fields: { next: { cursor: { param: "page", from: "$headers.nextpagetoken" } } },
    reply: (asked) => (query(asked).get("page") === "2" ? json(items(2)) : json(items(1), { NextPageToken: "2" })),
    ids: [1, 2]
  },
  {
    name: "rows that are null are a page without rows",
    source: "dlt#2932",
    fields: cursor,
    reply: (asked) =>
      query(asked).get("after") === null ? json({ items: items(1), next: "t" }) : json({ items: null, next: null }),
    ids: [1]
  },
  {
    name: "has_more decides where the cursor never ends",
    source: "dlt#3358, dlt#4227",
    fields: { rows: "items", next: { cursor: { param: "after", from: "more ? items[-1].id" } } },
    reply: (asked) => {
      const at = Number(query(asked).get("after") ?? 0)
      return json({ items: slice(at), more: at + 2 < 5 })
    },
    ids: [1, 2, 3, 4, 5]
  },
  {
    name: "the offset grows by the rows that came, where the server gives fewer than were asked for",
    source: "dlt#2274",
    fields: { query: { limit: 500 }, rows: "items", next: { offset: { param: "offset" } } },
    reply: (asked) => json({ items: slice(Number(query(asked).get("offset"))) }),
    ids: [1, 2, 3, 4, 5],
    asked: ["?limit=500&offset=0", "?limit=500&offset=2", "?limit=500&offset=4", "?limit=500&offset=5"]
  },
  {
    name: "a total as a string ends the offsets without a request for an empty page",
    source: "duckle#41",
    fields: { rows: "items", next: { offset: { param: "offset", stop: "total", total: "total_count" } } },
    reply: (asked) => json({ items: slice(Number(query(asked).get("offset"))), total_count: "5" }),
    ids: [1, 2, 3, 4, 5],
    asked: ["?offset=0", "?offset=2", "?offset=4"]
  },
  {
    name: "a total that is larger than what there is ends at the empty page",
    source: "osparc-simcore#9729",
    fields: { rows: "items", next: { offset: { param: "offset", stop: "total", total: "total" } } },
    reply: (asked) => json({ items: slice(Number(query(asked).get("offset"))), total: 99 }),
    ids: [1, 2, 3, 4, 5],
    warns: /page 4 has no rows, and only 5 of 99 rows have come/,
    isIncomplete: true
  },
  {
    name: "a total that is no number is an error that names it",
    source: "dlt#2274",
    fields: { rows: "items", next: { offset: { param: "offset", stop: "total", total: "count" } } },
    reply: () => json({ items: items(1), total: 3 }),
    fails: /total gives nothing, which is not a number/
  },
  {
    name: "an offset that grows by more rows than a page has is warned of",
    source: "own",
    fields: { query: { limit: 4 }, rows: "items", next: { offset: { param: "offset", by: 4 } } },
    reply: (asked) => json({ items: slice(Number(query(asked).get("offset"))) }),
    warns: /page 1 had 2 of 4 rows \(next\.offset\.by\).*rows are skipped: leave out by/,
    ids: [1, 2, 5]
  },
  {
    name: "an offset that grows by the size of a page ends behind a page that is not full",
    source: "own",
    fields: { rows: "items", next: { offset: { param: "offset", by: 2 } } },
    reply: (asked) => json({ items: slice(Number(query(asked).get("offset"))) }),
    ids: [1, 2, 3, 4, 5],
    asked: ["?offset=0", "?offset=2", "?offset=4", "?offset=6"]
  },
  {
    name: "the header Link is followed, with commas and semicolons in its addresses, in any order",
    source: "RFC 8288, tap-rest-api-msdk#66",
    fields: { rows: "seats", next: { link: "next" } },
    reply: (asked, base) =>
      query(asked).get("p") === "2"
        ? json({ seats: items(2) }, { link: `<${base}/items?p=1>; rel="prev first"` })
        : json(
            { seats: items(1) },
            { link: `<${base}/items?f=a,b;c>; title="x, <y>; rel=next"; rel=last, <?fields=a,b&p=2>; rel="NEXT"` }
          ),
    ids: [1, 2],
    asked: ["", "?fields=a,b&p=2"]
  },
  {
    name: "a relative address of the next page is one of the page that names it",
    source: "xibo#734",
    fields: { rows: "items", next: { url: "links.next" } },
    reply: (asked) =>
      query(asked).get("p") === "2"
        ? json({ items: items(2), links: { next: "" } })
        : json({ items: items(1), links: { next: "?p=2" } }),
    ids: [1, 2]
  },
  {
    name: "429 with Retry-After as a date is repeated",
    source: "RFC 9110, 10.2.3",
    reply: (() => {
      let count = 0
      return () =>
        count++ === 0
          ? { status: 429, headers: { "retry-after": new Date(Date.now() - 1000).toUTCString() }, body: {} }
          : json(items(1))
    })(),
    ids: [1]
  },
  {
    name: "a page of HTML with status 200 fails and says so",
    source: "issue 38",
    reply: () => text("<!doctype html><title>Sign in</title>", "text/html"),
    fails: /is an HTML page, not data/
  },
  {
    name: "a body that is cut off, or no JSON, fails with its beginning",
    source: "issue 38",
    reply: () => text('{"items": [1,', "application/json"),
    fails: /the answer is not valid JSON.*items/
  },
  {
    name: "JSON with a byte order mark is read",
    source: "issue 38",
    reply: () => text(Buffer.from('\ufeff[{"id":"ä"}]'), "application/json"),
    ids: ["ä"]
  },
  {
    name: "JSON in the encoding that its type names is read",
    source: "own",
    reply: () => text(Buffer.from('[{"id":"ä"}]', "latin1"), "application/json; charset=iso-8859-1"),
    ids: ["ä"]
  },
  {
    name: "integers beyond 2^53 keep their digits, with a warning",
    source: "issue 38",
    reply: () => text('[{"id":9007199254740993}]', "application/json"),
    ids: ["9007199254740993"],
    warns: /9007199254740993/
  },
  {
    name: "an answer that grows beyond 64 MiB when it is unpacked fails, and is not repeated",
    source: "own",
    reply: () => ({
      headers: { "content-type": "application/json", "content-encoding": "gzip" },
      body: gzipSync(Buffer.alloc(65 * 1024 * 1024, " "))
    }),
    fails: /the answer has more than 64 MiB beside the array of its root: say with rows where its rows are/,
    asked: [""]
  },
  {
    name: "no content is no row",
    source: "own",
    reply: () => ({ status: 204, headers: { "content-length": 0 } }),
    ids: []
  },
  {
    name: "rows that name nothing fail, with the names that are there, and replace no file",
    source: "own",
    fields: { rows: "data.itmes" },
    reply: () => json({ data: { items: [] }, meta: 1 }),
    fails: /rows \(data\.itmes\) gives nothing: data has no itmes, did you mean "items"\? It has items\./
  },
  {
    name: "rows that the error of an API with status 200 does not have fail",
    source: "n8n#8454",
    fields: { rows: "data" },
    reply: () => json({ error: "over quota" }),
    fails: /the answer has no data, but error\..*write data \?\? \[\]/
  },
  {
    name: "a later page with an error and status 200 ends the pages, but the list is not complete",
    source: "n8n#8454",
    fields: cursor,
    reply: (asked) =>
      query(asked).get("after") === null ? json({ items: items(1), next: "b" }) : json({ error: "over quota" }),
    ids: [1],
    warns:
      /rows \(items\) gives nothing, and the answer is an object with error, so rows may be missing.*items \?\? \[\]/,
    isIncomplete: true
  },
  {
    name: "a later page without a body ends the pages, but the list is not complete",
    source: "own",
    fields: { next: { page: { param: "page" } } },
    reply: (asked) => (query(asked).get("page") === "1" ? json(items(1)) : text("", "application/json")),
    ids: [1],
    warns: /page 2 has an empty body, so rows may be missing.*write rows: \$ \?\? \[\]/,
    isIncomplete: true
  },
  {
    name: "a later page without a body can be said to be the end",
    source: "own",
    fields: { rows: "$ ?? []", next: { page: { param: "page" } } },
    reply: (asked) => (query(asked).get("page") === "1" ? json(items(1)) : text("", "application/json")),
    ids: [1],
    isIncomplete: false
  },
  {
    name: "rows that an API leaves out where there are none can be said to be none",
    source: "own",
    fields: { rows: "items ?? []" },
    reply: () => json({ kind: "list" }),
    ids: []
  },
  {
    name: "an empty array of rows is a right answer, also below an empty array",
    source: "own",
    fields: { rows: "groups.items" },
    reply: () => json({ groups: [] }),
    ids: [],
    warns: /groups\.items/
  },
  {
    name: "an empty array of rows is a right answer",
    source: "own",
    fields: { rows: "items" },
    reply: () => json({ items: [] }),
    ids: []
  },
  {
    name: "a cursor that the first answer does not have is warned of, with the names that are there",
    source: "dlt#4428, n8n#34618",
    fields: { rows: "items", next: { cursor: { param: "after", from: "meta.next_cursr" } } },
    reply: () => json({ items: items(1), meta: { next_cursor: "x" } }),
    ids: [1],
    warns:
      /next\.cursor\.from \(meta\.next_cursr\) gives nothing.*meta has no next_cursr, did you mean "next_cursor"\? It has next_cursor/
  },
  {
    name: "a cursor that is null on the first page is an end without a word",
    source: "own",
    fields: { rows: "items", next: { cursor: { param: "after", from: "meta.next" } } },
    reply: () => json({ items: items(1), meta: { next: null } }),
    ids: [1]
  },
  {
    name: "a cursor below an object that is null is an end without a word",
    source: "own",
    fields: { rows: "items", next: { cursor: { param: "after", from: "meta.next" } } },
    reply: () => json({ items: items(1), meta: null }),
    ids: [1]
  },
  {
    name: "a cursor that an API leaves out of its last page can be said to be none",
    source: "own",
    fields: { rows: "items", next: { cursor: { param: "after", from: "next ?? null" } } },
    reply: () => json({ items: items(1) }),
    ids: [1]
  },
  {
    name: "a cursor that is missing on a later page is the end",
    source: "own",
    fields: cursor,
    reply: (asked) =>
      query(asked).get("after") === null ? json({ items: items(1), next: "b" }) : json({ items: items(2) }),
    ids: [1, 2]
  },
  {
    name: "an address of the next page that the first answer does not have is warned of",
    source: "own",
    fields: { rows: "items", next: { url: "links.nxt" } },
    reply: () => json({ items: items(1), links: { self: "/items", next: "?p=2" } }),
    ids: [1],
    warns: /next\.url \(links\.nxt\) gives nothing.*links has no nxt, did you mean "next"\?/
  },
  {
    name: "a header that the first answer does not have is warned of",
    source: "own",
    fields: { next: { cursor: { param: "page", from: '$headers."x-next-pag"' } } },
    reply: () => json(items(1), { "x-next-page": "2" }),
    ids: [1],
    warns: /the answer has no header x-next-pag, did you mean "x-next-page"\?/
  },
  {
    name: "a first page without the header Link is warned of",
    source: "own",
    fields: { next: { link: "next" } },
    reply: () => json(items(1)),
    ids: [1],
    warns: /the answer has no header Link, so it was read as the only page/
  },
  {
    name: "a header Link without a next page is an end without a word",
    source: "own",
    fields: { next: { link: "next" } },
    reply: () => json(items(1), { link: '</items?p=1>; rel="first"' }),
    ids: [1]
  },
  {
    name: "an array of one object is one row, whatever the expression filters",
    source: "own",
    fields: { rows: "items[id > 1]" },
    reply: () => json({ items: items(1, 2) }),
    ids: [2]
  },
  {
    name: "values that are no objects are rejects that say how to make rows of them",
    source: "own",
    reply: () => json([{ id: 1 }, "a", null]),
    ids: [1],
    warns: /2 of 3 rows were rejected/,
    rejects: ["NotAnObject", "NotAnObject"]
  },
  {
    name: "JSON Lines are rows, and a broken line is a reject",
    source: "issue 38",
    reply: () => text('{"id":1}\n{"id":\n{"id":2}\n', "application/x-ndjson"),
    ids: [1, 2],
    rejects: ["LineMalformed"]
  },
  {
    name: "CSV is rows",
    source: "issue 38",
    reply: () => text('id,name\n1,"a, b"\n', "text/csv; charset=utf-8"),
    rows: [{ id: "1", name: "a, b" }]
  },
  {
    name: "CSV that seems to have another delimiter is warned of",
    source: "own",
    reply: () => text("id;name\n1;a\n", "text/csv"),
    rows: [{ "id;name": "1;a" }],
    warns: /the answer is CSV, and it is one column, "id;name": if semicolons separate its cells, set delimiter: ";"/
  },
  {
    name: "the delimiter of CSV can be given",
    source: "own",
    fields: { delimiter: ";" },
    reply: () => text('id;name\n1;"a; b"\n2;"c, d"\n', "text/csv"),
    rows: [
      { id: "1", name: "a; b" },
      { id: "2", name: "c, d" }
    ]
  },
  {
    name: "a gzip file is unpacked, which no header has to say",
    source: "own",
    reply: () => text(gzipSync('[{"id":1}]'), "application/json"),
    ids: [1]
  },
  {
    name: "a gzip file that is packed once more on its way is unpacked twice",
    source: "own",
    fields: { format: "jsonl" },
    reply: () => ({
      headers: { "content-type": "application/gzip", "content-encoding": "gzip" },
      body: gzipSync(gzipSync('{"id":1}\n{"id":2}\n'))
    }),
    ids: [1, 2]
  },
  {
    name: "the old name of the encoding gzip is understood",
    source: "RFC 9110, 8.4.1.3",
    reply: () => ({
      headers: { "content-type": "application/json", "content-encoding": "X-GZIP" },
      body: gzipSync('[{"id":1}]')
    }),
    ids: [1]
  },
  {
    name: "tabs separate what a type says they separate",
    source: "own",
    reply: () => text("id\tname\n1\ta,b\n", "text/tab-separated-values"),
    rows: [{ id: "1", name: "a,b" }]
  },
  {
    name: "XML becomes objects: attributes with @, several elements as an array",
    source: "issue 38",
    fields: { rows: "rss.channel.item" },
    reply: () =>
      text(
        '<?xml version="1.0"?><rss><channel><item id="1"><t>a &amp; b</t></item><item id="2"><t>c</t><t>d</t></item></channel></rss>',
        "application/xml"
      ),
    rows: [
      { "@id": "1", t: "a & b" },
      { "@id": "2", t: ["c", "d"] }
    ]
  },
  {
    name: "XML that is cut off fails",
    source: "own",
    reply: () => text("<a><b>1</b>", "application/xml"),
    fails: /ends before its XML does/
  },
  {
    name: "a query of GraphQL pages with its variables, and an error with status 200 fails",
    source: "issue 38",
    fields: {
      graphql: { query: "query($after: String) { items(after: $after) { id } }", variables: { size: 2 } },
      rows: "data.items",
      next: { cursor: { body: "after", from: "data.next" } }
    },
    reply: ({ body }) => {
      const { after, size } = JSON.parse(body).variables
      if (after === "x") return json({ errors: [{ message: "too deep" }], data: null })
      return json({ data: { items: items(size), next: after === undefined ? "x" : null } })
    },
    fails: /the query has failed \(too deep\)/
  },
  {
    name: "a query of GraphQL whose rows are null fails with its error",
    source: "own",
    fields: { graphql: { query: "{ items { id } }" }, rows: "data.items" },
    reply: () => json({ errors: [{ message: "not for you" }], data: { items: null } }),
    fails: /the query has failed \(not for you\)/
  },
  {
    name: "a query of GraphQL whose rows are missing on a later page fails with its error",
    source: "own",
    fields: {
      graphql: { query: "query($after: String) { list(after: $after) { items { id } next } }" },
      rows: "data.list.items",
      next: { cursor: { body: "after", from: "data.list.next" } }
    },
    reply: ({ body }) =>
      JSON.parse(body).variables.after === "b"
        ? json({ errors: [{ message: "timed out" }], data: { list: null } })
        : json({ data: { list: { items: items(1), next: "b" } } }),
    fails: /the query has failed \(timed out\)/
  },
  {
    name: "a query of GraphQL with rows and errors is read to its end, but the list is not complete",
    source: "own",
    fields: {
      graphql: { query: "query($after: String) { list(after: $after) { items { id } next } }" },
      rows: "data.list.items",
      next: { cursor: { body: "after", from: "data.list.next" } }
    },
    reply: ({ body }) =>
      JSON.parse(body).variables.after === "b"
        ? json({ data: { list: { items: items(3), next: null } } })
        : json({ errors: [{ message: "not for you" }], data: { list: { items: items(1, 2), next: "b" } } }),
    ids: [1, 2, 3],
    warns: /the answer has errors \(not for you\), so rows or their fields may be missing$/,
    isIncomplete: true
  },
  {
    name: "a cap of pages ends the read, with a warning",
    source: "dlt#2586",
    fields: { ...cursor, next: { ...cursor.next, pages: 2 } },
    reply: (asked) =>
      json({ items: items(query(asked).get("after") ?? 0), next: Number(query(asked).get("after") ?? 0) + 1 }),
    ids: [0, "1"],
    warns: /up to page 2 \(next\.pages\), and there are more/
  },
  {
    name: "404 and other refusals fail with the message of the API and what to do",
    source: "own",
    reply: () => ({ status: 404, body: { error: "no such list" } }),
    fails: /the API answered 404 .*no such list.*Check url and query/
  },
  {
    name: "a body is sent for each row, one answer gives many rows, and a refused row is a reject",
    source: "issue 38",
    each: [{ n: 1 }, { n: 2 }, { n: 3 }],
    fields: { json: { n: { expr: "n" }, fixed: true }, query: { q: { expr: "'é ' & n" }, list: ["a", 1], none: null } },
    reply: ({ body, path }) => {
      const { n } = JSON.parse(body)
      return n === 2 ? { status: 422, body: { message: "two" } } : json(items(n, path))
    },
    ids: [1, "/items?q=%C3%A9%201&list=a&list=1", 3, "/items?q=%C3%A9%203&list=a&list=1"],
    rejects: ["HttpError"]
  }
]

it.scoped.each(cases)("$name ($source)", function* (given) {
  const { each, fails, fields = {}, ids, reply, rows, warns } = given
  const ended = yield* ask(reply, { fields, ...(each === undefined ? {} : { each, more: "    concurrency: 1\n" }) })
  if (fails === undefined) expect(ended.failure?.message).toBeUndefined()
  else expect(ended.failure?.message).toMatch(fails)
  if (ids !== undefined) expect(ended.data.map(({ id }) => id)).toEqual(ids)
  if (rows !== undefined) expect(ended.data).toEqual(rows)
  if (given.asked !== undefined) expect(ended.asked.map((line) => line.replace("GET /items", ""))).toEqual(given.asked)
  if (warns === undefined) expect(ended.warnings).toEqual([])
  else expect(ended.warnings.join("\n")).toMatch(warns)
  if (given.isIncomplete !== undefined) expect(ended.incomplete).toEqual(given.isIncomplete ? ["api"] : [])
  expect(ended.rejects.map(({ error }) => error)).toEqual(given.rejects ?? [])
})
