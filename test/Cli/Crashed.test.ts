import { existsSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import { describe, expect, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { page } from "../Step/Odd.ts"
import { sluice } from "./Console.ts"
import { kill, launch } from "./Launched.ts"
import { folderOf, readText } from "./Project.ts"

/** A service that holds pages back until they are released; later ones are answered at once. */
const service = Effect.acquireRelease(
  Effect.async<{
    readonly url: string
    readonly asked: () => number
    readonly answer: () => void
    readonly close: () => void
  }>((resume) => {
    let asked = 0
    let isHolding = true
    const held: Array<() => void> = []
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const { url } = JSON.parse(Buffer.concat(chunks).toString())
        asked++
        const send = () =>
          void response
            .writeHead(200, { "content-type": "application/json" })
            .end(JSON.stringify({ success: true, data: page(url) }))
        if (isHolding) held.push(send)
        else send()
      })
    })
    const close = () => {
      server.closeAllConnections()
      server.close()
    }
    const answer = () => {
      isHolding = false
      for (const send of held) send()
    }
    server.listen(0, "127.0.0.1", () =>
      resume(
        Effect.succeed({
          url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
          asked: () => asked,
          answer,
          close
        })
      )
    )
  }),
  ({ close }) => Effect.sync(close)
)

/** Waits until it is so. */
const until = (isSo: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() =>
    isSo()
      ? Effect.void
      : Effect.zipRight(
          Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5))),
          until(isSo)
        )
  )

const definition = `version: 1
name: p
steps:
  - urls: [http://x.example/a, http://x.example/b]
  - scrape: {}
    concurrency: 1
  - select: { page: metadata.sourceURL }
  - write: { jsonl: pages.jsonl }
`

/** A project, and the command line in it against the service. */
const project = (files: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const { answer, asked, url } = yield* service
    const root = yield* folderOf(files)
    const env = { SLUICE_BASE_URL: url, SLUICE_API_KEY: `fc-${"a".repeat(32)}` }
    const data = ["--data", `${root}/data`]
    return {
      root,
      answer,
      asked,
      start: (...words: ReadonlyArray<string>) => launch(root, env, ...words, "--out", `${root}/out`, ...data),
      launch: (...words: ReadonlyArray<string>) => launch(root, env, ...words, ...data),
      act: (...words: ReadonlyArray<string>) => sluice([...words, ...data], { env }),
      pages: Effect.map(readText(`${root}/out/pages.jsonl`), (text) =>
        text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line).page)
      )
    }
  })

const statusesIn = (text: string): ReadonlyArray<string> =>
  text.trim() === "" ? [] : JSON.parse(text).map(({ status }: { readonly status: string }) => status)

describe("a run that crashed", () => {
  scoped.skipIf(skipsLong)("is resumed also where it was killed before its first commit", function* () {
    const { act, answer, asked, pages, root, start } = yield* project({ "p.yaml": definition })
    const running = yield* start("run", `${root}/p.yaml`)
    yield* Effect.raceFirst(
      until(() => asked() > 0),
      running.ended
    )
    kill(running.child)
    yield* running.ended
    answer()
    const runs = yield* act("runs", "--json")
    const [{ rows, runId, status }] = JSON.parse(runs.out)
    expect([status, rows]).toEqual(["crashed", 0])
    expect((yield* act("show", runId)).out).toContain(`sluice resume ${runId}`)
    const { code, err } = yield* act("resume", runId)
    expect(code, err).toBe(0)
    expect(yield* pages).toEqual(["http://x.example/a", "http://x.example/b"])
    expect((yield* act("resume")).err).toBe(
      "error: no run can be resumed: each run is complete, still running, or had all its rows rejected\n"
    )
  })

  scoped.skipIf(skipsLong)(
    "is resumed without an id whenever `runs` shows it, also when it was killed as its ledger began",
    function* () {
      const { act, answer, pages, root, start } = yield* project({ "p.yaml": definition })
      const running = yield* start("run", `${root}/p.yaml`)
      yield* Effect.raceFirst(
        until(() => existsSync(`${root}/data/ledger.db`)),
        running.ended
      )
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 15)))
      kill(running.child)
      yield* running.ended
      answer()
      const isKnown = statusesIn((yield* act("runs", "--json")).out).includes("crashed")
      const { code, err } = yield* act("resume")
      expect(code, err).toBe(isKnown ? 0 : 1)
      if (isKnown) expect((yield* pages).length).toBe(2)
      else expect(err).toContain("no run can be resumed")
    }
  )

  scoped.skipIf(skipsLong)("is resumed when it was a replay that had not taken its rejects up", function* () {
    const { act, answer, asked, launch, pages, root } = yield* project({
      "p.yaml": definition.replace("scrape: {}", "scrape: { url: { expr: $number(url) } }")
    })
    expect((yield* act("run", `${root}/p.yaml`, "--out", `${root}/out`)).code).toBe(3)
    writeFileSync(`${root}/p.yaml`, definition)
    const replay = yield* launch("replay")
    yield* Effect.raceFirst(
      until(() => asked() > 0),
      replay.ended
    )
    kill(replay.child)
    yield* replay.ended
    answer()
    expect(statusesIn((yield* act("runs", "--json")).out)[0]).toBe("crashed")
    const { code, err } = yield* act("resume")
    expect(code, err).toBe(0)
    expect((yield* pages).toSorted()).toEqual(["http://x.example/a", "http://x.example/b"])
  })

  scoped("that failed before anything was done is begun again by `resume` without an id", function* () {
    const { act, answer, pages, root } = yield* project({
      "p.yaml": definition.replace("concurrency: 1", "retry: { times: 0 }")
    })
    const words = ["run", `${root}/p.yaml`, "--out", `${root}/out`, "--data", `${root}/data`]
    const env = { SLUICE_BASE_URL: "http://127.0.0.1:1", SLUICE_API_KEY: `fc-${"a".repeat(32)}` }
    expect((yield* sluice(words, { env })).code).toBe(1)
    answer()
    const { code, err } = yield* act("resume")
    expect(code, err).toBe(0)
    expect((yield* pages).toSorted()).toEqual(["http://x.example/a", "http://x.example/b"])
  })
})
