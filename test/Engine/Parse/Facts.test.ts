import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { describe, expect, scoped } from "../../It.ts"
import * as Documents from "./Documents.ts"
import { read } from "./Folder.ts"

/** One file of each format, by its content type. */
const files = Effect.map(
  Effect.promise(() => Promise.all([Documents.docx(), Documents.pdf()])),
  ([docx, pdf]) =>
    [
      ["a.html", Documents.html("<main><p>The sea rises twice a day.</p></main>"), "text/html"],
      ["a.htm", Documents.html("<main><p>The sea rises twice a day.</p></main>"), "text/html"],
      ["a.pdf", pdf, "application/pdf"],
      ["a.docx", docx, "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
      ["a.doc", Documents.doc(), "application/msword"],
      ["a.odt", Documents.odt(), "application/vnd.oasis.opendocument.text"],
      ["a.rtf", Documents.rtf(), "application/rtf"],
      ["a.xlsx", Documents.workbook(), "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
      ["a.xls", Documents.workbook("biff8"), "application/vnd.ms-excel"]
    ] as const
)

describe("a file of any format", () => {
  scoped("has its name, type, status and a title in the metadata, and no warning", function* () {
    for (const [name, bytes, contentType] of yield* files) {
      const { document } = yield* read(name, bytes)
      expect(document.metadata, name).toMatchObject({ sourceURL: name, statusCode: 200, contentType })
      expect(document.metadata?.title, name).toBeTypeOf("string")
      expect(document.warning, name).toBeUndefined()
    }
  })

  scoped("is reduced to prose by onlyCleanContent", function* () {
    for (const [name, bytes] of yield* files) {
      const whole = (yield* read(name, bytes)).document
      const clean = (yield* read(name, bytes, { onlyCleanContent: true })).document
      expect(clean.markdown, name).not.toContain("![")
      expect(clean.markdown?.length, name).toBeLessThanOrEqual(whole.markdown?.length ?? 0)
      expect(clean.metadata?.title, name).toBe(whole.metadata?.title)
    }
    const docx = yield* Effect.promise(Documents.docx)
    const { document } = yield* read("a.docx", docx, { onlyCleanContent: true })
    expect(document.markdown).toContain("The sea rises **twice** a day")
  })

  scoped("that is truncated is read as far as possible, with a warning, or refused", function* () {
    const whole = (yield* files).filter(([name]) => !/html?$/.test(name))
    for (const [name, bytes] of whole) {
      const cut = yield* Effect.either(read(name, bytes.subarray(0, Math.floor(bytes.length * 0.5))))
      if (Either.isLeft(cut)) expect(cut.left, name).toMatchObject({ code: "FILE_CORRUPT" })
      else expect(cut.right.document.warning, name).toContain("is truncated")
    }
    const rtf = yield* read("a.rtf", Documents.rtf().subarray(0, -1))
    expect(rtf.document.markdown).toContain("End.")
    expect(rtf.document.warning).toBe("The file is truncated: its end is missing.")
    const pdf = yield* Effect.promise(Documents.pdf)
    const lost = pdf.subarray(0, pdf.lastIndexOf("%%EOF"))
    expect((yield* read("a.pdf", lost)).document.warning).toContain("is truncated")
  })
})
