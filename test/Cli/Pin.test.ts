import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { serve } from "../Client/Server.ts"
import { describe, expect, scoped } from "../It.ts"
import { sluice } from "./Console.ts"
import { folderOf, list, readText } from "./Project.ts"

/** Stands for every secret of a user; it must turn up nowhere. */
const sentinel = "fc-5e17aee15e17aee15e17aee15e17aee1"

const definition = `version: 1
name: docs-watch
inputs: { site: { type: url, default: "https://example.com/docs" } }
steps:
  - id: params
    crawlPreview: { url: "\${{ inputs.site }}", prompt: Only the API reference. }
    pin: docs.lock.json
  - crawl: { params: "\${{ steps.params.output }}", limit: 3 }
  - write: { jsonl: out.jsonl }
`

const project = Effect.gen(function* () {
  /** The service's answer to every prompt. */
  const answers: { now: Readonly<Record<string, unknown>> } = { now: { includePaths: ["^/docs"], maxDepth: 2 } }
  /** The model that the service names in its answer. */
  const said: { now: Readonly<Record<string, string>> } = { now: {} }
  const service = yield* serve(({ body }) => ({
    body: { success: true, data: { url: JSON.parse(body).url, ...answers.now }, ...said.now }
  }))
  const path = yield* folderOf({ "docs.yaml": definition })
  const env = { SLUICE_BASE_URL: service.url, SLUICE_API_KEY: sentinel, SLUICE_DATA: `${path}/data` }
  const pin = (...words: ReadonlyArray<string>) => sluice(["pin", `${path}/docs.yaml`, ...words], { env })
  const lock = readText(`${path}/docs.lock.json`)
  return { answers, lock, path, pin, said, service }
})

describe("sluice pin", () => {
  scoped("asks once for a missing answer, and saves it as a file for review", function* () {
    const { lock, pin, service } = yield* project
    const first = yield* pin()
    expect([first.code, first.out]).toEqual([0, ""])
    expect(first.err).toMatch(/docs\.lock\.json: made\n$/)
    expect(service.asked.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /v2/crawl/params-preview"])
    const text = yield* lock
    const date = new Date().toISOString().slice(0, 10)
    expect(text).toBe(`{
  "answer": {
    "includePaths": [
      "^/docs"
    ],
    "maxDepth": 2,
    "url": "https://example.com/docs"
  },
  "date": "${date}",
  "prompt": "Only the API reference.",
  "service": "${new URL(service.url).host}",
  "url": "https://example.com/docs",
  "version": 1
}
`)
    const again = yield* pin()
    expect(again.code).toBe(0)
    expect(again.err).toMatch(/docs\.lock\.json: fits\n$/)
    expect(service.asked).toHaveLength(1)
    expect(yield* lock).toBe(text)
  })

  scoped("records whether a model or rules have answered, where the service says it", function* () {
    const { answers, lock, pin, said } = yield* project
    yield* pin()
    expect(yield* lock).not.toContain("answeredBy")
    Object.assign(answers, { now: { maxDepth: 1 } })
    Object.assign(said, { now: { answeredBy: "model" } })
    expect((yield* pin("--update")).out).toContain('+  "answeredBy": "model",')
    expect(yield* lock).toContain('"answeredBy": "model"')
    expect((yield* pin("--check")).code).toBe(0)
  })

  scoped("asks again with --update, shows what changes, and leaves alone what does not", function* () {
    const { answers, lock, path, pin } = yield* project
    yield* pin()
    const before = yield* lock
    const same = yield* pin("--update")
    expect([same.code, same.out]).toEqual([0, ""])
    expect(same.err).toContain("requested again, nothing has changed")
    expect(yield* lock).toBe(before)
    answers.now = { includePaths: ["^/docs", "^/api"], maxDepth: 2, note: "\u001b[31mred\u202e" }
    const changed = yield* pin("--update")
    expect(changed.code).toBe(0)
    expect(changed.err).toMatch(/docs\.lock\.json: replaced\n$/)
    expect(changed.out).toBe(`--- ${path}/docs.lock.json
+++ ${path}/docs.lock.json
@@ -1,9 +1,11 @@
 {
   "answer": {
     "includePaths": [
-      "^/docs"
+      "^/docs",
+      "^/api"
     ],
     "maxDepth": 2,
+    "note": "\\u001b[31mred\\u202e",
     "url": "https://example.com/docs"
   },
   "date": "${new Date().toISOString().slice(0, 10)}",
`)
    expect(JSON.parse(yield* lock).answer.note).toBe("\u001b[31mred\u202e")
    expect(yield* list(path)).toEqual(expect.not.arrayContaining([expect.stringContaining("partial")]))
  })

  scoped("asks again when the definition asks something else", function* () {
    const { pin, service } = yield* project
    yield* pin()
    const other = yield* pin("-i", "site=https://example.com/blog")
    expect(other.code).toBe(0)
    expect(other.out).toContain('-  "url": "https://example.com/docs",\n+  "url": "https://example.com/blog",')
    expect(service.asked).toHaveLength(2)
  })

  scoped("tells a build with --check, without asking anybody", function* () {
    const { path, pin, service } = yield* project
    const missing = yield* pin("--check")
    expect(missing.code).toBe(6)
    expect(missing.err).toContain(
      `error: the lock file docs.lock.json is missing: create it with \`sluice pin ${path}/docs.yaml\``
    )
    yield* pin()
    expect((yield* pin("--check")).code).toBe(0)
    const stale = yield* pin("--check", "-i", "site=https://example.com/blog", "--json")
    expect(stale.code).toBe(6)
    expect(JSON.parse(stale.out)).toEqual({
      file: `${path}/docs.yaml`,
      locks: [
        {
          step: "params",
          file: `${path}/docs.lock.json`,
          state: "stale",
          reason: expect.stringContaining("was made for another url")
        }
      ]
    })
    expect(service.asked).toHaveLength(1)
  })

  scoped("replaces a file that is no lock file only with --update", function* () {
    const { lock, path, pin, service } = yield* project
    const files = yield* FileSystem.FileSystem
    yield* files.writeFileString(`${path}/docs.lock.json`, '<<<<<<< HEAD\n{ "version": 1 }\n')
    const refused = yield* pin()
    expect(refused.code).toBe(1)
    expect(refused.err).toBe("error: cannot use docs.lock.json: it is not valid JSON. --update replaces it.\n")
    yield* files.writeFileString(`${path}/docs.lock.json`, '{ "name": "some package", "lockfileVersion": 3 }')
    expect((yield* pin()).err).toContain("cannot use docs.lock.json")
    expect(service.asked).toEqual([])
    expect((yield* pin("--update")).code).toBe(0)
    expect(JSON.parse(yield* lock).version).toBe(1)
  })

  scoped("writes no key and no password into a lock file, and shows none", function* () {
    const { lock, pin, service } = yield* project
    const { err, out } = yield* pin()
    for (const text of [yield* lock, err, out]) expect(text).not.toContain(sentinel)
    const withPassword = yield* pin("-i", `site=https://ada:${sentinel}@example.com/docs`)
    expect(withPassword.code).toBe(78)
    expect(withPassword.err).toContain("the address of its request contains a password")
    expect(withPassword.err).not.toContain(sentinel)
    expect(yield* lock).not.toContain(sentinel)
    expect(service.asked).toHaveLength(1)
  })

  scoped("says that a definition pins nothing", function* () {
    const path = yield* folderOf({
      "a.yaml": "version: 1\nname: a\nsteps:\n  - urls: [https://example.com/]\n  - write: { jsonl: a.jsonl }\n"
    })
    expect(yield* sluice(["pin", `${path}/a.yaml`])).toEqual({
      code: 0,
      out: "",
      err: `${path}/a.yaml pins nothing\n`
    })
  })
})
