import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { cutExpressions } from "../../src/Pipeline/Expressions.ts"
import { builtIn } from "../../src/Pipeline/Extensions.ts"
import { ofValue, parseText, read } from "../../src/Pipeline/Source.ts"
import { describe, expect, scoped } from "../It.ts"
import { tempDir } from "../Local.ts"

const said = (text: string) =>
  Effect.map(Effect.flip(parseText("p.yaml", "/tmp", text)), ({ message }) => message.split("\n")[0])

describe("a definition that is a value", () => {
  scoped("may be a module as CommonJS wraps it", function* () {
    const definition = { version: 1, name: "t", steps: [{ read: "a.jsonl" }] }
    const wrapped = { __esModule: true, default: definition }
    const twice = { __esModule: true, default: wrapped }
    for (const given of [definition, wrapped, twice])
      expect((yield* ofValue("p.ts", "/tmp", given)).value).toEqual(definition)
  })
})

describe("a source that is not a definition", () => {
  scoped("may be a folder, which is told to name a file in it", function* () {
    const folder = yield* tempDir
    expect((yield* Effect.flip(read(folder))).message).toContain("is a folder: name a definition in it")
  })

  scoped("is refused with the reason", function* () {
    expect(yield* said("a: 1\n---\nb: 2\n")).toContain("a definition is one document")
    expect(yield* said('steps:\n  - where: $contains(title, "a") ? true : false\n')).toContain(
      "an unquoted `a ? b : c` is read as an object"
    )
  })

  scoped("gets errors about brackets, quotes, colons, columns and paths in plain words", function* () {
    const cases: ReadonlyArray<readonly [text: string, heard: string]> = [
      ["a: { b: 1\n", "a { that was opened before is not closed: } is missing"],
      ["a: [1, 2\nb: 3\n", "a [ that was opened before is not closed: ] is missing"],
      ['a: "b\n', 'a string that begins with " is not closed: " is missing'],
      ["name: x: y\n", "a value that holds a colon and a space is read as an object: put it in quotes"],
      ['a: "C:\\data"\n', "\\d is not a YAML escape: put the text in single quotes, and write paths with /"],
      ["a:\n  - b\n - c\n", "this line is not indented like the lines that it belongs to"],
      ["\ufffd\ufffdv\0e\0", "the file is not UTF-8 text: save it as UTF-8"]
    ]
    for (const [text, heard] of cases) expect(yield* said(text), text).toContain(heard)
  })

  scoped("reports a cut expression in every expression field, and in no other", function* () {
    const cutIn = (body: string) =>
      Effect.map(parseText("p.yaml", "/tmp", `steps:\n${body}`), (source) => cutExpressions(source, builtIn).length)
    expect(yield* cutIn("  - write:\n      jsonl: a-{x}.jsonl\n      partitionBy:\n        x: $f(a #b)\n")).toBe(1)
    expect(yield* cutIn("  - sort:\n      by:\n        - expr: $f(a #b)\n")).toBe(1)
    expect(yield* cutIn("  - scrape:\n      url:\n        expr: $f(a #b)\n")).toBe(1)
    expect(yield* cutIn("  - write:\n      jsonl: a(b #c\n")).toBe(0)
    expect(yield* cutIn("  - dedupe:\n      as: a(b #c\n")).toBe(0)
  })

  scoped("gets an error for an expression that # cuts, and for no other comment", function* () {
    const step = (where: string) => `steps:\n  - where: ${where}\n  - limit: 5 # 3 = few\n`
    for (const cut of ["$count(links) #1 > 2", "a = # b", "$f(a, #b)", 'title = "a #1"']) {
      const text = cut.startsWith("title") ? cut.replace('"a #1"', "'a #1") : cut
      const found = cutExpressions(yield* parseText("p.yaml", "/tmp", step(text)), builtIn)
      expect(found, text).toEqual([
        {
          path: [],
          line: 2,
          column: 12,
          message: "a plain value ends at ` #`, the rest is a comment: put the expression in quotes"
        }
      ])
    }
    for (const fine of ["url # in short", "a = 200 # and more", '"a #1"', "$count(links) > 2 #1", "a #c (see d"]) {
      const source = yield* parseText("p.yaml", "/tmp", `description: what? # (yes\n${step(fine)}`)
      expect(cutExpressions(source, builtIn), fine).toEqual([])
    }
  })
})

describe("a definition in code", () => {
  scoped("that is not plain data is refused with the value that is not", function* () {
    const folder = yield* tempDir
    const frame = "const d = { version: 1, name: 'd', steps: [{ urls: ['https://example.com/'] }] }"
    for (const [name, more, why] of [
      ["a", "d.steps.push({ limit: 10n })", "it holds a bigint"],
      ["b", "d.self = d", "it contains itself"]
    ]) {
      writeFileSync(join(folder, `${name}.mjs`), `${frame}\n${more}\nexport default d\n`)
      const { message } = yield* Effect.flip(read(join(folder, `${name}.mjs`)))
      expect(message).toContain(`is not plain data: ${why}`)
    }
  })

  scoped("is read in its current version with its imports, however often it was read before", function* () {
    const folder = yield* tempDir
    for (const ending of ["ts", "mts", "mjs"]) {
      const file = join(folder, `watch-${ending}.${ending}`)
      const beside = `count.${ending}`
      const write = (text: string, count: number) => {
        writeFileSync(join(folder, beside), `export const count = ${count}\n`)
        writeFileSync(file, text)
      }
      const source = (name: string) =>
        `import { count } from "./${beside}"\nexport default { name: "${name}", count }\n`
      write(source("a"), 1)
      expect((yield* read(file)).value, ending).toMatchObject({ name: "a" })
      write(source("second"), 2)
      expect((yield* read(file)).value, ending).toEqual({ name: "second", count: 2 })
      write("export default {", 3)
      expect((yield* Effect.flip(read(file))).message, ending).toContain("cannot be loaded")
      write(source("mended"), 4)
      expect((yield* read(file)).value, ending).toEqual({ name: "mended", count: 4 })
    }
  })
})
