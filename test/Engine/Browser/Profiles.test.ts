/** Storage that outlives a session. */

import { createHash, randomUUID } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"
import { type BrowserContext, type Page, chromium as playwright } from "playwright-core"
import { DevtoolsError } from "../../../src/Engine/Browser/CdpClient.ts"
import * as ProfileStore from "../../../src/Engine/Browser/ProfileStore.ts"
import * as ProfilesFile from "../../../src/Engine/Browser/Profiles.ts"
import * as Logins from "../../../src/Engine/Fetch/Logins.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import * as Storage from "../../../src/Engine/Store/Storage.ts"
import * as Store from "../../../src/Engine/Store/Store.ts"
import { Jar } from "../../../src/Login/Jar.ts"
import * as Session from "../../../src/Login/Session.ts"
import { describe, expect, it, layer as sharing } from "../../It.ts"
import { type Caller, caller, keys, site, tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { alone } from "../Alone.ts"
import { isMissing } from "../Render/Installed.ts"
import { Ground, layer, session, withChromium } from "./Ground.ts"

/** Adds a mark to every kind of storage; gives the marks that were there. */
const visit = (page: Page, mark: string) =>
  page.evaluate(`(async (mark) => {
    const wait = (request) =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const opening = indexedDB.open("marks", 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore("marks")
    const database = await wait(opening)
    const found = {
      cookies: document.cookie.split("; ").sort().join(" "),
      local: localStorage.getItem("mark"),
      indexed: (await wait(database.transaction("marks").objectStore("marks").get("mark"))) ?? null
    }
    document.cookie = "lasting=" + mark + "; max-age=10000"
    document.cookie = "passing=" + mark
    localStorage.setItem("mark", mark)
    await wait(database.transaction("marks", "readwrite").objectStore("marks").put(mark, "mark"))
    return found
  })(${JSON.stringify(mark)})`)

/** Stops the processes that write localStorage, of all browsers of this test; gives their ids. */
const pauseStorage = () => {
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        try {
          const parent = readFileSync(`/proc/${name}/stat`, "latin1").split(") ").at(-1)?.split(" ")[1]
          const command = readFileSync(`/proc/${name}/cmdline`, "latin1")
          return [[Number(name), { parent: Number(parent), command }] as const]
        } catch {
          return [] // It has ended.
        }
      })
  )
  const isOurs = (pid: number): boolean => pid === process.pid || (pid > 1 && isOurs(parents.get(pid)?.parent ?? 0))
  const found = [...parents.keys()].filter(
    (pid) => parents.get(pid)?.command.includes("storage.mojom.StorageService") && isOurs(pid)
  )
  expect(found).not.toEqual([])
  for (const pid of found) process.kill(pid, "SIGSTOP")
  return found
}

const nothing = { cookies: "", local: null, indexed: null }
const marked = (mark: string) => ({ cookies: `lasting=${mark} passing=${mark}`, local: mark, indexed: mark })

/** Opens a session with a profile, leaves a mark in it, ends it; gives the marks of earlier ones. */
const use = (call: Caller, url: string, profile: object, mark: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { cdpUrl } = yield* session(call, { profile })
      return yield* Effect.promise(async () => {
        const browser = await playwright.connectOverCDP(cdpUrl)
        const page = browser.contexts()[0]?.pages()[0]
        if (page === undefined) throw new Error("a session has a page from the start")
        await page.goto(url)
        const found = await visit(page, mark)
        await browser.close()
        return found
      })
    })
  )

describe.skipIf(isMissing)("A profile", () => {
  sharing(layer(), { excludeTestServices: true })("of a session", (it) => {
    it.scoped.skipIf(skipsLong)(
      "brings cookies, localStorage and IndexedDB back, to its team and under its name alone",
      function* () {
        const { call, site, stranger } = yield* Ground
        // New for each attempt, because the engine outlives a failed one.
        const name = `"; ../../Größe\n${randomUUID()}${"x".repeat(70)}`
        expect(yield* use(call, site.url, { name }, "one")).toEqual(nothing)
        expect(yield* use(call, site.url, { name }, "two")).toEqual(marked("one"))
        expect(yield* use(call, site.url, { name, saveChanges: false }, "three")).toEqual(marked("two"))
        expect(yield* use(call, site.url, { name, saveChanges: false }, "four")).toEqual(marked("two"))
        expect(yield* use(call, site.url, { name: "another", saveChanges: false }, "five")).toEqual(nothing)
        expect(yield* use(stranger, site.url, { name, saveChanges: false }, "six")).toEqual(nothing)
      }
    )

    it.scoped.skipIf(skipsLong)("keeps SameSite and the partition of cookies", function* () {
      const { call } = yield* Ground
      const name = randomUUID()
      const url = "https://a.example/"
      const cookies = [
        {
          name: "a",
          value: "plain",
          url,
          sameSite: "Strict" as const,
          expires: Math.round(Date.now() / 1000) + 10_000
        },
        { name: "a", value: "embedded", url, sameSite: "None" as const, partitionKey: "https://top.example" },
        { name: "b", value: "embedded", url, sameSite: "None" as const, partitionKey: "https://top.example" }
      ]
      const inSession = (act: (context: BrowserContext) => Promise<void>) =>
        Effect.scoped(
          Effect.gen(function* () {
            const { cdpUrl } = yield* session(call, { profile: { name } })
            return yield* Effect.promise(async () => {
              const browser = await playwright.connectOverCDP(cdpUrl)
              const context = browser.contexts()[0] as BrowserContext
              await act(context)
              const found = await context.cookies()
              await browser.close()
              return found
                .map(({ name, partitionKey, sameSite, value }) => ({ name, value, sameSite, partitionKey }))
                .sort((a, b) => `${a.name}${a.value}`.localeCompare(`${b.name}${b.value}`))
            })
          })
        )
      const before = yield* inSession((context) => context.addCookies(cookies))
      expect(before).toMatchObject(
        [cookies[1], cookies[0], cookies[2]].map((one) => ({ value: one?.value, sameSite: one?.sameSite }))
      )
      expect(yield* inSession(async () => {})).toEqual(before)
    })

    it.scoped.skipIf(skipsLong)("has what a page stored last, also when the browser is slow to write it", function* () {
      const { call, site } = yield* Ground
      const name = randomUUID()
      const { cdpUrl, id } = yield* session(call, { profile: { name } })
      const slow = yield* Effect.promise(async () => {
        const page = (await playwright.connectOverCDP(cdpUrl)).contexts()[0]?.pages()[0]
        if (page === undefined) throw new Error("a session has a page from the start")
        await page.goto(site.url)
        await visit(page, "one")
        return pauseStorage()
      })
      const ending = yield* Effect.fork(call.del(`/v2/browser/${id}`))
      yield* Effect.sleep("500 millis")
      for (const pid of slow) process.kill(pid, "SIGCONT")
      expect((yield* Fiber.join(ending)).json).toEqual({ success: true })
      expect(yield* use(call, site.url, { name }, "two")).toEqual(marked("one"))
    })

    it.scoped.skipIf(skipsLong)("has one saver at a time, and any number of readers", function* () {
      const { call } = yield* Ground
      const profile = { name: "shared" }
      const saver = yield* session(call, { profile })
      expect(yield* call.post("/v2/browser", { profile })).toMatchObject({
        status: 409,
        json: { error: expect.stringContaining("Only one writer is allowed at a time") }
      })
      yield* session(call, { profile: { ...profile, saveChanges: false } })
      yield* call.del(`/v2/browser/${saver.id}`)
      yield* session(call, { profile })
    })
  })

  it.scopedLive.skipIf(skipsLong)(
    "that has outgrown the room of its team is not saved, and the end of the session says so",
    function* () {
      const { baseUrl } = yield* withChromium({ teamBytes: 100 })
      const call = caller(baseUrl, keys.first)
      const { json } = yield* call.post("/v2/browser", { profile: { name: "large" } })
      yield* Effect.promise(async () => {
        const context = (await playwright.connectOverCDP(json.cdpUrl)).contexts()[0] as BrowserContext
        await context.addCookies([{ name: "large", value: "v".repeat(1_000), url: "https://a.example/" }])
      })
      const warning = expect.stringMatching(/"large" was not saved.*and only 100 are free/)
      expect((yield* call.del(`/v2/browser/${json.id}`)).json).toEqual({ success: true, warning })
      const { json: list } = yield* call.get("/v2/browser?status=destroyed")
      expect(list.sessions).toEqual([expect.objectContaining({ id: json.id, warning })])
      expect((yield* call.del(`/v2/browser/${json.id}`)).json.error).toContain("was not saved")
    },
    180_000
  )

  it.scopedLive.skipIf(skipsLong)(
    "that another session may save by now is not saved, and the end of the session and the scrape say so",
    function* () {
      const dataDir = yield* tempDir
      const { baseUrl } = yield* withChromium({ dataDir })
      const call = caller(baseUrl, keys.first)
      const visited = yield* site(() => "<title>Visited</title>")
      const loseLease = Effect.flatMap(Sql, (sql) =>
        Effect.repeat(
          Effect.delay(sql`UPDATE browser_profiles SET saver = 'another' WHERE saver <> 'another' RETURNING name`, 20),
          { until: (rows) => rows.length > 0 }
        )
      ).pipe(Effect.provide(Layer.provide(Store.layer(dataDir), NodeContext.layer)))
      const warning = expect.stringMatching(
        /"late" was not saved and is as it was before: the session no longer had the right to save it/
      )
      const { json } = yield* call.post("/v2/browser", { profile: { name: "late" } })
      yield* loseLease
      expect((yield* call.del(`/v2/browser/${json.id}`)).json).toEqual({ success: true, warning })
      const scraped = yield* Effect.fork(
        call.post("/v2/scrape", {
          url: visited.url,
          timeout: 60_000,
          profile: { name: "late too" },
          actions: [{ type: "wait", milliseconds: 3_000 }]
        })
      )
      yield* loseLease
      expect((yield* Fiber.join(scraped)).json).toMatchObject({
        success: true,
        data: { warning: expect.stringContaining('"late too" was not saved') }
      })
    },
    180_000
  )

  it.scopedLive.skipIf(skipsLong)(
    "is saved when the engine stops, and is there for the next one",
    function* () {
      const dataDir = yield* tempDir
      const values = (use: (context: BrowserContext) => Promise<unknown>) =>
        Effect.gen(function* () {
          const call = caller((yield* withChromium({ dataDir })).baseUrl, keys.first)
          const { json } = yield* call.post("/v2/browser", { profile: { name: "a" } })
          return yield* Effect.promise(async () => {
            const context = (await playwright.connectOverCDP(json.cdpUrl)).contexts()[0] as BrowserContext
            await use(context)
            return (await context.cookies()).map(({ value }) => value)
          })
        }).pipe(Effect.scoped)
      const cookie = { name: "mark", value: "one", url: "https://a.example/" }
      expect(yield* values((context) => context.addCookies([cookie]))).toEqual(["one"])
      expect(yield* values(() => Promise.resolve())).toEqual(["one"])
    },
    180_000
  )
})

const profiles = (dataDir: string) =>
  ProfilesFile.layer(dataDir).pipe(Layer.provideMerge(Store.layer(dataDir)), Layer.provide([alone, NodeContext.layer]))

/** Files that a browser leaves and that contain the text. */
const storage = (text: string) =>
  Effect.map(tempDir, (folder) => {
    mkdirSync(join(folder, "Default", "Local Storage"), { recursive: true })
    mkdirSync(join(folder, "Default", "Cache"), { recursive: true })
    writeFileSync(join(folder, "Default", "Local Storage", "data"), text)
    writeFileSync(join(folder, "Default", "Cache", "data"), "cached")
    return folder
  })

describe("The profiles of an engine", () => {
  it.scoped(
    "bring all cookies back that the browser takes, with what only browsers need, and say how many it refused",
    function* () {
      const partitionKey = { topLevelSite: "https://top.example", hasCrossSiteAncestor: true }
      const jar = new Jar([
        { name: "a", value: "1", domain: ".a.example", secure: true, sameSite: "None", partitionKey },
        { name: "bad", value: "1", domain: "a.example" },
        { name: "c", value: "1", domain: "a.example", sameSite: "None" }
      ])
      const logins = Layer.succeed(Logins.Logins, {
        open: () => Effect.succeed(0),
        adopt: () => Effect.void,
        isTemporary: () => Effect.succeed(false),
        forget: () => Effect.void,
        find: () => Effect.succeed({ jar } as Logins.LoginSession)
      })
      const set: Array<unknown> = []
      const call = (method: string, { cookies }: { readonly cookies: ReadonlyArray<{ readonly name: string }> }) => {
        if (cookies.some(({ name }) => name === "bad"))
          return Effect.fail(new DevtoolsError({ method, reason: "Invalid cookie fields" }))
        set.push(...cookies)
        return Effect.succeed({})
      }
      const dataDir = yield* tempDir
      const logs: Array<unknown> = []
      const logger = Logger.replace(
        Logger.defaultLogger,
        Logger.make(({ message }) => void logs.push(message))
      )
      yield* Effect.flatMap(ProfilesFile.Profiles, (service) =>
        service.open("team", { name: "a", saveChanges: false })
      ).pipe(
        Effect.flatMap(({ restore }) => restore({ call } as unknown as ProfilesFile.Root)),
        Effect.provide(
          ProfilesFile.layer(dataDir).pipe(
            Layer.provide(logins),
            Layer.provide(Store.layer(dataDir)),
            Layer.provide([alone, NodeContext.layer])
          )
        ),
        Effect.provide(logger)
      )
      const shared = { value: "1", path: "/", httpOnly: false }
      expect(set).toEqual([
        { ...shared, name: "a", secure: true, domain: ".a.example", sameSite: "None", partitionKey },
        { ...shared, name: "c", secure: false, url: "http://a.example/" }
      ])
      expect(JSON.stringify(logs)).toContain("The browser refused 1 of 3 cookies of a profile")
    }
  )

  const browserCookie = (name: string, value: string, path = "/") => ({
    name,
    value,
    domain: "a.example",
    path,
    expires: -1,
    httpOnly: false,
    secure: false,
    session: true,
    size: 6
  })
  const old = browserCookie("sid", "old")
  const between: ReadonlyArray<
    readonly [
      title: string,
      steps: {
        readonly atStart?: ReadonlyArray<object>
        readonly atEnd: ReadonlyArray<object>
        readonly meanwhile?: (jar: Jar) => void
        readonly signsIn?: boolean
      },
      header: string | undefined
    ]
  > = [
    [
      "keeps what another page has set meanwhile",
      { atEnd: [old], meanwhile: (jar) => jar.read(new URL("http://a.example/"), "sid=new; Path=/") },
      "sid=new"
    ],
    [
      "takes what its pages have set",
      { atEnd: [browserCookie("sid", "two"), browserCookie("b", "2")] },
      "sid=two; b=2"
    ],
    ["loses what its pages have removed", { atEnd: [] }, undefined],
    [
      "keeps what the browser refused, and takes nothing that its folder had before",
      { atStart: [browserCookie("left", "1")], atEnd: [browserCookie("left", "1")] },
      "sid=old"
    ],
    ["keeps a new sign-in as it is", { atEnd: [browserCookie("sid", "two")], signsIn: true }, "sid=in"],
    ["keeps a sign-in after which cookies are gone", { atEnd: [], signsIn: true }, "sid=in"]
  ]
  for (const [title, { atEnd, atStart = [old], meanwhile, signsIn }, header] of between) {
    it.scoped(`of a login: it ${title}`, function* () {
      const jar = new Jar([{ name: "sid", value: "old", domain: "a.example" }])
      const signedIn = { cookies: [{ name: "sid", value: "in", domain: "a.example" }] }
      const login = Session.make(signedIn, jar, () => () => Effect.die("no request"))
      const logins = Layer.mock(Logins.Logins, {
        find: () => Effect.succeed({ ...login, hasWorked: () => Effect.void })
      })
      let cookies = atStart
      const root = { call: () => Effect.sync(() => ({ cookies })) } as unknown as ProfilesFile.Root
      const services = yield* Layer.build(
        ProfilesFile.layer(yield* tempDir).pipe(
          Layer.provide(logins),
          Layer.provide(Store.layer(yield* tempDir)),
          Layer.provide([alone, NodeContext.layer])
        )
      )
      const profile = yield* Context.get(services, ProfilesFile.Profiles).open("team", {
        name: "a",
        saveChanges: false,
        isLogin: true
      })
      yield* profile.restore(root)
      cookies = atEnd
      meanwhile?.(jar)
      if (signsIn === true) yield* login.signIn
      const changes = jar.changes
      const chromium = { isAlive: () => true, profile: "" } as unknown as ProfilesFile.EndingBrowser["chromium"]
      const end = { chromium, devtools: { root }, flush: Effect.void, close: Effect.void }
      expect(yield* profile.save(end)).toBeUndefined()
      expect(jar.header(new URL("http://a.example/"))).toBe(header)
      if (header === "sid=new") expect(jar.changes).toBe(changes)
    })
  }

  it.scoped("are copied without their caches, and refused when they are too large", function* () {
    const root = yield* tempDir
    const from = yield* storage("kept")
    const version = join(root, "version")
    expect(yield* ProfileStore.save(from, version, 1000)).toBe(4)
    const to = yield* tempDir
    expect(yield* ProfileStore.load(version, to)).toEqual([])
    expect(readdirSync(join(to, "Default"))).toEqual(["Local Storage"])
    const failure = yield* Effect.flip(ProfileStore.save(from, join(root, "large"), 1))
    expect(failure.message).toContain("and only 1 are free")
    expect(readdirSync(root)).toEqual(["version"])
  })

  it.scoped("keep what another process saves while one sweeps", function* () {
    const root = yield* tempDir
    const save = (profile: string, version: string) =>
      Effect.flatMap(storage(version), (from) => ProfileStore.save(from, join(root, profile, version), 1000))
    yield* Effect.forEach(["old", "half"], (version) => save("a", version))
    yield* save("b", "nobody's")
    const kept = new Map([[join(root, "a"), "old"]])
    yield* ProfileStore.sweep(root, Effect.as(Effect.zipRight(save("a", "new"), save("b", "new")), kept))
    expect([readdirSync(join(root, "a")).sort(), readdirSync(join(root, "b"))]).toEqual([["new", "old"], ["new"]])
  })

  it.scoped("lose nothing but what was half saved when an engine was killed", function* () {
    const dataDir = yield* tempDir
    const root = join(dataDir, "browser-profiles")
    const use = <A, E>(effect: Effect.Effect<A, E, ProfilesFile.Profiles | Scope.Scope | Sql>) =>
      Effect.scoped(Effect.provide(effect, profiles(dataDir)))
    // As it is when the saver was killed between the copy and the turn of the pointer.
    const name = "a"
    yield* use(
      Effect.gen(function* () {
        const sql = yield* Sql
        const service = yield* ProfilesFile.Profiles
        yield* Effect.scoped(service.open("team", { name, saveChanges: true }))
        expect(yield* service.list("team")).toEqual([])
        const { furnish } = yield* Effect.scoped(service.open("team", { name, saveChanges: false }))
        yield* furnish(yield* tempDir)
        const now = yield* Clock.currentTimeMillis
        yield* sql`INSERT INTO browser_profiles ${sql.insert({
          team: "team",
          name,
          version: "whole",
          bytes: 4,
          saved_at: now,
          saver: "killed",
          saver_host: "elsewhere",
          saver_pid: 1,
          saver_until: now - 1
        })}`
      })
    )
    const folder = join(
      root,
      createHash("sha256")
        .update(JSON.stringify(["team", name]))
        .digest("hex")
    )
    yield* ProfileStore.save(yield* storage("whole"), join(folder, "whole"), 1000)
    yield* ProfileStore.save(yield* storage("half"), join(folder, "half"), 1000)
    yield* ProfileStore.save(yield* storage("nobody's"), join(root, "f".repeat(64), "x"), 1000)
    yield* use(
      Effect.gen(function* () {
        const service = yield* ProfilesFile.Profiles
        expect(readdirSync(root)).toEqual([folder.slice(root.length + 1)])
        expect(readdirSync(folder)).toEqual(["whole"])
        const to = yield* tempDir
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { furnish } = yield* service.open("team", { name, saveChanges: true })
            yield* furnish(to)
            expect(readdirSync(join(to, "Default", "Local Storage"))).toEqual(["data"])
            expect((yield* service.list("team"))[0]).toMatchObject({ name, bytes: 4, isInUse: true })
            expect((yield* Effect.flip(service.remove("team", name)))._tag).toBe("Conflict")
          })
        )
        expect((yield* Effect.flip(service.remove("other", name)))._tag).toBe("NotFound")
        yield* service.remove("team", name)
        expect(yield* service.list("team")).toEqual([])
        expect(readdirSync(root)).toEqual([])
      })
    )
  })

  it.scoped(
    "are opened for saving only while there is room for what will be saved: 507, which says what to do",
    function* () {
      const dataDir = yield* tempDir
      yield* Effect.gen(function* () {
        const sql = yield* Sql
        const service = yield* ProfilesFile.Profiles
        const open = (name: string, saveChanges: boolean) => Effect.scoped(service.open("team", { name, saveChanges }))
        const saved = (name: string, bytes: number) =>
          sql`INSERT INTO browser_profiles ${sql.insert({ team: "team", name, version: "v", bytes, saved_at: 0 })}`
        yield* saved("small", 100)
        yield* saved("large", 900)
        const full = {
          _tag: "InsufficientStorage",
          code: "TEAM_STORAGE_FULL",
          error: expect.stringMatching(/1,000 of 1,000 bytes.*sluice profile rm NAME/)
        }
        // Its new version takes the place of the old one, which alone does not make the room that it needs.
        yield* sql`INSERT INTO stored_bytes (team, bytes) VALUES ('team', 1000)`
        expect(yield* Effect.flip(open("small", true))).toMatchObject({ ...full, error: expect.any(String) })
        yield* sql`UPDATE stored_bytes SET bytes = 0`
        expect(yield* Effect.flip(open("new", true))).toMatchObject(full)
        yield* open("large", true)
        yield* open("small", false)
      }).pipe(
        Effect.provide(
          ProfilesFile.layer(dataDir).pipe(
            Layer.provide([Logins.none, Layer.succeed(Storage.StorageLimits, { job: 1000, team: 1000 })]),
            Layer.provideMerge(Store.layer(dataDir)),
            Layer.provide(NodeContext.layer)
          )
        )
      )
    }
  )

  it.scoped("are so many for a team and no more", function* () {
    const dataDir = yield* tempDir
    yield* Effect.gen(function* () {
      const service = yield* ProfilesFile.Profiles
      const open = (team: string, name: string) => service.open(team, { name, saveChanges: true })
      for (let n = 0; n < ProfilesFile.maxProfiles; n++) yield* open("team", `p${n}`)
      expect((yield* Effect.flip(open("team", "one more"))).message).toContain("sluice profile rm")
      yield* open("other", "p")
    }).pipe(Effect.scoped, Effect.provide(profiles(dataDir)))
  })
})
