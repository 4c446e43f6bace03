import { readdirSync } from "node:fs"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { type Data, keyOf } from "../../src/Row.ts"
import { changesUnder } from "../../src/Schedule/Changes.ts"
import { messageOf, text } from "../../src/Schedule/NotificationText.ts"
import { ScratchLimits } from "../../src/Step/Scratch.ts"
import { describe, expect, it } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { jsonLines, type Project, project, rowsIn, stepLine } from "../Project.ts"
import { live, pacer, play, until } from "../Run/Lives.ts"
import { page } from "./Odd.ts"
import { errorsOf, runStep, runStepOnce } from "./OneStep.ts"

describe("where and select", () => {
  it.scoped("reject a row whose expression fails, and continue with the next row", function* () {
    const data = [{ n: 1 }, { n: "x" }, { n: 3 }]
    const kept = yield* runStepOnce("where", "n + 0 > 0", data)
    expect(kept.data).toEqual([{ n: 1 }, { n: 3 }])
    expect(kept.reasons).toEqual(["ExpressionFailed"])
    // The first is evaluated without a fiber, the second by JSONata.
    const made = yield* runStepOnce("select", { twice: "n * 2", sum: "$sum([n, 1])" }, data)
    expect(made.data).toEqual([
      { twice: 2, sum: 2 },
      { twice: 6, sum: 4 }
    ])
    expect(made.reasons).toEqual(["ExpressionFailed"])
  })

  it.scoped("see the key and the source of each row, however the expression is evaluated", function* () {
    const { run } = yield* project({ files: { "in/a.txt": "a", "in/b.txt": "b" } })
    const { emitted } = yield* run(
      `  - files: { glob: "in/*" }\n  - id: step\n    select: { key: $key, name: $source.name, all: "$map([$key], $uppercase)" }\n`
    )
    const keys = emitted("step").map(keyOf)
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(emitted("step").map(({ data }) => data)).toEqual(
      ["a.txt", "b.txt"].map((name, index) => ({ key: keys[index], name, all: keys[index]?.toUpperCase() }))
    )
  })
})

describe("limit", () => {
  it.scoped("passes exactly the first rows, also when the run is killed after some of them", function* () {
    const pace = pacer()
    const urls = [1, 2, 3, 4, 5].map((n) => `http://x.example/${n}`)
    const here = yield* project({ onTestClock: true, service: pace.service })
    const steps = `${stepLine("urls", urls)}  - scrape: {}
    concurrency: 1
  - limit: 3
  - select: { url: metadata.sourceURL }
  - write: { jsonl: rows.jsonl }
`
    const { lives, rows } = yield* play(here, pace, steps, [
      { rows: 1, after: "commit" },
      { rows: 1, after: "kill" }
    ])
    expect([lives, rows]).toEqual([2, urls.slice(0, 3).map((url) => ({ url }))])
  })

  it.scoped("stops the calls of the steps before it", function* () {
    const { asked, run } = yield* project({
      files: { "in.jsonl": jsonLines(Array.from({ length: 60 }, (_, n) => ({ url: `http://x.example/${n}` }))) },
      service: ({ body }) => ({ body: { success: true, data: page(JSON.parse(body).url) } })
    })
    const { summary } = yield* run("  - read: in.jsonl\n  - scrape: {}\n    concurrency: 1\n  - limit: 1\n")
    expect(summary.rows).toBe(1)
    expect(asked.length).toBeLessThan(10)
  })
})

describe("explode", () => {
  it.scoped("gives every item a key of its own, also inside another explode", function* () {
    const data = [{ url: "https://x.example/", pages: [{ links: ["a", "b"] }, { links: ["c"] }] }]
    const { run } = yield* project({ files: { "in.jsonl": jsonLines(data) } })
    const { emitted } = yield* run(
      "  - read: in.jsonl\n  - explode: pages\n  - id: step\n    explode: { list: pages.links, as: link }\n"
    )
    expect(emitted("step").map(keyOf)).toEqual([
      "https://x.example/#0#0",
      "https://x.example/#0#1",
      "https://x.example/#1#0"
    ])
    expect(emitted("step").map(({ data: { link } }) => link)).toEqual(["a", "b", "c"])
  })

  it.scoped("treats a single value as an array of one, and null as an empty array", function* () {
    const { data } = yield* runStepOnce("explode", "list", [
      { list: { a: 1 } },
      { list: null },
      {},
      { list: [] },
      { list: "x" }
    ])
    expect(data).toEqual([{ list: { a: 1 } }, { list: "x" }])
  })
})

describe("dedupe across runs", () => {
  const entry = (path: string, text = "same") => ({ url: `https://x.example/${path}`, text })
  const config = { key: "url", across: "runs", changedWhen: "text", emit: ["new", "changed", "unchanged", "gone"] }
  /** SHA-256 of "same". */
  const same = "0967115f2813a3541eaef77de9d9d5773f1c0c04314b0bbfe4ff3b3b1c55b5d5"
  const day = 86_400_000

  /** Content of the state: the last part of each key, with its value. */
  const stateIn = ({ ledger }: Project) =>
    Effect.map(Stream.runCollect(ledger.states.entries("t")), (entries) =>
      Chunk.toReadonlyArray(entries).map(({ key, value }) => [key.slice(18), value])
    )

  it.scoped("reports new, changed, unchanged and gone rows, and remembers each one that is still there", function* () {
    const here = yield* project({ onTestClock: true })
    yield* runStep(here, "dedupe", config, [entry("changed", "other"), entry("gone")])
    yield* TestClock.setTime(day)
    yield* runStep(here, "dedupe", config, [entry("changed", "other"), entry("gone"), entry("kept")])
    yield* TestClock.setTime(2 * day)
    const { data, keys } = yield* runStep(here, "dedupe", config, [
      entry("new"),
      entry("kept"),
      entry("changed"),
      entry("kept", "twice")
    ])
    expect(data).toEqual([
      { ...entry("new"), change: "new" },
      { ...entry("kept"), change: "unchanged" },
      { ...entry("changed"), change: "changed" },
      {
        ...entry("gone"),
        key: "https://x.example/gone",
        change: "gone",
        firstSeen: "1970-01-01T00:00:00.000Z",
        lastSeen: "1970-01-02T00:00:00.000Z"
      }
    ])
    expect(keys[3]).toBe("https://x.example/gone")
    expect(yield* stateIn(here)).toEqual(
      ["changed", "kept", "new"].map((path) => [path, { hash: same, fields: entry(path) }])
    )
  })

  it.scoped("tells of a changed field that is long, and does not call it gone or new", function* () {
    const here = yield* project({ onTestClock: true })
    const config = {
      key: "sku",
      across: "runs",
      changedWhen: "body",
      previous: ["body", "more", "same"],
      history: 10
    }
    const body = (text: string) => [{ sku: "a", body: text, more: [text], same: [1] }]
    for (const [days, value] of ["short", "x".repeat(5000), "short"].entries()) {
      yield* TestClock.setTime(days * day)
      yield* runStep(here, "dedupe", config, body(value))
    }
    const changes = yield* changesUnder(here.ledger, "t")
    expect(changes).toMatchObject([
      { before: { body: "short", more: ["short"] }, after: { body: `${"x".repeat(2000)}…`, more: "…", same: [1] } },
      { before: { same: [1] }, after: { body: "short", more: ["short"] } }
    ])
    const said = changes.map((change) =>
      text(
        messageOf([
          { id: "1", pipeline: "p", event: "changed", body: JSON.stringify({ event: "changed", changes: [change] }) }
        ])
      )
    )
    expect(said).toEqual([
      `a has changed (body: short → ${"x".repeat(2000)}…, more: ["short"] → …).`,
      'a has changed (body: short, more: ["short"]).'
    ])
  })

  const product = (sku: string, price: number, more: object = {}) => ({ sku, title: `Title of ${sku}`, price, ...more })
  const shop = { key: "sku", across: "runs", changedWhen: "price", previous: ["price"], emit: ["changed", "gone"] }

  it.scoped("gives changed rows the values from before, and rows that are gone their last known fields", function* () {
    const here = yield* project({ onTestClock: true })
    const kept = { ...shop, history: 10 }
    yield* runStep(here, "dedupe", kept, [product("a", 1), product("b", 2), product("c", 3)])
    yield* TestClock.setTime(day)
    const second = yield* runStep(here, "dedupe", kept, [product("a", 1.5), product("b", 2), product("c", 3)])
    expect(second.data).toEqual([{ ...product("a", 1.5), previous: { price: 1 }, change: "changed" }])
    const third = yield* runStep(here, "dedupe", kept, [product("a", 9), product("b", 2)])
    // Notifications have them as well.
    expect(yield* changesUnder(here.ledger, "t")).toMatchObject([
      { change: "changed", key: "a", before: { price: 1.5 }, after: { price: 9 } },
      { change: "gone", key: "c", before: { price: 3 } }
    ])
    expect(third.data).toEqual([
      { ...product("a", 9), previous: { price: 1.5 }, change: "changed" },
      {
        ...product("c", 3),
        key: "c",
        change: "gone",
        firstSeen: "1970-01-01T00:00:00.000Z",
        lastSeen: "1970-01-02T00:00:00.000Z"
      }
    ])
  })

  it.scoped(
    "keeps of a row what the definition asks for: nothing, the fields of previous, or up to 2,000 characters",
    function* () {
      const kept = (fields: object, data: object) =>
        Effect.gen(function* () {
          const here = yield* project()
          const { warnings } = yield* runStep(here, "dedupe", { key: "sku", across: "runs", ...fields }, [data])
          const [entry] = Chunk.toReadonlyArray(yield* Stream.runCollect(here.ledger.states.entries("t")))
          return { value: entry?.value, warnings: warnings.filter((each) => each.includes("previous")) }
        })
      const hash = expect.stringMatching(/^[0-9a-f]{64}$/)
      const long = product("a", 1, { text: "x".repeat(3000), note: "short", list: ["y".repeat(2100)] })
      const changed = { changedWhen: "price" }
      expect((yield* kept(changed, long)).value).toEqual(hash)
      expect((yield* kept({}, long)).value).toBe(null)
      expect((yield* kept({ ...changed, previous: ["price", "no"] }, long)).value).toEqual({
        hash,
        fields: { price: 1 }
      })
      const { value, warnings } = yield* kept(
        { ...changed, previous: ["price", "text"], emit: ["changed", "gone"] },
        long
      )
      expect(value).toEqual({ hash, fields: { ...product("a", 1), note: "short" } })
      expect(warnings).toEqual([
        "step: the field text of a is not stored: previous stores at most 2000 characters of JSON for a row"
      ])
    }
  )

  it.scoped(
    "opens the state of earlier versions: without kept fields a row that is gone has its key alone",
    function* () {
      const here = yield* project()
      // As the version before wrote it: the hash of the value.
      for (const key of ["a", "b", "https://x.example/c"]) yield* here.ledger.states.set("t", "step", key, same)
      const { data, warnings } = yield* runStep(here, "dedupe", shop, [product("a", 1), product("d", 1)])
      const times = { firstSeen: expect.any(String), lastSeen: expect.any(String) }
      expect(data).toEqual([
        { ...product("a", 1), change: "changed" },
        { key: "b", change: "gone", ...times },
        { key: "https://x.example/c", url: "https://x.example/c", change: "gone", ...times }
      ])
      expect(warnings).toEqual([])
      // The other way: without previous and gone the state has the hash again, and the same row is unchanged.
      const plain = { key: "sku", across: "runs", changedWhen: "price", emit: ["new", "changed", "unchanged"] }
      const again = yield* runStep(here, "dedupe", plain, [product("a", 1), product("d", 2)])
      expect(again.data.map(({ change }) => change)).toEqual(["unchanged", "changed"])
      expect((yield* Stream.runCollect(here.ledger.states.entries("t"))).pipe(Chunk.toReadonlyArray)).toMatchObject([
        { key: "a", value: expect.any(String) },
        { key: "d", value: expect.any(String) }
      ])
    }
  )

  it.scoped("keeps the fields of pages that are compared by their text", function* () {
    const here = yield* project({ onTestClock: true })
    const watch = { key: "url", across: "runs", changedIn: "text", previous: ["price"], emit: ["changed", "gone"] }
    const text = (price: number) => `# Kettle\n\nThe kettle costs ${price} euros today, and it is blue.\n`
    const row = (path: string, price: number) => ({ ...entry(path, text(price)), price })
    yield* runStep(here, "dedupe", watch, [row("a", 10), row("b", 20)])
    yield* TestClock.setTime(day)
    const { data } = yield* runStep(here, "dedupe", watch, [row("a", 15)])
    expect(data).toMatchObject([
      { url: "https://x.example/a", price: 15, previous: { price: 10 }, change: "changed" },
      { url: "https://x.example/b", price: 20, text: text(20), change: "gone" }
    ])
  })

  it.scoped("rejects a row that has a field previous already, and check refuses previous without effect", function* () {
    const odd = { toString: "x", ["__proto__"]: { b: 1 }, constructor: null }
    const fields = { ...shop, previous: ["valueOf", "toString"] }
    const here = yield* project()
    yield* runStep(here, "dedupe", fields, [product("a", 1, odd)])
    const { data } = yield* runStep(here, "dedupe", fields, [product("a", 2, odd)])
    expect(data[0]?.previous).toEqual({ toString: "x" })
    const { messages } = yield* runStepOnce("dedupe", shop, [product("a", 1, { previous: 0 })])
    expect(messages).toEqual(["the row has a field previous already: rename it with select"])
    const wrong = (fields: object) => errorsOf("dedupe", { key: "sku", previous: ["price"], ...fields })
    expect(yield* wrong({})).toEqual(["previous: previous compares with earlier runs: add across: runs"])
    expect(yield* wrong({ across: "runs" })).toEqual([
      "previous: without changedWhen or changedIn no row is changed: add one"
    ])
    expect(yield* wrong({ across: "runs", changedWhen: "price", emit: ["new"] })).toEqual([
      "previous: only changed rows have earlier values, and emit leaves changed rows out: add changed to emit"
    ])
    expect(yield* wrong({ across: "runs", changedWhen: "price", as: "previous" })).toEqual([
      "as: previous writes the earlier values into the field previous: choose another name"
    ])
  })

  it.scoped("reports no row as gone when a part of the source was not read", function* () {
    const here = yield* project()
    yield* runStep(here, "dedupe", config, [entry("a"), entry("b")])
    here.write("in.jsonl", jsonLines([entry("a"), entry("c")]))
    const { emitted, warnings } = yield* here.run(
      `  - read: in.jsonl\n  - limit: 1\n  - id: step\n    ${stepLine("dedupe", config).slice(4)}`
    )
    expect(emitted("step").map(({ data }) => data)).toEqual([{ ...entry("a"), change: "unchanged" }])
    expect(warnings).toEqual([
      "step: not everything was read, so no row is reported as gone and no state is forgotten (read: later steps needed no more of its rows; limit: it reached its limit)"
    ])
    expect(yield* stateIn(here)).toEqual(["a", "b"].map((path) => [path, { hash: same, fields: entry(path) }]))
  })

  it.scoped("reports no page as gone that the run has read, although a later step removed its row", function* () {
    const here = yield* project({
      service: ({ body }) => ({ body: { success: true, data: page(JSON.parse(body).url) } })
    })
    const scraped = (paths: ReadonlyArray<string>, condition: string) => {
      here.write("in.jsonl", jsonLines(paths.map((path) => entry(path))))
      return here.run(
        `  - read: in.jsonl\n  - scrape: {}\n  - where: ${JSON.stringify(condition)}\n  - id: step\n    dedupe: { key: metadata.sourceURL, across: runs, emit: [gone] }\n`
      )
    }
    yield* scraped(["a", "b"], "true")
    const { emitted } = yield* scraped(["a"], "false")
    expect(emitted("step").map(({ data: { key } }) => key)).toEqual(["https://x.example/b"])
  })

  it.scoped.skipIf(skipsLong)(
    "reports every gone row once when a resumed run has read more pages than before the kill",
    function* () {
      const entries = Array.from({ length: 1500 }, (_, index) => entry(String(10_000 + index)))
      const pace = pacer({ holds: (url) => url.includes("held") })
      const here = yield* project({
        onTestClock: true,
        files: { "none.csv": "url\n", "more.jsonl": jsonLines(entries.slice(0, 50)) },
        service: pace.service
      })
      yield* runStep(here, "dedupe", config, entries)
      // The scrape of some gone rows holds up the second thousand of them.
      const steps = `  - id: none
    read: none.csv
  - id: step
    ${stepLine("dedupe", config).slice(4)}  - write: { jsonl: rows.jsonl }
  - from: step
    where: $number($substringAfter(key, "example/")) % 50 = 0
  - scrape: { url: { expr: "'http://held.example/' & $substringAfter(key, 'example/')" } }
  - after: none
    read: more.jsonl
  - scrape: {}
    concurrency: 10
`
      const first = yield* live(here, pace, steps)
      yield* until(() => pace.waiting() > 0 && here.asked.length >= 50 + pace.waiting())
      yield* first.commit
      yield* first.kill
      const second = yield* live(here, pace, steps, {}, first.run.id)
      expect((yield* second.end)._tag).toBe("Right")
      const rows = rowsIn(`${here.folder}/rows.jsonl`)
      expect(rows.map(({ key }) => key)).toEqual(entries.map(({ url }) => url))
    }
  )

  it.scoped("keeps every row without a value of its key, also an empty one, as CSV files have them", function* () {
    const rows = ["a@x.example", "", "a@x.example", "", null].map((email, n) => ({
      url: `https://x.example/${n}`,
      email
    }))
    for (const more of [{}, { across: "runs" }]) {
      const { data } = yield* runStepOnce("dedupe", { key: "email", ...more }, rows)
      expect(data.map(({ url }) => url)).toEqual([0, 1, 3, 4].map((n) => `https://x.example/${n}`))
    }
  })

  it.scoped("takes every row as new, and remembers none, in a run without state", function* () {
    const here = yield* project()
    const rows = [entry("a"), entry("a"), entry("b")]
    const { data } = yield* runStep(here, "dedupe", { key: "url", across: "runs" }, rows, { backfill: true })
    expect(data.map(({ change }) => change)).toEqual(["new", "new"])
    expect(yield* stateIn(here)).toEqual([])
  })

  it.scoped("rejects a row whose field it would overwrite, and uses another field when `as` names one", function* () {
    const here = yield* project()
    const data = [{ url: "https://x.example/a", change: "mine" }, { url: "https://x.example/b" }]
    const refused = yield* runStep(here, "dedupe", { key: "url", across: "runs" }, data)
    expect(refused.reasons).toEqual(["FieldExists"])
    expect(yield* stateIn(here)).toEqual([["b", null]])
    const named = yield* runStepOnce("dedupe", { key: "url", across: "runs", as: "kind" }, data)
    expect(named.data[0]).toEqual({ ...data[0], kind: "new" })
  })

  it.scoped("does not report a page as changed because changedWhen was added", function* () {
    const here = yield* project()
    yield* runStep(here, "dedupe", { key: "url", across: "runs" }, [entry("a")])
    const { data } = yield* runStep(here, "dedupe", config, [entry("a")])
    expect(data.map(({ change }) => change)).toEqual(["unchanged"])
    expect(yield* stateIn(here)).toEqual([["a", { hash: same, fields: entry("a") }]])
  })

  it.scoped("refuses fields that have no effect", function* () {
    expect((yield* errorsOf("dedupe", { emit: ["new"] }))[0]).toContain("add across: runs")
    expect((yield* errorsOf("dedupe", { across: "runs", emit: ["changed"] }))[0]).toContain("without changedWhen")
    expect((yield* errorsOf("dedupe", { across: "runs", as: "url" }))[0]).toContain("have a field url of their own")
  })
})

describe("drop", () => {
  it.scoped(
    "removes fields, paths, fields inside arrays and names with a dot, and keeps the key of the row",
    function* () {
      const before = {
        url: "https://x.example/",
        html: "x",
        metadata: { a: 1, description: "d" },
        links: [{ t: 1, u: 2 }]
      }
      const { data, keys } = yield* runStepOnce(
        "drop",
        ["url", "metadata.description", "links.t", "a.b", "none.such"],
        [{ ...before, "a.b": 1, a: { b: 2 } }]
      )
      expect(data).toEqual([{ html: "x", metadata: { a: 1 }, links: [{ u: 2 }], a: { b: 2 } }])
      expect(keys).toEqual(["https://x.example/"])
    }
  )

  it.scoped("removes a field named __proto__ only when it is listed", function* () {
    const hostile = JSON.parse('{"__proto__":{"x":1},"a":1}') as Data
    expect(JSON.stringify((yield* runStepOnce("drop", "__proto__", [hostile])).data)).toBe('[{"a":1}]')
    expect(JSON.stringify((yield* runStepOnce("drop", "a", [hostile])).data)).toBe('[{"__proto__":{"x":1}}]')
  })
})

describe("flatten", () => {
  it.scoped("names nested values by their path, down to the given depth", function* () {
    const row = { a: { b: { c: 1 }, d: [1, { e: 2 }], f: {} }, g: null }
    expect((yield* runStepOnce("flatten", {}, [row])).data).toEqual([
      { "a.b.c": 1, "a.d": [1, { e: 2 }], "a.f": {}, g: null }
    ])
    expect((yield* runStepOnce("flatten", { separator: "_", depth: 1, lists: "json" }, [row])).data).toEqual([
      { a_b: { c: 1 }, a_d: '[1,{"e":2}]', a_f: {}, g: null }
    ])
  })

  it.scoped(
    "rejects a row in which two values would get the same name, and treats __proto__ as an ordinary name",
    function* () {
      const { data, reasons } = yield* runStepOnce("flatten", {}, [
        { "a.b": 1, a: { b: 2 } },
        JSON.parse('{"__proto__":{"x":1}}') as Data
      ])
      expect(data).toEqual([{ "__proto__.x": 1 }])
      expect(reasons).toEqual(["FieldTwice"])
    }
  )
})

describe("sample", () => {
  const data = Array.from({ length: 200 }, (_, n) => ({ n }))
  const numbersOf = (config: unknown, id: string) =>
    Effect.map(runStepOnce("sample", config, data, { id }), (result) => result.data.map(({ n }) => Number(n)))

  it.scoped(
    "gives the wanted number of rows in order, others in another run, and all when there are fewer",
    function* () {
      const one = yield* numbersOf({ rows: 50 }, "run-1")
      expect(one.length).toBe(50)
      expect(one).toEqual(one.toSorted((a, b) => a - b))
      expect(new Set(one).size).toBe(50)
      expect(yield* numbersOf({ rows: 50 }, "run-2")).not.toEqual(one)
      expect(yield* numbersOf({ rows: 5000 }, "run-1")).toEqual(data.map(({ n }) => n))
    }
  )

  it.scoped(
    "chooses fairly: a share comes near to its percentage, and every position is as likely as another",
    function* () {
      const here = yield* project({ files: { "in.jsonl": jsonLines(data) } })
      expect((yield* numbersOf({ share: "100%" }, "run-1")).length).toBe(200)
      const steps =
        "  - read: in.jsonl\n  - id: share\n    sample: { share: 25% }\n  - id: rows\n    from: read\n    sample: { rows: 20 }\n"
      const definition = yield* here.checked(steps)
      let shared = 0
      let early = 0
      for (let run = 0; run < 10; run++) {
        const { emitted } = yield* here.execute(definition, { id: `run-${run}` })
        shared += emitted("share").length
        early += emitted("rows").filter(({ data: { n } }) => Number(n) < 100).length
      }
      expect(Math.abs(shared - 500)).toBeLessThan(75)
      expect(Math.abs(early - 100)).toBeLessThan(25)
    }
  )
})

describe("sort", () => {
  const by = (by: unknown, values: ReadonlyArray<unknown>, more: object = {}) =>
    Effect.map(
      runStepOnce(
        "sort",
        { by, ...more },
        values.map((n, at) => (n === undefined ? { at } : { n, at }))
      ),
      (result) => ({ ...result, values: result.data.map(({ n }) => n), order: result.data.map(({ at }) => at) })
    )

  it.scoped("orders numbers, strings, false and true; null and missing values come last in either order", function* () {
    const values = [null, "b", 10, true, "B", undefined, 9, false, "ä", ""]
    const up = yield* by("n", values)
    expect(up.values).toEqual([9, 10, "", "B", "b", "ä", false, true, null, undefined])
    const down = yield* by([{ expr: "n", order: "desc" }], values)
    expect(down.values).toEqual([true, false, "ä", "b", "B", "", 10, 9, null, undefined])
  })

  it.scoped("keeps the order of equal rows, and compares them by the next expression", function* () {
    expect((yield* by("n", [1, 0, 1, 0, 1])).order).toEqual([1, 3, 0, 2, 4])
    expect(
      (yield* by(
        [
          { expr: "n", order: "desc" },
          { expr: "at", order: "desc" }
        ],
        [1, 0, 1]
      )).order
    ).toEqual([2, 0, 1])
  })

  it.scoped("gives the same rows when they do not fit into memory, and leaves nothing on disk", function* () {
    const values = Array.from({ length: 1_500 }, (_, index) =>
      index % 11 === 0 ? null : index % 5 === 0 ? `ä ${(index * 7919) % 700}` : (index * 7919) % 900
    )
    const order = [{ expr: "n", order: "desc" }]
    const expected = yield* by(order, values)
    for (const maxRows of [100, 1_499]) {
      expect((yield* by(order, values, { maxRows })).data).toEqual(expected.data)
    }
    const first = yield* by(order, values, { limit: 700, maxRows: 100 })
    expect(first.data).toEqual(expected.data.slice(0, 700))
    expect(first.incomplete).toEqual(["step"])
  })

  it.scoped("merges more files than it opens at once", function* () {
    const values = Array.from({ length: 1_200 }, (_, index) => (index * 7919) % 300)
    const limits = yield* ScratchLimits
    const { order } = yield* by("n", values, { maxRows: 100 }).pipe(
      Effect.provideService(ScratchLimits, { ...limits, fanIn: 3 })
    )
    const positions = values.map((_, at) => at)
    expect(order).toEqual(positions.toSorted((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b))
  })

  it.scoped("says that the disk is full, and leaves nothing there", function* () {
    const here = yield* project({ sharesLedger: true })
    const limits = yield* ScratchLimits
    const { outcome } = yield* runStep(
      here,
      "sort",
      { by: "n", maxRows: 10 },
      Array.from({ length: 200 }, (_, n) => ({ n }))
    ).pipe(Effect.provideService(ScratchLimits, { ...limits, free: () => Effect.succeed(limits.reserve) }))
    expect(outcome).toMatchObject({
      left: { reason: { reason: "DiskFull", message: expect.stringMatching(/256 MB are free.*--data/) } }
    })
    expect(readdirSync(here.folder, { recursive: true }).filter((name) => String(name).includes("scratch"))).toEqual([])
  })

  it.scoped("rejects a row whose value has no order", function* () {
    const { reasons, values } = yield* by("n", [2, [1], 1])
    expect(values).toEqual([1, 2])
    expect(reasons).toEqual(["NotSortable"])
  })
})

describe("check", () => {
  const rules = [
    { rule: "words > 0", message: "empty document" },
    { rule: "$length(title) < 5", onFail: "warn" }
  ]

  it.scoped("rejects a row by the first rule that it breaks, and counts warnings until the end", function* () {
    const { data, reasons, warnings } = yield* runStepOnce("check", rules, [
      { words: 1, title: "ok" },
      { words: 0, title: "much too long" },
      { words: 2, title: "too long" },
      { words: 3, title: 5 },
      { title: "no words" }
    ])
    expect(data.map(({ words }) => words)).toEqual([1, 2, 3])
    expect(reasons).toEqual(["CheckFailed", "CheckFailed"])
    expect(warnings).toEqual(["step: 2 rows: does not hold: $length(title) < 5"])
  })

  it.scoped("ends the run with onFail: fail, and names the row and the rule", function* () {
    const data = [{ url: "https://x.example/", n: 0 }]
    const { outcome } = yield* runStepOnce("check", [{ rule: "n > 0", onFail: "fail", message: "n is 0" }], data)
    expect(outcome).toMatchObject({
      left: {
        reason: {
          reason: "CheckFailed",
          message: "https://x.example/: n is 0; the rule stops the run (onFail: fail)"
        }
      }
    })
  })
})

it.scoped("a row keeps its key through steps that change its content", function* () {
  const data = { url: "https://x.example/A/" }
  const { keys } = yield* runStepOnce("select", { title: "url" }, [data])
  expect(keys).toEqual([keyOf({ data })])
})
