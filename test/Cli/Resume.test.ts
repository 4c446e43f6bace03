import * as FileSystem from "@effect/platform/FileSystem"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { describe, expect, scoped } from "../It.ts"
import { page, site } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { sluice } from "./Console.ts"
import { folderOf, readText } from "./Project.ts"

const env = { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }

/** Three pages, one after the other. */
const steps = (url: string, more = "") => `steps:
  - urls: ["${url}/a", "${url}/b", "${url}/c"]
  - scrape: { formats: [markdown] }
    concurrency: 1
  - select: { page: metadata.sourceURL${more} }
  - write: { jsonl: pages.jsonl }
`

const yaml = (text: string) => `version: 1\nname: p\n${text}`

/**
 * A run that was stopped while it waited for the second of its pages, which came then; of the third nothing came. From
 * then on the site answers.
 */
const stopped = (name = "p.yaml", definition: (url: string) => string = (url) => yaml(steps(url))) =>
  Effect.gen(function* () {
    const system = yield* FileSystem.FileSystem
    const asked = yield* Deferred.make<void>()
    let silent = true
    const { requests, url } = yield* site((path) => {
      if (path === "/robots.txt") return undefined
      if (path === "/a" || !silent) return page(path)
      Deferred.unsafeDone(asked, Effect.void)
      return path === "/b" ? { delay: 50, body: page(path) } : { delay: 600_000 }
    })
    const root = yield* folderOf({ [name]: definition(url), "list.txt": `${url}/a\n${url}/b\n${url}/c\n` })
    const stop = new AbortController()
    yield* Effect.forkScoped(Effect.tap(Deferred.await(asked), () => stop.abort("SIGINT")))
    const data = ["--data", `${root}/data`]
    const words = ["run", `${root}/${name}`, "--out", `${root}/out`, ...data, "--json"]
    const { code, err, out } = yield* sluice(words, { env, stop: stop.signal })
    const { resumable, rows, runId } = JSON.parse(out)
    const isBegun = requests.includes("/a")
    expect([code, resumable, rows > 0], err).toEqual([130, isBegun, isBegun])
    expect(rows, err).toBeLessThan(3)
    silent = false
    return {
      url,
      requests,
      runId: runId as string,
      folder: root,
      file: `${root}/${name}`,
      write: (text: string) => system.writeFileString(`${root}/${name}`, text),
      remove: system.remove(`${root}/${name}`),
      act: (...more: ReadonlyArray<string>) => sluice([...more, ...data], { env }),
      pages: Effect.map(readText(`${root}/out/pages.jsonl`), (text) =>
        text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line))
      )
    }
  })

describe("sluice resume", () => {
  scoped.skipIf(skipsLong)(
    "refuses a changed definition and shows the diff; continues with it by --with-current",
    function* () {
      const { act, file, pages, runId, url, write } = yield* stopped()
      yield* write(yaml(steps(url, ", n: $number('1')")))
      const refused = yield* act("resume", runId)
      expect([refused.code, refused.out]).toEqual([78, ""])
      const lines = refused.err.trimEnd().split("\n")
      expect(lines[0]).toBe(`--- ${file}, as run ${runId} began`)
      expect(lines).toContain("-  - select: { page: metadata.sourceURL }")
      expect(lines).toContain("+  - select: { page: metadata.sourceURL, n: $number('1') }")
      expect(lines.at(-1)).toBe(
        `error: ${file} has changed since run ${runId} began: restore it, or continue with the current one: --with-current`
      )
      yield* write("steps: [")
      const broken = yield* act("resume", runId, "--json")
      expect(broken.code).toBe(78)
      expect(broken.err).toContain("+steps: [")
      expect(JSON.parse(broken.out)).toMatchObject({ status: "failed", error: { code: "DefinitionChanged" } })
      expect((yield* act("resume", runId, "--with-current")).code).toBe(78)
      yield* write(yaml(steps(url, ", n: $number('1')")))
      const { code, err } = yield* act("resume", runId, "--with-current")
      expect(code, err).toBe(0)
      expect(err).toContain("+  - select: { page: metadata.sourceURL, n: $number('1') }\n")
      const all = yield* pages
      expect(all.map((row) => row.page)).toEqual([`${url}/a`, `${url}/b`, `${url}/c`])
      expect([all[0]?.n, all[2]?.n]).toEqual([undefined, 1])
      const again = yield* act("resume", runId)
      expect([again.code, again.err]).toEqual([
        1,
        `error: run ${runId} cannot be resumed: it is complete; start another with sluice run\n`
      ])
      expect((yield* act("resume")).err).toBe(
        "error: no run can be resumed: each run is complete, still running, or had all its rows rejected\n"
      )
    }
  )

  scoped("continues with the run's own definition when the file is missing, and requests no page twice", function* () {
    const { act, pages, remove, requests, runId, url } = yield* stopped()
    yield* remove
    const { code, err, out } = yield* act("resume", "--json", "--quiet")
    expect([code, err]).toEqual([0, ""])
    expect(JSON.parse(out)).toMatchObject({ runId, status: "completed", rows: 3, rejects: 0 })
    expect(yield* pages).toEqual([{ page: `${url}/a` }, { page: `${url}/b` }, { page: `${url}/c` }])
    for (const path of ["/a", "/b"]) expect(requests.filter((asked) => asked === path).length, path).toBe(1)
    // Scripts tell by the code that there is nothing to do.
    const codeOf = (...words: ReadonlyArray<string>) =>
      Effect.map(act(...words, "--json"), ({ out }) => JSON.parse(out).error.code)
    expect(yield* codeOf("resume")).toBe("NotResumable")
    expect(yield* codeOf("resume", runId)).toBe("NotResumable")
    expect(yield* codeOf("replay", runId)).toBe("NothingToReplay")
  })

  scoped.skipIf(skipsLong)("begins a run again that had done nothing", function* () {
    const only = (url: string) => yaml(steps(url).replace(`"${url}/a", "${url}/b", `, ""))
    const { act, pages, runId, url } = yield* stopped("p.yaml", only)
    expect((yield* act("show", runId)).out).not.toContain("sluice resume")
    const { code, err } = yield* act("resume", runId)
    expect(code, err).toBe(0)
    expect(yield* pages).toEqual([{ page: `${url}/c` }])
  })

  scoped.skipIf(skipsLong)(
    "reads the folder that a path meant when the run began, wherever it is resumed from",
    function* () {
      const definition = (url: string) =>
        yaml(`inputs: { list: { type: path, default: list.txt } }\n${steps(url)}`).replace(
          /urls: .*/,
          'urls: { file: "${{ inputs.list }}" }'
        )
      const { act, folder, pages, runId, url } = yield* stopped("p.yaml", definition)
      expect(folder).not.toBe(process.cwd())
      const { code, err } = yield* act("resume", runId)
      expect(code, err).toBe(0)
      expect((yield* pages).map(({ page }) => page)).toEqual([`${url}/a`, `${url}/b`, `${url}/c`])
    }
  )

  scoped.skipIf(skipsLong)("continues a definition in TypeScript, also when its file is missing", function* () {
    const code = (url: string) => `const pages = ["a", "b", "c"].map((name) => \`${url}/\${name}\`)
export default { version: 1, name: "p", steps: [
  { urls: pages },
  { scrape: { formats: ["markdown"] }, concurrency: 1 },
  { select: { page: "metadata.sourceURL" } },
  { write: { jsonl: "pages.jsonl" } }
] }
`
    const { act, pages, runId, url } = yield* stopped("p.ts", code)
    const { code: exit, err } = yield* act("resume", runId)
    expect(exit, err).toBe(0)
    expect(yield* pages).toEqual([{ page: `${url}/a` }, { page: `${url}/b` }, { page: `${url}/c` }])
    const other = yield* stopped("q.mts", code)
    yield* other.remove
    expect((yield* other.act("resume", other.runId)).code).toBe(0)
  })

  scoped("says what is wrong with its arguments", function* () {
    const { act, runId } = yield* stopped()
    const cases: ReadonlyArray<readonly [words: ReadonlyArray<string>, code: number, said: string]> = [
      [["resume", "nope"], 1, `error: the ledger has no run nope: the newest is ${runId}; sluice runs lists them`],
      [["resume", `${runId}x`], 1, `error: the ledger has no run ${runId}x, did you mean "${runId}"?`],
      [["resume", runId, "more"], 2, '"more"'],
      [["resume", "--with-currant"], 2, 'did you mean "--with-current"?'],
      [["replay", runId], 1, `nothing of run ${runId} can be replayed: it is stopped: continue it with sluice resume`]
    ]
    for (const [words, code, said] of cases) {
      const got = yield* act(...words)
      expect([got.code, got.out], got.err).toEqual([code, words[0] === "replay" ? got.out : ""])
      expect(got.err).toContain(said)
    }
  })
})
