import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"
import * as fc from "fast-check"
import { extensions } from "../../../src/Api/Upload.ts"
import * as Parser from "../../../src/Engine/Parse/Parser.ts"
import { expect, it, layer } from "../../It.ts"
import { skipsLong } from "../../Long.ts"
import { alone } from "../Alone.ts"
import * as Documents from "./Documents.ts"
import { target } from "./Folder.ts"

const parse = (...parameters: Parameters<typeof target>) =>
  Effect.gen(function* () {
    const parser = yield* Parser.Parser
    return yield* parser.parse(yield* target(...parameters))
  })

/** A file that takes seconds to parse. */
const endless = Buffer.from(`<table>${`<tr><td>${"a_ ".repeat(35)}<td><b>b</b>`.repeat(74_000)}`)

const everything = ["markdown", "html", "rawHtml", "links", "images", "summary"] as const

layer(Layer.provide(Parser.layer, alone), { excludeTestServices: true })("Parser", (it) => {
  it.scoped.skipIf(skipsLong)("parses every format", function* () {
    const files = [
      ["a.html", Documents.html("<h1>Tides</h1>")],
      ["a.htm", Documents.html("<h1>Tides</h1>")],
      ["a.pdf", yield* Effect.promise(Documents.pdf)],
      ["a.docx", yield* Effect.promise(Documents.docx)],
      ["a.odt", Documents.odt()],
      ["a.rtf", Documents.rtf()],
      ["a.xlsx", Documents.workbook()],
      ["a.xls", Documents.workbook("biff8")]
    ] as const
    const parsed = yield* Effect.forEach(files, ([name, bytes]) => parse(name, bytes), { concurrency: 2 })
    for (const [index, { document, indexed }] of parsed.entries()) {
      const [name] = files[index] ?? []
      expect(document.markdown, name).not.toBe("")
      expect(document.warning, name).toBeUndefined()
      expect(document.metadata, name).toMatchObject({ sourceURL: name, statusCode: 200 })
      expect(indexed.text, name).not.toBe("")
    }
  })

  it.scoped("reads tables and rows of files, and the data of HTML", function* () {
    const rows = { type: "fields", rows: { table: true }, required: ["Height"] }
    const workbook = yield* parse("a.xlsx", Documents.workbook(), { formats: ["tables", rows] })
    expect(workbook.document).toMatchObject({
      tables: [
        {
          header: ["Harbour", "Height", "Day"],
          rows: [
            ["Cuxhaven", "3.14", "2023-03-15"],
            ["Büsum", "1,234.50", "2023-03-17"]
          ]
        },
        {}
      ],
      fields: { rows: [{ Harbour: "Cuxhaven", Height: "3.14" }, { Harbour: "Büsum" }] }
    })
    const docx = yield* parse("a.docx", yield* Effect.promise(Documents.docx), { formats: ["tables"] })
    expect(docx.document.tables).toMatchObject([{ header: ["Harbour", "Height | m"], rows: [["Cuxhaven", "3.1 3.4"]] }])
    const pdf = yield* parse("a.pdf", yield* Effect.promise(Documents.pdf), { formats: ["tables"] })
    expect(pdf.document.tables?.length).toBeGreaterThan(0)
    const html = Documents.html('<h1>Tides</h1><script type=\'application/ld+json\'>{"@type":"Event"}</script>')
    const page = yield* parse("a.html", html, {
      formats: ["structured", "article", { type: "fields", fields: { t: "h2" }, required: ["t"] }]
    })
    expect(page.document).toMatchObject({
      structured: { jsonld: [{ "@type": "Event" }] },
      article: { title: "Tides" },
      fields: { rows: [{ t: null }], missing: [{ field: "t", reason: 'css "h2" matches nothing', rows: [1] }] },
      warning: 'fields: row 1: no t: css "h2" matches nothing'
    })
    expect(yield* Effect.flip(parse("a.html", html, { formats: [{ type: "fields" }] }))).toMatchObject({
      _tag: "BadRequest"
    })
  })

  it.scoped("refuses an unknown extension, but not a URL without one", function* () {
    const unknown = yield* Effect.flip(parse("notes.txt", Buffer.from("words")))
    expect(unknown).toMatchObject({ _tag: "UnsupportedType", code: "UNSUPPORTED_FILE_TYPE" })
    expect(unknown.message).toContain(".txt")
    expect(yield* Effect.flip(parse("notes", Buffer.from("words")))).toMatchObject({ _tag: "UnsupportedType" })
    const fetched = yield* parse("https://example.org/download?id=7", Documents.rtf())
    expect(fetched.document.metadata).toMatchObject({ contentType: "application/rtf" })
    expect(fetched.document.warning).toBeUndefined()
  })

  it.scoped("refuses an empty file, one that is too large and one that was deleted", function* () {
    expect(yield* Effect.flip(parse("a.pdf", Buffer.alloc(0)))).toMatchObject({
      _tag: "Unprocessable",
      code: "FILE_CORRUPT"
    })
    expect(yield* Effect.flip(parse("a.pdf", Buffer.alloc(50 * 1024 * 1024 + 1)))).toMatchObject({ _tag: "TooLarge" })
    const parser = yield* Parser.Parser
    const gone = { ...(yield* target("a.pdf", Buffer.from("x"))), path: "/nowhere/a.pdf" }
    expect(yield* Effect.flip(parser.parse(gone))).toMatchObject({ _tag: "Unprocessable" })
  })

  it.scoped("warns about formats that it does not produce", function* () {
    const refused = yield* Effect.flip(parse("a.rtf", Documents.rtf(), { formats: ["markdown", { type: "audio" }] }))
    expect(refused).toMatchObject({ _tag: "NotImplemented", code: "NOT_IMPLEMENTED" })
    expect(refused.message).toContain("audio")
    const unknown = yield* Effect.flip(parse("a.rtf", Documents.rtf(), { formats: ["markdwon" as "markdown"] }))
    expect(unknown).toMatchObject({ _tag: "BadRequest", code: "BAD_REQUEST" })
    expect(unknown.message).toContain('"markdwon" is not a format; use markdown')
  })

  it.scoped("answers 408 after the timeout, and parses the next file", function* () {
    const late = yield* Effect.flip(parse("a.html", endless, { timeout: 1000, formats: everything }))
    expect(late).toMatchObject({ _tag: "TimedOut", code: "PARSE_TIMEOUT" })
    const next = yield* parse("a.rtf", Documents.rtf())
    expect(next.document.markdown).toContain("The sea")
  })

  it.scoped("parses another file while two slow ones of the same team are being parsed", function* () {
    const slow = () => Effect.fork(parse("a.html", endless, { timeout: 60_000, formats: everything }))
    const two = [yield* slow(), yield* slow()]
    const next = yield* parse("a.rtf", Documents.rtf())
    expect(next.document.markdown).toContain("The sea")
    for (const each of two) expect(Option.isNone(yield* Fiber.poll(each))).toBe(true)
    yield* Fiber.interruptAll(two)
  })

  it.scoped.skipIf(skipsLong)("parses or refuses arbitrary bytes, without any other outcome", function* () {
    const docx = yield* Effect.promise(Documents.docx)
    const pdf = yield* Effect.promise(Documents.pdf)
    const whole = [
      docx,
      pdf,
      Documents.workbook(),
      Documents.workbook("biff8"),
      Documents.odt(),
      Documents.rtf(),
      Documents.doc(),
      Documents.html("<table><tr><td>a &amp; b</td></tr></table><ul><li><p>one</p></li></ul>")
    ]
    const mutated = fc
      .record({
        file: fc.constantFrom(...whole),
        keep: fc.double({ min: 0.2, max: 1, noNaN: true }),
        changes: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 30 })
      })
      .map(({ changes, file, keep }) => {
        const bytes = Buffer.from(file.subarray(0, Math.ceil(file.length * keep)))
        for (const [at, value] of changes) bytes[at % bytes.length] = value
        return bytes
      })
    const random = fc.uint8Array({ minLength: 1, maxLength: 2000 }).map((bytes) => Buffer.from(bytes))
    const input = fc.tuple(fc.constantFrom(...extensions), fc.oneof(mutated, mutated, random))
    const samples = fc.sample(input, { numRuns: 80, seed: 20 })
    const results = yield* Effect.forEach(
      samples,
      ([extension, bytes]) => Effect.either(parse(`file${extension}`, bytes, { timeout: 20_000 })),
      { concurrency: 2 }
    )
    for (const result of results) {
      if (Either.isRight(result)) expect(result.right.document.metadata?.statusCode).toBe(200)
      else expect(result.left).toMatchObject({ _tag: expect.stringMatching(/^(Unprocessable|UnsupportedType)$/) })
    }
    expect(results.some(Either.isRight)).toBe(true)
    expect(results.some(Either.isLeft)).toBe(true)
  })
})

it.scoped.skipIf(skipsLong)(
  "Parser does not count queueing toward the timeout",
  Layer.provide(Parser.layer, alone),
  function* () {
    const start = (name: string, bytes: Uint8Array, timeout: number) =>
      Effect.zipLeft(Effect.fork(parse(name, bytes, { timeout })), Effect.yieldNow())
    // As many as a team may have: the next one waits until one of them has ended.
    const slow = yield* Effect.replicateEffect(start("slow.html", endless, 300_000), 3)
    const waiting = yield* start("a.rtf", Documents.rtf(), 1_000)
    // Fewer seconds than a process has to start.
    yield* TestClock.adjust("20 seconds")
    expect(Option.isNone(yield* Fiber.poll(waiting))).toBe(true)
    yield* Fiber.interruptAll(slow)
    expect((yield* Fiber.join(waiting)).document.markdown).not.toBe("")
  }
)
