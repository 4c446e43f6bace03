/** A session leaves no files and no processes, for every way to end. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { Browser } from "../../../src/Client/Browser.ts"
import * as Connection from "../../../src/Client/Connection.ts"
import { describe, expect, it } from "../../It.ts"
import { caller, keys, type Reply, tempDir, temporaryFolder } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { kill, spawnEngine } from "../Jobs/Spawn.ts"
import { isMissing } from "../Render/Installed.ts"
import { withChromium } from "./Ground.ts"

const folders = () => readdirSync(tmpdir()).filter((name) => /^sluice-.*-c-/.test(name))

interface Running {
  readonly pid: number
  readonly command: string
}

/** Processes of the folder. */
const running = (folder: string): ReadonlyArray<Running> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ")
        return command.includes(folder) ? [{ pid: Number(pid), command }] : []
      } catch {
        return []
      }
    })

/** Files and processes of a session that were not there `before`. */
const folderSince = (before: ReadonlyArray<string>) => {
  const [folder, ...others] = folders().filter((name) => !before.includes(name) && running(name).length > 0)
  if (folder === undefined || others.length > 0) throw new Error("one session has one folder")
  return folder
}

const isGone = (folder: string) => !existsSync(join(tmpdir(), folder)) && running(folder).length === 0

/** Waits until the folder and the processes of a session are gone, and says what is left of it after a minute. */
const gone = (folder: string) =>
  Effect.suspend(() => (isGone(folder) ? Effect.void : Effect.fail("not yet"))).pipe(
    Effect.retry(Schedule.spaced("50 millis").pipe(Schedule.upTo("1 minute"))),
    Effect.orElse(() => {
      const place = join(tmpdir(), folder)
      const files = existsSync(place) ? readdirSync(place, { recursive: true }) : "no folder"
      return Effect.dieMessage(`left: ${JSON.stringify({ files, processes: running(folder) })}`)
    })
  )

const opened = (reply: Reply) => {
  expect(reply.status, reply.text).toBe(200)
  return reply.json as { readonly id: string; readonly cdpUrl: string }
}

describe.skipIf(isMissing || process.platform !== "linux")("Of a session nothing is left", () => {
  it.scopedLive.skipIf(skipsLong)(
    "when it is deleted, when its browser crashes, when the engine stops; and none listens on a port of its own",
    function* () {
      yield* temporaryFolder
      const before = folders()
      const last = yield* Effect.scoped(
        Effect.gen(function* () {
          const call = caller((yield* withChromium()).baseUrl, keys.first)
          const open = Effect.map(call.post("/v2/browser", {}), opened)

          const deleted = yield* open
          const folder = folderSince(before)
          expect(running(folder).some(({ command }) => command.includes("--remote-debugging-pipe"))).toBe(true)
          expect(running(folder).some(({ command }) => command.includes("--remote-debugging-port"))).toBe(false)
          yield* call.del(`/v2/browser/${deleted.id}`)
          expect(existsSync(join(tmpdir(), folder))).toBe(false)
          // Helper processes of a Chromium end shortly after it.
          yield* gone(folder)

          const crashed = yield* open
          const other = folderSince(before)
          const browser = running(other).find(
            ({ command }) => !command.includes("--type=") && !command.startsWith("/bin/sh")
          )
          process.kill(browser?.pid ?? -1, "SIGKILL")
          yield* gone(other)
          expect((yield* call.del(`/v2/browser/${crashed.id}`)).json.error).toContain("its browser crashed")

          yield* open
          return folderSince(before)
        })
      )
      expect(existsSync(join(tmpdir(), last))).toBe(false)
      yield* gone(last)
    }
  )

  it.scopedLive.skipIf(skipsLong)(
    "when its engine is killed: the next one says that it is gone, and its profile may be saved again",
    function* () {
      const dataDir = yield* tempDir
      yield* temporaryFolder
      const before = folders()
      const { baseUrl, child } = yield* spawnEngine(dataDir)
      const request = { profile: { name: "a" } }
      const { id } = opened(yield* caller(baseUrl, keys.first).post("/v2/browser", request))
      const folder = folderSince(before)
      yield* kill(child)
      yield* gone(folder)
      const call = caller((yield* withChromium({ dataDir })).baseUrl, keys.first)
      expect((yield* call.del(`/v2/browser/${id}`)).status).toBe(410)
      opened(yield* call.post("/v2/browser", request))
      // Two minutes were begun.
      const { periods } = (yield* call.get("/v2/team/credit-usage/historical")).json
      expect(periods.at(-1).creditsUsed).toBe(4)
    }
  )

  it.scopedLive.skipIf(skipsLong)("when the quota was full; and the error says when to retry", function* () {
    yield* temporaryFolder
    const { baseUrl } = yield* withChromium({ browserSessions: 2, browserSessionsPerKey: 1 })
    const [first, second, stranger] = [keys.first, keys.second, keys.stranger].map((key) => caller(baseUrl, key))
    if (first === undefined || second === undefined || stranger === undefined) throw new Error("three keys")
    const { id } = opened(yield* first.post("/v2/browser", {}))
    const before = folders()
    const own = yield* first.post("/v2/browser", {})
    expect(own).toMatchObject({ status: 429, json: { error: expect.stringContaining("This key has 1") } })
    expect(Number(own.headers.get("retry-after"))).toBeGreaterThan(0)
    // Another key of the same team gets nothing of what is kept free for the other team.
    expect(yield* second.post("/v2/browser", {})).toMatchObject({
      status: 429,
      json: { error: expect.stringContaining("This team has 1") }
    })
    opened(yield* stranger.post("/v2/browser", {}))
    expect(yield* second.post("/v2/browser", {})).toMatchObject({
      status: 429,
      json: { error: expect.stringContaining("2 browser sessions are open") }
    })
    expect(folders().length).toBe(before.length + 1)
    yield* first.del(`/v2/browser/${id}`)
    opened(yield* second.post("/v2/browser", {}))
  })

  it.scopedLive.skipIf(skipsLong)("when there is no Chromium, and the error says how to get one", function* () {
    yield* temporaryFolder
    const { baseUrl } = yield* withChromium({ chromium: "/nowhere/chromium" })
    expect(yield* caller(baseUrl, keys.first).post("/v2/browser", {})).toMatchObject({
      status: 503,
      json: { error: expect.stringContaining("SLUICE_CHROMIUM") }
    })
    const folder = yield* tempDir
    const unboxed = join(folder, "chromium")
    writeFileSync(unboxed, "#!/bin/sh\necho 'FATAL: No usable sandbox!' >&2\nexit 1\n", { mode: 0o755 })
    const walled = yield* withChromium({ chromium: unboxed })
    const lacking = yield* Browser.pipe(
      Effect.flatMap(({ create }) => create({})),
      Effect.flip,
      Effect.provide(
        Browser.Default.pipe(
          Layer.provide(Connection.layer({ baseUrl: walled.baseUrl, apiKey: Redacted.make(keys.first) }))
        )
      )
    )
    expect(lacking).toMatchObject({ _tag: "ServiceError", retryable: false })
    expect(lacking.message).toContain("Its sandbox does not work here")
    expect(lacking.message).not.toContain("Try again")
    const broken = yield* withChromium({ chromium: process.execPath })
    const before = folders()
    expect(yield* caller(broken.baseUrl, keys.first).post("/v2/browser", {})).toMatchObject({
      status: 503,
      json: { error: expect.stringContaining("does not start") }
    })
    expect(folders()).toEqual(before)
  })
})
