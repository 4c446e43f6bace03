import * as NodePath from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { fill, literalPrefix, perRun, placeholdersOf, resolve, sanitize, Template } from "../../src/Sink/Destination.ts"

const nasty = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({
    unit: fc.constantFrom(".", "/", "\\", "\0", "~", " ", "a", ":", "\u202e", "é", "\ud800"),
    maxLength: 12
  }),
  fc.constantFrom("..", "../..", "/etc/passwd", "..\\..", "CON", "nul.txt", "", " ", "...", "%2e%2e", "a/../../b")
)

const objectionTo = (template: string): string => {
  const result = Schema.decodeUnknownEither(Template)(template)
  return result._tag === "Left" ? result.left.message : ""
}

describe("Sink/Path", () => {
  it("keeps row content below the literal prefix", () => {
    const templates = [
      "out/{a}/{b}.csv",
      "{a}",
      "{a}{b}.jsonl",
      "x/.{a}/.{b}",
      "x/{a}./y{b}",
      "../up/{a}.csv",
      "/abs/{a}/{b}/c"
    ]
    fc.assert(
      fc.property(fc.constantFrom(...templates), nasty, nasty, (template, a, b) => {
        const prefix = literalPrefix(template, "/home/me/out")
        const path = resolve(fill(template, { a, b }), "/home/me/out", 1)
        assert.isTrue(path.startsWith(prefix === "/" ? "/" : `${prefix}/`), `${path} is not under ${prefix}`)
        // As many segments as the template has: no value adds or removes one.
        assert.strictEqual(
          NodePath.relative(prefix, path).split("/").length,
          template.slice(template.lastIndexOf("/", template.indexOf("{")) + 1).split("/").length
        )
        assert.notMatch(path, /\p{Cc}/u)
      }),
      { numRuns: 2000 }
    )
  })

  it("turns any value into a part of a file name", () => {
    fc.assert(
      fc.property(nasty, (value) => {
        const part = sanitize(value)
        assert.isTrue(part.length > 0 && Buffer.byteLength(part) <= 100)
        assert.notMatch(part, /^\.|\.$|[/\\\0]/)
        assert.isTrue(Buffer.from(part).toString() === part, "well-formed")
      }),
      { numRuns: 2000 }
    )
    assert.strictEqual(sanitize("docs.example.com"), "docs.example.com")
    assert.strictEqual(sanitize("Größe/../x"), "Größe_.._x")
    assert.strictEqual(sanitize("é".repeat(200)), "é".repeat(50))
  })

  it("avoids names of devices on Windows", () => {
    assert.strictEqual(resolve(fill("{a}.csv", { a: "CON" }), "/o", 1), "/o/_CON.csv")
    assert.strictEqual(resolve(fill("x{a}.csv", { a: "CON" }), "/o", 1), "/o/xCON.csv")
  })

  it("keeps absolute paths and parent folders as the user wrote them", () => {
    assert.strictEqual(resolve(fill("/var/x-{runId}.csv", { runId: "r1" }), "/o", 1), "/var/x-r1.csv")
    assert.strictEqual(resolve(fill("../x.csv", {}), "/o/p", 1), "/o/x.csv")
    assert.strictEqual(literalPrefix("data/{date}/x", "/o"), "/o/data")
    assert.strictEqual(literalPrefix("data/x.csv", "/o"), "/o/data")
  })

  it("refuses templates that make no sense", () => {
    assert.include(objectionTo("out/{runId.csv"), "brace")
    assert.include(objectionTo("out/"), "names a folder")
    assert.include(objectionTo(" "), "a path is needed")
    assert.include(objectionTo("a\0b"), "zero character")
    assert.include(objectionTo("out/{date}/../x.csv"), "has .. after a {name}")
    assert.strictEqual(objectionTo("../out/{date}-{seq}.csv"), "")
  })

  it("gives each run its own file", () => {
    assert.strictEqual(perRun("out.d/files.jsonl.gz"), "out.d/files-{runId}.jsonl.gz")
    assert.strictEqual(perRun("out/files"), "out/files-{runId}")
    assert.strictEqual(perRun("out/{runId}.csv"), "out/{runId}.csv")
    assert.deepStrictEqual(placeholdersOf("a/{runId}-{seq}"), ["runId", "seq"])
  })
})
