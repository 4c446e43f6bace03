/** Code that runs beside a session, where the operator allows it. */

import { spawnSync } from "node:child_process"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { describe, expect, layer as sharing } from "../../It.ts"
import type { Caller, Site } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { isMissing } from "../Render/Installed.ts"
import { Ground, layer, session } from "./Ground.ts"

/** An ended process is listed until its parent has read its status; its command line is empty then. */
const isRunning = (pid: number): boolean =>
  spawnSync("ps", ["-o", "stat=", "-p", String(pid)])
    .stdout.toString()
    .match(/^[^Z\s]/) !== null

/** One session for the file. */
class Opened extends Context.Tag("sluice/test/Browser/Execute/Opened")<
  Opened,
  { readonly call: Caller; readonly site: Site; readonly id: string }
>() {}

const opened = Layer.scoped(
  Opened,
  Effect.gen(function* () {
    const { call, site } = yield* Ground
    return { call, site, id: (yield* session(call)).id }
  })
).pipe(Layer.provide(layer({ allowExecute: true })))

/** Runs code; gives the answer. */
const execute = (id: string, body: object) =>
  Effect.gen(function* () {
    const { call } = yield* Opened
    const reply = yield* call.post(`/v2/browser/${id}/execute`, body)
    expect(reply.status, reply.text).toBe(200)
    return reply.json
  })

describe.skipIf(isMissing)("Code", () => {
  sharing(opened, { excludeTestServices: true })("beside a session", (it) => {
    it.scoped.skipIf(skipsLong)("has the session's page, and gives its value, its output and its error", function* () {
      const { id, site } = yield* Opened
      const code = `await page.goto(${JSON.stringify(`${site.url}/form`)}); console.log("there"); return { title: await page.title(), pages: browser.contexts().length }`
      expect(yield* execute(id, { code })).toEqual({
        success: true,
        stdout: "there\n",
        stderr: "",
        result: { title: "Form", pages: 1 },
        exitCode: 0,
        killed: false
      })
      expect(yield* execute(id, { code: "page.title();" })).toMatchObject({ result: "Form", exitCode: 0 })
      expect(yield* execute(id, { code: "throw new Error('no such luck')" })).toMatchObject({
        success: true,
        error: "no such luck",
        stderr: expect.stringContaining("no such luck"),
        exitCode: 1
      })
      expect(yield* execute(id, { code: "this is no JavaScript" })).toMatchObject({ exitCode: 1, killed: false })
    })

    it.scoped("sees no secret of the engine, and what it writes is bounded", function* () {
      const { id } = yield* Opened
      process.env.SLUICE_API_KEY = "a secret"
      const { stdout } = yield* execute(id, { code: "env | cut -d= -f1 | sort", language: "bash" })
      delete process.env.SLUICE_API_KEY
      const known = new Set([
        "CDP_URL",
        "HOME",
        "LANG",
        "LC_ALL",
        "PATH",
        "PWD",
        "OLDPWD",
        "SHLVL",
        "TMPDIR",
        "TZ",
        "_"
      ])
      expect(stdout.trim().split("\n")).toContain("CDP_URL")
      for (const name of stdout.trim().split("\n")) expect([...known]).toContain(name)
      const long = yield* execute(id, { code: "head -c 3000000 /dev/zero | tr '\\0' x; exit 3", language: "bash" })
      expect(long.stdout.length).toBeLessThan(1_100_000)
      expect(long).toMatchObject({ exitCode: 3, killed: false, error: "It ended with 3." })
    })

    it.scoped("is answered when it ends, also where it has put away what holds its output open", function* () {
      const { id } = yield* Opened
      const code = `setsid "$(command -v sleep)" 20 & echo $! ; sleep 0.1; echo done`
      const began = performance.now()
      const done = yield* execute(id, { code, language: "bash", timeout: 15 })
      expect(done).toMatchObject({ stdout: expect.stringMatching(/done\n$/), exitCode: 0, killed: false })
      expect(performance.now() - began).toBeLessThan(15_000)
      process.kill(Number.parseInt(done.stdout, 10))
    })

    it.scoped.skipIf(skipsLong)("is ended with all that it started when its time is over", function* () {
      const { id } = yield* Opened
      const code = "sleep 1000 & echo $!; wait"
      const late = yield* execute(id, { code, language: "bash", timeout: 1 })
      expect(late).toMatchObject({ killed: true, error: expect.stringContaining("after 1 s") })
      expect(Number(late.stdout)).toBeGreaterThan(0)
      yield* Effect.suspend(() => (isRunning(Number(late.stdout)) ? Effect.fail("still there") : Effect.void)).pipe(
        Effect.retry(Schedule.spaced("10 millis")),
        Effect.timeout("30 seconds")
      )
    })
  })
})
