/** The guide for programs, and its examples; those for streams, schedules and clusters: docs/Examples.faults.test.ts. */
import { readdirSync, readFileSync } from "node:fs"
import * as ClientErrors from "../src/Client/ClientErrors.ts"
import * as SinkErrors from "../src/Sink/SinkErrors.ts"
import { run } from "./docs/Examples.ts"
import { root } from "./docs/Pages.ts"
import { describe, expect, it, live } from "./It.ts"
import { skipsLong } from "./Long.ts"

const guide = readFileSync(`${root}docs/embedding.md`, "utf8")
const examples = readdirSync(`${root}docs/examples`).sort()

describe("docs/embedding.md", () => {
  it("shows the files of docs/examples, word for word", () => {
    const blocks = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text]) => text)
    expect(examples).toEqual(["cluster.ts", "effect.ts", "promise.ts", "schedule.ts", "stream.ts"])
    const texts = examples.map((name) => readFileSync(`${root}docs/examples/${name}`, "utf8"))
    expect(blocks).toEqual(expect.arrayContaining(texts))
  })

  it("names every failure of the client and of the sinks", () => {
    for (const errors of [ClientErrors, SinkErrors]) {
      for (const [name, value] of Object.entries(errors)) {
        if (typeof value === "function" && value.prototype instanceof Error && name !== "InvalidBaseUrl") {
          expect(guide).toContain(`\`${name}\``)
        }
      }
    }
  })

  live.skipIf(skipsLong)("has an Effect program that runs a pipeline with its own layers", function* () {
    const { code, err, lines, out } = yield* run("effect.ts")
    expect(code, err).toBe(0)
    expect(out).toBe("6 titles for 6 credits, 0 rejects\n")
    expect(lines("titles.jsonl").map((line) => JSON.parse(line).title)).toContain("Home")
  })

  live.skipIf(skipsLong)("has a program without Effect that shows progress, is stopped, and goes on", function* () {
    const { code, err, lines, out, requests } = yield* run("promise.ts")
    expect(code, err).toBe(0)
    expect(out).toBe("3 rows, 1 file\n")
    expect(lines("pages.jsonl")).toHaveLength(3)
    for (const path of ["/", "/a", "/b"]) expect(requests.filter((each) => each === path)).toHaveLength(1)
  })
})
