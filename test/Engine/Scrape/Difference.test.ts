/** Differences that people and programs can read. */
import { describe, expect, it } from "@effect/vitest"
import { applyPatch } from "diff"
import * as FastCheck from "fast-check"
import { between } from "../../../src/Engine/Scrape/Difference.ts"
import { cpuMillis } from "../../CpuTime.ts"

const line = FastCheck.constantFrom("", "a", "b", "herons", "+ plus", "- minus", "@@ -1 +1 @@", "\\ no")
const text = FastCheck.array(line, { maxLength: 40 }).map((lines) => lines.map((one) => `${one}\n`).join(""))

const lines = (from: number, count: number) => Array.from({ length: count }, (_, at) => `line ${from + at}\n`).join("")

describe("a difference", () => {
  it("is a unified diff, and the same in parts", () => {
    const { json, text } = between("# Herons\n\nThey wait.\nThey fish.", "# Herons\n\nThey stand.\nThey fish.\n")
    expect(text).toBe("@@ -1,4 +1,4 @@\n # Herons\n \n-They wait.\n+They stand.\n They fish.")
    expect(json.files).toEqual([
      {
        from: null,
        to: null,
        additions: 1,
        deletions: 1,
        chunks: [
          {
            content: "@@ -1,4 +1,4 @@",
            oldStart: 1,
            oldLines: 4,
            newStart: 1,
            newLines: 4,
            changes: [
              { type: "normal", normal: true, ln1: 1, ln2: 1, content: " # Herons" },
              { type: "normal", normal: true, ln1: 2, ln2: 2, content: " " },
              { type: "del", del: true, ln: 3, content: "-They wait." },
              { type: "add", add: true, ln: 3, content: "+They stand." },
              { type: "normal", normal: true, ln1: 4, ln2: 4, content: " They fish." }
            ]
          }
        ]
      }
    ])
  })

  it("with an empty side names the line before the first", () => {
    expect(between("", "one\ntwo").text).toBe("@@ -0,0 +1,2 @@\n+one\n+two")
    expect(between("one", "").text).toBe("@@ -1 +0,0 @@\n-one")
    expect(between("same", "same\n")).toMatchObject({ text: "", json: { files: [{ chunks: [] }] } })
  })

  it("makes the one text of the other, as a patch does", () => {
    FastCheck.assert(
      FastCheck.property(text, text, (before, after) => {
        const patch = between(before, after).text
        expect(patch === "" ? before : applyPatch(before, `${patch}\n`)).toBe(after)
      })
    )
  })

  it("of texts without a common line is correct, and computed in time", () => {
    const common = lines(0, 10)
    const before = common + lines(1_000_000, 20_000) + common
    const after = common + lines(2_000_000, 20_000) + common
    let { json, text } = between("", "")
    expect(cpuMillis(() => ({ json, text } = between(before, after)))).toBeLessThan(2_000)
    expect(json.files[0]).toMatchObject({ additions: 20_000, deletions: 20_000 })
    expect(json.files[0]?.chunks[0]).toMatchObject({ content: "@@ -8,20006 +8,20006 @@" })
    expect(text.startsWith("@@ -8,20006 +8,20006 @@\n line 7\n line 8\n line 9\n-line 1000000\n")).toBe(true)
    expect(applyPatch(before, `${text}\n`)).toBe(after)
  })
})
