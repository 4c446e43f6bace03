import * as Effect from "effect/Effect"
import type { Data } from "../../src/Row.ts"
import { csv } from "../../src/Sink/Csv.ts"
import { assert, describe, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { folder, open, read } from "./Folder.ts"

type Config = Omit<typeof csv.config.Encoded, "csv">

const write = (config: Config, ...chunks: ReadonlyArray<ReadonlyArray<Data>>) =>
  Effect.gen(function* () {
    const out = yield* folder
    const writer = yield* open(csv, { ...config, csv: "x.csv" }, { folder: out })
    for (const rows of chunks) yield* writer.write(rows)
    const { warnings } = yield* writer.finish
    return { text: yield* read(`${out}/x.csv`), warnings }
  })

describe("the columns of CSV", () => {
  scoped("are those of exactly the first 1,000 rows, however the rows arrive", function* () {
    const rows = [
      ...Array.from({ length: 999 }, (_, a) => ({ a })),
      { last: "in time" },
      { late: "too late", a: 1 },
      { later: 1 }
    ]
    const once = yield* write({}, rows)
    assert.isTrue(once.text.startsWith("a,last\n"))
    assert.isTrue(once.text.endsWith("998,\n,in time\n1,\n,\n"))
    assert.match(once.warnings[0] ?? "", /has no column for late, later$/)
    for (const cut of [1, 998, 999, 1000, 1001]) {
      assert.deepStrictEqual((yield* write({}, rows.slice(0, cut), rows.slice(cut))).text, once.text)
    }
  })

  scoped.skipIf(skipsLong)("are those of fewer rows when the rows are large: at most 32 MB are buffered", function* () {
    const { text, warnings } = yield* write({}, [{ a: "x".repeat(1 << 25) }, { b: 1 }], [{ b: 2 }])
    assert.isTrue(text.startsWith("a\nxx"))
    assert.isTrue(text.endsWith('x\n""\n""\n'))
    assert.match(warnings[0] ?? "", /has no column for b$/)
  })

  scoped("reject a row by its index in the chunk, also in the chunk that fixes the columns", function* () {
    const out = yield* folder
    const writer = yield* open(csv, { csv: "x.csv", onNewField: "error" }, { folder: out })
    yield* writer.write([{ a: 1 }, { a: 2 }])
    const rows: Array<Data> = Array.from({ length: 1005 }, (_, a) => ({ a }))
    rows[1001] = { b: 1 }
    const error = yield* Effect.flip(writer.write(rows))
    assert.isTrue(error._tag === "NewField" && error.index === 1001)
    // Nothing of it was kept: the others are written once.
    yield* writer.write(rows.filter((row) => !("b" in row)))
    const { files: written } = yield* writer.finish
    assert.strictEqual(written[0]?.rows, 1006)
    const lines = (yield* read(`${out}/x.csv`)).split("\n")
    assert.deepStrictEqual(lines.slice(0, 5), ["a", "1", "2", "0", "1"])
    assert.strictEqual(lines.length, 1008)
  })

  scoped("are limited, so that empty cells cannot fill the disk", function* () {
    const wild = (from: number, to: number): Data =>
      Object.fromEntries(Array.from({ length: to - from }, (_, at) => [`f${from + at}`, 1]))
    const found = yield* write({}, [wild(0, 9_000), wild(9_000, 20_000)])
    assert.strictEqual(found.text.slice(0, found.text.indexOf("\n")).split(",").length, 10_000)
    assert.include(found.warnings[0], "and more")
    const widen = { columns: { a: "string" }, onNewField: "widen" } as const
    const refused = yield* Effect.flip(write(widen, [{ a: 1 }, wild(0, 10_000)]))
    assert.strictEqual(refused._tag, "NewField")
  })

  scoped("of dates have one format", function* () {
    const columns = { at: "date", any: "string" } as const
    const rows = [
      { at: "2026-01-31T10:00:00.5+02:00", any: new Date(1500) },
      { at: "2026-01-31" },
      { at: "2026-01-31 10:00:00+02" },
      { at: 0 },
      { at: new Date(253402300800000) }
    ]
    const spelt = (dates: NonNullable<Config["dates"]>) =>
      Effect.map(write({ columns, dates }, rows), ({ text }) => text.split("\n").slice(1, -1))
    assert.deepStrictEqual(yield* spelt("iso"), [
      "2026-01-31T08:00:00.500Z,1970-01-01T00:00:01.500Z",
      "2026-01-31,",
      "2026-01-31T08:00:00.000Z,",
      "1970-01-01T00:00:00.000Z,",
      "+010000-01-01T00:00:00.000Z,"
    ])
    assert.deepStrictEqual((yield* spelt("date")).slice(0, 3), ["2026-01-31,1970-01-01", "2026-01-31,", "2026-01-31,"])
    assert.deepStrictEqual((yield* spelt("datetime")).slice(0, 2), [
      "2026-01-31 08:00:00,1970-01-01 00:00:01",
      "2026-01-31 00:00:00,"
    ])
    assert.deepStrictEqual((yield* spelt("epochSeconds")).slice(0, 2), ["1769846400,1", "1769817600,"])
    assert.deepStrictEqual((yield* spelt("epochMillis")).slice(0, 1), ["1769846400500,1500"])
  })
})
