import { writeFileSync } from "node:fs"
import * as Documents from "../Engine/Parse/Documents.ts"
import { describe, expect, live } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { sluice } from "./Console.ts"
import { folderOf } from "./Project.ts"

const page = Documents.html('<main><h1>Tides</h1><p>See <a href="https://example.org/moon">the moon</a>.</p></main>')

describe("sluice parse", () => {
  live.skipIf(skipsLong)("prints the Markdown of a file, and of several each below its name", function* () {
    const path = yield* folderOf({ "a.html": page.toString() })
    writeFileSync(`${path}/b.rtf`, Documents.rtf())
    expect(yield* sluice(["parse", `${path}/a.html`])).toEqual({
      code: 0,
      out: "# Tides\n\nSee [the moon](https://example.org/moon).\n",
      err: ""
    })
    const both = yield* sluice(["parse", `${path}/a.html`, `${path}/b.rtf`])
    expect(both.out).toMatch(/^<!-- .*a\.html -->\n\n# Tides\n.*\n<!-- .*b\.rtf -->\n\nThe sea \*\*rises\*\*\./s)
    expect(both.code).toBe(0)
  })

  live.skipIf(skipsLong)(
    "prints another format, or all that is known as JSON, and tells on stderr what is odd",
    function* () {
      const path = yield* folderOf({ "a.html": page.toString() })
      writeFileSync(`${path}/b.doc`, Documents.rtf())
      expect((yield* sluice(["parse", `${path}/a.html`, "--format", "links"])).out).toBe("https://example.org/moon\n")
      const json = JSON.parse((yield* sluice(["parse", `${path}/a.html`, "--json"])).out)
      expect(json).toMatchObject({ file: `${path}/a.html`, metadata: { title: "Tides", sourceURL: "a.html" } })
      const mislabelled = yield* sluice(["parse", `${path}/b.doc`])
      expect(mislabelled.out).toContain("The sea **rises**.")
      expect(mislabelled.err).toContain(`warning: ${path}/b.doc: The file name indicates doc`)
    }
  )

  live("proposes a missing file another of its kind", function* () {
    const path = yield* folderOf({ "files.yaml": "", "flies.txt": "" })
    const { err } = yield* sluice(["parse", `${path}/filse.pdf`])
    expect(err).toContain("there is no such file")
    expect(err).not.toContain("files.yaml")
  })

  live.skipIf(skipsLong)("reads the others when one cannot be read, and ends with 1", function* () {
    const path = yield* folderOf({ "a.html": page.toString(), "b.docx": "PK\u0003\u0004 broken", "c.txt": "no" })
    const some = yield* sluice(["parse", `${path}/b.docx`, `${path}/gone.pdf`, `${path}/c.txt`, `${path}/a.html`])
    expect(some.code).toBe(1)
    expect(some.out).toContain("# Tides")
    expect(some.err).toContain(`cannot use ${path}/b.docx: b.docx: `)
    expect(some.err).toContain(`cannot use ${path}/gone.pdf: `)
    expect(some.err).toContain("has the extension .txt; supported are .html, .htm")
    expect(some.err).toMatch(/error: 3 of 4 files could not be read\n$/)
    const json = yield* sluice(["parse", `${path}/b.docx`, "--json"])
    expect(JSON.parse(json.out).error).toContain("b.docx")
  })
})
