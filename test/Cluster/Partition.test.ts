import * as Effect from "effect/Effect"
import { partition } from "../../src/Cluster/Partition.ts"
import { total } from "../../src/Cluster/PartResult.ts"
import { partName } from "../../src/Cluster/ShardPlan.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { checked, context } from "./Ground.ts"

const parts = (steps: string, limited = false) =>
  checked("/nowhere", `version: 1\nname: cut\nsteps:\n${steps}`).pipe(
    Effect.map((definition) => partition(definition, { limited })),
    Effect.map((found) =>
      found.kind === "whole"
        ? found.why
        : { shared: found.shared.map(({ id }) => id), tail: found.tail.map(({ id }) => id), kept: found.kept }
    ),
    Effect.provide(context)
  )

describe("the part of a pipeline that is split", () => {
  scoped("is every step that processes rows one by one, up to the first that sees all rows", function* () {
    const steps = `  - urls: ["https://a.example/"]
  - scrape: { formats: [markdown] }
  - where: metadata.statusCode = 200
  - write: { jsonl: all.jsonl }
  - dedupe: { key: url }
  - select: { url: url }
  - write: { jsonl: some.jsonl }
`
    expect(yield* parts(steps)).toEqual({
      shared: ["scrape", "where", "write"],
      tail: ["dedupe", "select", "write-2"],
      kept: ["write"]
    })
  })

  scoped("leaves appended outputs, and outputs outside the output folder, to one worker", function* () {
    const one = (write: string) =>
      parts(`  - urls: ["https://a.example/"]\n  - select: { url: url }\n  - write: ${write}\n`)
    const alone = { shared: ["select"], tail: ["write"], kept: ["select"] }
    expect(yield* one("{ jsonl: a.jsonl, mode: append }")).toEqual(alone)
    expect(yield* one("{ jsonl: /tmp/a.jsonl }")).toEqual(alone)
    expect(yield* one("{ csv: ../a.csv }")).toEqual(alone)
    expect(yield* one('{ jsonl: "a-{runId}.jsonl" }')).toEqual({ shared: ["select", "write"], tail: [], kept: [] })
  })

  scoped("is empty, with a reason, when the rows do not come from one source", function* () {
    const two = `  - urls: ["https://a.example/"]\n    id: a\n  - urls: ["https://a.example/"]\n    id: b\n    after: a\n  - select: { url: url }\n`
    expect(yield* parts(two)).toBe("it has 2 sources: a, b")
    expect(yield* parts('  - urls: ["https://a.example/"]\n  - limit: 2\n')).toBe(
      '"limit" needs all rows, and no step before it could run in shards'
    )
    expect(yield* parts('  - files: { glob: "*.pdf", skipSeen: content }\n  - parse: {}\n')).toBe(
      '"files" remembers what earlier runs have seen'
    )
    const each = '  - urls: ["https://a.example/"]\n  - search: { query: "{{url}}" }\n    each: true\n'
    expect(yield* parts(each.replace('"{{url}}"', "url"), true)).toBe(
      '--limit counts the rows of "search" for the whole run'
    )
  })
})

describe("parts of files", () => {
  it("have their number before the extension, and their counts add up", () => {
    expect(["a/pages.jsonl", "pages.csv.gz", "part-0001.jsonl"].map((path) => partName(path, 12))).toEqual([
      "a/pages.0012.jsonl",
      "pages.0012.csv.gz",
      "part-0001.0012.jsonl"
    ])
    expect(
      total([
        { rows: 2, rejects: 1, given: { a: 3 }, rejected: { a: 1 } },
        { rows: 3, given: { a: 3, "~a": 3 } }
      ])
    ).toMatchObject({ rows: 5, rejects: 1, given: { a: 6 }, rejected: { a: 1 } })
  })
})
