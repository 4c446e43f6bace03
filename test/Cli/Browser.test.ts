import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { chromium } from "playwright-core"
import { main } from "../../src/Cli.ts"
import { chromiumSandbox, isMissing, chromium as path } from "../Engine/Render/Installed.ts"
import { describe, expect, live, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { makeTerminal, sluice } from "./Console.ts"
import { folderOf } from "./Project.ts"

const env = {
  PATH: process.env.PATH,
  SLUICE_CHROMIUM: path,
  ...(chromiumSandbox ? {} : { SLUICE_CHROMIUM_NO_SANDBOX: "true" })
}

const until = (isSo: () => boolean) =>
  Effect.suspend(() => (isSo() ? Effect.void : Effect.fail("not yet"))).pipe(
    Effect.retry(Schedule.spaced("20 millis")),
    Effect.timeout("1 minute"),
    Effect.orDie
  )

describe.skipIf(isMissing)("sluice browser", () => {
  live.skipIf(skipsLong)(
    "opens a session until it is stopped, and saves its storage; sluice profile removes that",
    function* () {
      const data = ["--data", `${yield* folderOf()}/data`]
      const { terminal, written } = makeTerminal({ env })
      const stop = new AbortController()
      const ended = main(["browser", "--storage", "shop", "--json", ...data], terminal, stop.signal)
      yield* until(() => written.out.endsWith("\n"))
      const session = JSON.parse(written.out)
      expect(Object.keys(session).sort()).toEqual([
        "cdpUrl",
        "expiresAt",
        "id",
        "interactiveLiveViewUrl",
        "liveViewUrl"
      ])
      yield* Effect.promise(async () => {
        const browser = await chromium.connectOverCDP(session.cdpUrl)
        await browser.contexts()[0]?.addCookies([{ name: "n", value: "v", domain: "shop.example", path: "/" }])
        await browser.close()
      })
      const inUse = yield* sluice(["profile", "rm", "shop", ...data], { env })
      expect([inUse.code, inUse.err]).toEqual([1, expect.stringContaining('another session saves the profile "shop"')])
      stop.abort("SIGINT")
      expect([yield* Effect.promise(() => ended), written.err]).toEqual([130, "closed\n"])

      const listed = yield* sluice(["profile", "list", "--json", ...data], { env })
      expect(JSON.parse(listed.out)).toMatchObject({ name: "shop", isInUse: false, savedAt: expect.any(String) })
      expect((yield* sluice(["profile", "list", ...data], { env })).out).toMatch(/^profile +size +saved +in use\nshop /)
      expect(yield* sluice(["profile", "rm", "shop", ...data])).toEqual({
        code: 0,
        out: "",
        err: "removed 1 profile\n"
      })
      expect((yield* sluice(["profile", "rm", "shop", ...data])).err).toContain('There is no browser profile "shop"')
      expect((yield* sluice(["profile", "list", ...data])).err).toBe("the team default has no browser profiles\n")
    }
  )
})

describe("sluice browser", () => {
  scoped("says what is missing in the question", function* () {
    const data = ["--data", `${yield* folderOf()}/data`]
    expect(yield* sluice(["browser", "--read-only", ...data])).toMatchObject({
      code: 2,
      err: expect.stringContaining("name one with --storage")
    })
    expect((yield* sluice(["profile", "rm", ...data])).err).toContain("there are no browser profiles")
    const none = yield* sluice(["browser", ...data], { env: { SLUICE_CHROMIUM: "/nowhere/chromium" } })
    expect([none.code, none.err]).toEqual([
      1,
      expect.stringContaining("SLUICE_CHROMIUM names /nowhere/chromium, which does not exist")
    ])
  })
})
