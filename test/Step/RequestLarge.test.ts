/** Answers of `request` that are too large for memory: read in pieces, each row once over kills. */

import { gzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import { ScratchLimits } from "../../src/Step/Scratch.ts"
import { type Reply, serve } from "../Client/Server.ts"
import { expect, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { project, stepLine } from "../Project.ts"
import { killedAtCommits } from "../Run/Lives.ts"
import { ask, here } from "./OneApi.ts"

/** Answers of more than so many bytes are large. */
const small = { memory: 4 * 2_000, reserve: 0, fanIn: 64, free: () => Effect.succeed(undefined) }
const bounded = Effect.provideService(ScratchLimits, small)

const rowsOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ id: from + index, text: `"{[,é\\ ${index}` }))
const json = (body: unknown): Reply => ({ body: JSON.stringify(body), headers: { "content-type": "application/json" } })

/** Rows of a large answer. */
const large = rowsOf(4_000)
const lines = (rows: ReadonlyArray<unknown>) => rows.map((row) => `${JSON.stringify(row)}\n`).join("")
const xml = `<?xml version="1.0"?><list n="1"><items>${large.map(({ id }) => `<item id="${id}"><t>a &amp; b</t></item>`).join("\n")}</items></list>`

for (const [name, reply, fields, expected] of [
  [
    "at a path",
    json({ a: [{ items: 1 }, "]"], data: { x: { items: [] }, items: large, y: {} }, items: [1] }),
    { rows: "data.items" },
    large
  ],
  ["at the root", json(large), {}, large],
  [
    "packed with gzip",
    {
      ...json(null),
      body: gzipSync(JSON.stringify({ items: large })),
      headers: { "content-type": "application/json", "content-encoding": "gzip" }
    },
    { rows: "items" },
    large
  ],
  [
    "in a gzip file, which no header says",
    { ...json(null), body: gzipSync(JSON.stringify({ items: large })) },
    { rows: "items" },
    large
  ],
  [
    "behind a byte order mark, laid out over lines",
    { ...json(null), body: `\ufeff${JSON.stringify({ items: large }, undefined, 2)}` },
    { rows: "items" },
    large
  ],
  ["as JSON Lines", { body: lines(large), headers: { "content-type": "application/x-ndjson" } }, {}, large],
  [
    "as CSV",
    {
      body: `id,text\n${large.map(({ id }) => `${id},"a, ""${id}"\n`).join("")}`,
      headers: { "content-type": "text/csv" }
    },
    {},
    large.map(({ id }) => ({ id: String(id), text: `a, "${id}` }))
  ],
  [
    "as XML",
    { body: xml, headers: { "content-type": "application/xml" } },
    { rows: "list.items.item" },
    large.map(({ id }) => ({ "@id": String(id), t: "a & b" }))
  ],
  ["that is one object", json({ data: { id: 1, parts: large } }), { rows: "data" }, [{ id: 1, parts: large }]],
  [
    "in several arrays",
    json({ data: [{ items: large }, { items: rowsOf(2) }] }),
    { rows: "data.items" },
    [...large, ...rowsOf(2)]
  ],
  ["behind an expression, as a whole", json({ items: large }), { rows: "items[id >= 0]" }, large]
] as const satisfies ReadonlyArray<readonly [string, Reply, object, ReadonlyArray<unknown>]>) {
  scoped(`reads the rows of a large answer ${name}`, function* () {
    const { data, failure, rejects, warnings } = yield* bounded(ask(() => reply, { fields }))
    expect([failure?.message, warnings, rejects]).toEqual([undefined, [], []])
    expect(data).toEqual(expected)
  })
}

scoped("reads a small gzip file of a large answer in pieces", function* () {
  const rows = Array.from({ length: 4_000 }, () => ({ id: 1 }))
  const body = gzipSync(JSON.stringify({ items: rows }))
  expect(body.length).toBeLessThan(2_000)
  const { data, failure } = yield* bounded(ask(() => ({ ...json(null), body }), { fields: { rows: "items" } }))
  expect([failure?.message, data]).toEqual([undefined, rows])
})

scoped("reads a large answer in CSV with semicolons, and names the delimiter if it is missing", function* () {
  const body = `id;text\n${large.map(({ id }) => `${id};a, b\n`).join("")}`
  const read = (fields: object) =>
    bounded(ask(() => ({ body, headers: { "content-type": "text/csv" } }), { fields: { ...fields } }))
  const right = yield* read({ delimiter: ";" })
  expect([right.warnings, right.data]).toEqual([[], large.map(({ id }) => ({ id: String(id), text: "a, b" }))])
  const wrong = yield* bounded(
    ask(() => ({ body: body.replaceAll(",", ""), headers: { "content-type": "text/csv" } }), {})
  )
  expect(wrong.data).toHaveLength(large.length)
  expect(wrong.warnings).toEqual([expect.stringContaining('set delimiter: ";"')])
})

scoped("follows the cursor behind the rows, and keeps numbers that are too large", function* () {
  const { asked, data, failure, warnings } = yield* bounded(
    ask(
      ({ path }) => ({
        headers: { "content-type": "application/json" },
        body: path.includes("after")
          ? `{"items":[${lines(rowsOf(1_000, 1_000)).trim().replaceAll("\n", ",")}],"next":null}`
          : `{"first":{"items":[{"id":9}]},"items":[${lines(rowsOf(999)).trim().replaceAll("\n", ",")},{"id":9007199254740993}],"next":"b"}`
      }),
      { fields: { rows: "items", next: { cursor: { param: "after", from: "next" } } } }
    )
  )
  expect([failure?.message, asked]).toEqual([undefined, ["GET /items", "GET /items?after=b"]])
  expect(data).toEqual([...rowsOf(999), { id: "9007199254740993" }, ...rowsOf(1_000, 1_000)])
  expect(warnings.join()).toContain("9007199254740993")
})

for (const [name, body, message] of [
  ["is cut off", `{"items":[${lines(large).trim().replaceAll("\n", ",")}`, /ends before its rows do/],
  [
    "has a row that is no JSON",
    `{"items":[${lines(large).trim().replaceAll("\n", ",")},{"id":}]}`,
    /is not valid JSON/
  ],
  [
    "has no array at the path",
    JSON.stringify({ itms: large }),
    /rows \(items\) gives nothing: the answer has no items, did you mean "itms"/
  ],
  ["ends behind a comma", `{"items":[${lines(large).trim().replaceAll("\n", ",")},]}`, /is not valid JSON/],
  ["is a page", `<!doctype html>${" ".repeat(10_000)}`, /is an HTML page, not data/]
] as const) {
  scoped(`fails when a large answer ${name}`, function* () {
    const { failure } = yield* bounded(
      ask(() => ({ body, headers: { "content-type": "application/json" } }), { fields: { rows: "items" } })
    )
    expect(failure?.message).toMatch(message)
  })
}

for (const [name, body, message] of [
  ["has two columns of one name", `id,text,id\n${"1,a,2\n".repeat(2_000)}`, /the answer has two columns "id": rename/],
  [
    "opens a quote that nothing closes",
    `id,text\n1,"a\n${"2,b\n".repeat(3_000)}`,
    /the answer cannot be read: line 2 opens a quote that nothing closes, so 3,001 of/
  ]
] as const) {
  scoped(`fails when a large answer in CSV ${name}`, function* () {
    const { failure } = yield* bounded(ask(() => ({ body, headers: { "content-type": "text/csv" } }), { fields: {} }))
    expect(failure?.message).toMatch(message)
  })
}

scoped.skipIf(skipsLong)(
  "gives each row of large answers once, wherever it is killed, and asks for no page again but the one in flight",
  function* () {
    const asked: Array<string> = []
    const server = yield* serve(({ path }) => {
      asked.push(path)
      const page = Number(new URL(path, "http://x").searchParams.get("page"))
      return json({ items: page > 2 ? [] : rowsOf(3_000, page * 3_000) })
    })
    const own = yield* project({ onTestClock: true })
    const fields = {
      url: server.url,
      rows: "items",
      next: { page: { param: "page", start: 0 } },
      since: { param: "since", field: "id" }
    }
    const steps = `${stepLine("request", fields)}  - write: { jsonl: rows.jsonl }\n`
    const { lives, rows } = yield* killedAtCommits(own, steps, { kills: 3, source: "request" }).pipe(
      Effect.provide(here),
      bounded
    )
    expect([lives, rows.map(({ id }) => id)]).toEqual([4, rowsOf(9_000).map(({ id }) => id)])
    expect(asked.length - new Set(asked).size).toBeLessThanOrEqual(3)
  }
)
