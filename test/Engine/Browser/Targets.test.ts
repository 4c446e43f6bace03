/** Visibility of targets, also of types that no browser has yet. */

import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { afterEach, beforeEach, vi } from "vitest"
import * as Targets from "../../../src/Engine/Browser/Targets.ts"
import { type Body, describe, expect, it } from "../../It.ts"
import { join, make, page } from "./FakeBrowser.ts"

const settled = Effect.promise(() => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve))))

const test = (name: string, body: Body<Scope.Scope, ReturnType<typeof make>>) => it.scopedLive(name, () => body(make()))

const popup = { targetId: "UI", type: "browser_ui", url: "chrome://omnibox-popup.top-chrome/" }

/** Notes one target under several descriptions. */
const noted = (...infos: ReadonlyArray<Partial<Targets.TargetInfo>>) => {
  const targets = Targets.make({ ask: () => undefined, onChange: () => undefined })
  const seen = infos.map((info) => targets.note({ targetId: "T", type: "page", url: "", ...info }))
  targets.close()
  return seen
}

describe("Targets of a browser", () => {
  it("are shown where a user can go: pages of the web, data, blobs, empty pages and errors, with their frames and workers", () => {
    for (const url of [
      "http://a.example/",
      "https://a.example/?q=chrome://settings",
      "about:blank",
      "about:blank#blocked",
      "about:srcdoc",
      "data:text/html,x",
      "blob:https://a.example/7b2b",
      "blob:null/7b2b",
      "chrome-error://chromewebdata/"
    ]) {
      expect(noted({ url }), url).toEqual(["shown"])
    }
    for (const type of ["iframe", "service_worker", "shared_worker", "tab", "worker"]) {
      expect(noted({ type, url: "https://a.example/" }), type).toEqual(["shown"])
    }
  })

  it("are hidden at any other address, and under any other type, whatever browsers make of them", () => {
    for (const url of [
      "chrome://omnibox-popup.top-chrome/",
      "CHROME://settings",
      "chrome-untrusted://new-tab-page/",
      "chrome-search://local-ntp",
      "chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html",
      "blob:chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/7b2b",
      "blob:file:///7b2b",
      "devtools://devtools/bundled/inspector.html",
      "edge://settings",
      "isolated-app://abc/",
      "view-source:https://a.example/",
      "file:///etc/passwd",
      "about:version",
      "brand-new:page",
      "no address"
    ]) {
      for (const type of ["page", "tab", "iframe", "worker"]) expect(noted({ type, url }), url).toEqual(["hidden"])
    }
    for (const type of ["browser_ui", "webview", "background_page", "app", "other", "side_panel_2031", ""]) {
      expect(noted({ type, url: "https://a.example/" }), type).toEqual(["hidden"])
    }
  })

  it("stay what they were while they are empty or failed, and change with the next address", () => {
    const [web, own, blank] = ["https://a.example/", "chrome://flags/", "about:blank"].map((url) => ({ url }))
    const error = { url: "chrome-error://chromewebdata/" }
    expect(noted(blank ?? {}, web ?? {}, error)).toEqual(["shown", "shown", "shown"])
    expect(noted(own ?? {}, error, blank ?? {}, { url: "" })).toEqual(["hidden", "hidden", "hidden", "hidden"])
    expect(noted(own ?? {}, web ?? {}, blank ?? {}, own ?? {})).toEqual(["hidden", "shown", "shown", "hidden"])
    expect(noted({ type: "browser_ui" }, own ?? {}, error)).toEqual(["hidden", "hidden", "hidden"])
    expect(noted({ url: "" }, web ?? {})).toEqual(["undecided", "shown"])
    expect(noted({ url: "" }, own ?? {})).toEqual(["undecided", "hidden"])
    expect(noted({ url: "", openerId: "O" }, own ?? {})).toEqual(["shown", "hidden"])
  })

  it("are strays, to be closed, when a page left the web, and not when they are parts of the browser", () => {
    const targets = Targets.make({ ask: () => undefined, onChange: () => undefined })
    for (const url of ["file:///etc/passwd", "chrome://version/"]) {
      const strayed = { ...page, url }
      targets.note(page)
      targets.note(strayed)
      expect(targets.isStray(strayed)).toBe(true)
      expect(targets.isStray({ ...page, targetId: "never seen before", url })).toBe(true)
    }
    targets.note(popup)
    expect(targets.isStray({ ...popup, type: "page" })).toBe(false)
    expect(targets.isStray(page)).toBe(false)
    expect(targets.isStray({ ...page, url: "chrome-error://chromewebdata/" })).toBe(false)
  })
})

describe("A target without a URL", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const world = (url: string) => {
    const changes: Array<string> = []
    const questions: Array<string> = []
    const targets = Targets.make({
      onChange: (_, visibility) => void changes.push(visibility),
      ask: (targetId) => {
        questions.push(targetId)
        if (questions.length === 2) targets.note({ targetId, type: "tab", url })
      }
    })
    return { changes, questions, targets }
  }

  it("is asked about until it has one", () => {
    for (const [url, visibility] of [
      ["https://a.example/", "shown"],
      ["chrome://omnibox-popup.top-chrome/", "hidden"]
    ] as const) {
      const { changes, questions, targets } = world(url)
      expect(targets.note({ targetId: "T", type: "tab", url: "" })).toBe("undecided")
      expect(targets.isShown("T")).toBe(false)
      vi.advanceTimersByTime(60_000)
      expect(questions).toEqual(["T", "T"])
      expect(changes).toEqual([visibility])
    }
  })

  it("is asked about a bounded number of times, and not any more when it is gone", () => {
    const { questions, targets } = world("")
    targets.note({ targetId: "T", type: "tab", url: "" })
    targets.note({ targetId: "gone", type: "tab", url: "" })
    targets.forget("gone")
    vi.advanceTimersByTime(600_000)
    expect(new Set(questions)).toEqual(new Set(["T"]))
    expect(questions.length).toBeLessThan(50)
    expect(vi.getTimerCount()).toBe(0)
  })

  it("is shown when it waits for its debugger, for it may have none before it runs", () => {
    const { changes, targets } = world("")
    targets.note({ targetId: "T", type: "tab", url: "" })
    targets.await("T")
    expect(targets.isShown("T")).toBe(false)
    vi.advanceTimersByTime(1_000)
    expect(changes).toEqual(["shown"])
    targets.note({ targetId: "T", type: "tab", url: "chrome://flags/" })
    expect(changes).toEqual(["shown", "hidden"])
  })

  it("is shown when a user has opened it", () => {
    const { changes, targets } = world("")
    targets.open("T")
    expect(targets.isShown("T")).toBe(true)
    expect(targets.note({ targetId: "T", type: "page", url: "" })).toBe("shown")
    targets.note({ targetId: "U", type: "page", url: "" })
    targets.open("U")
    expect(changes).toEqual(["shown", "shown"])
  })
})

describe("A program at a session", () => {
  test("hears nothing of hidden targets, and its commands do not find them", function* ({ asked, devtools, say }) {
    const program = yield* join(devtools)
    const attached = { sessionId: "hidden", targetInfo: popup, waitingForDebugger: true }
    say({ method: "Target.targetCreated", params: { targetInfo: popup }, sessionId: "S1" })
    say({ method: "Target.targetInfoChanged", params: { targetInfo: { ...popup, type: "page" } }, sessionId: "S1" })
    say({ method: "Target.attachedToTarget", params: attached, sessionId: "S1" })
    say({ method: "Target.attachedToTarget", params: { ...attached, sessionId: "deeper" }, sessionId: "hidden" })
    say({ method: "Runtime.consoleAPICalled", params: { said: 1 }, sessionId: "hidden" })
    say({ method: "Target.targetCrashed", params: { targetId: "UI" }, sessionId: "S1" })
    yield* settled
    // Only the filter lets it run.
    expect(asked.at(-1)).toMatchObject({ method: "Runtime.runIfWaitingForDebugger", sessionId: "hidden" })
    const count = asked.length
    program.send({ id: 1, method: "Target.attachToTarget", params: { targetId: "UI", flatten: true } })
    program.send({ id: 2, method: "Target.getTargetInfo", params: { targetId: "UI" } })
    program.send({ id: 3, method: "Target.activateTarget", params: { targetId: "UI" } })
    program.send({ id: 4, method: "Target.closeTarget", params: { targetId: "UI" } })
    program.send({ id: 5, method: "Browser.getWindowForTarget", params: { targetId: "UI" } })
    program.send({ id: 6, method: "Target.autoAttachRelated", params: { targetId: "UI" } })
    program.send({ id: 7, method: "Target.attachToTarget", params: { targetId: "never heard of", flatten: true } })
    program.send({ id: 8, method: "Runtime.evaluate", sessionId: "hidden" })
    program.send({ id: 9, method: "Target.detachFromTarget", params: { sessionId: "hidden" } })
    say({ method: "Target.detachedFromTarget", params: { sessionId: "hidden", targetId: "UI" }, sessionId: "S1" })
    say({ method: "Target.targetDestroyed", params: { targetId: "UI" }, sessionId: "S1" })
    yield* settled
    expect(asked.length).toBe(count)
    expect(program.heard.map(({ error, id }) => [id, error?.message.replace(/^.*: /, "")])).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7].map((id) => [id, "No target with given id found"]),
      [8, "Session with given id not found."],
      [9, "No session with given id"]
    ])
  })

  test("gets lists of targets without the hidden ones", function* ({ answers, devtools }) {
    const program = yield* join(devtools)
    answers.set("Target.getTargets", {
      targetInfos: [popup, page, { ...page, targetId: "V", url: "chrome://flags/" }]
    })
    answers.set("Target.getTargetInfo", { targetInfo: popup })
    program.send({ id: 1, method: "Target.getTargets" })
    program.send({ id: 2, method: "Target.getTargets", sessionId: "S1" })
    program.send({ id: 3, method: "Target.getTargetInfo" })
    yield* settled
    expect(program.heard).toEqual([
      { id: 1, result: { targetInfos: [page] } },
      { id: 2, result: { targetInfos: [page] }, sessionId: "S1" },
      { id: 3, error: expect.objectContaining({ message: expect.stringContaining("No target with given id") }) }
    ])
    expect(yield* devtools.root.call("Target.getTargets")).toMatchObject({ targetInfos: { length: 3 } })
  })

  test("gets a hidden target as created and as attached once it reaches the web", function* ({ asked, devtools, say }) {
    const program = yield* join(devtools)
    const other = yield* join(devtools)
    const hidden = { ...page, url: "chrome://newtab/" }
    say({ method: "Target.targetCreated", params: { targetInfo: hidden }, sessionId: "S1" })
    say({
      method: "Target.attachedToTarget",
      params: { sessionId: "P", targetInfo: hidden, waitingForDebugger: true },
      sessionId: "S1"
    })
    say({ method: "Target.targetInfoChanged", params: { targetInfo: page } })
    yield* settled
    expect(program.heard).toEqual([
      { method: "Target.targetCreated", params: { targetInfo: page } },
      {
        method: "Target.attachedToTarget",
        // It runs already.
        params: { sessionId: "P", targetInfo: page, waitingForDebugger: false }
      }
    ])
    expect(other.heard).toEqual([])
    program.send({ id: 1, method: "Runtime.evaluate", sessionId: "P" })
    yield* settled
    expect(asked.at(-1)).toMatchObject({ method: "Runtime.evaluate", sessionId: "P" })
  })

  test("loses a target that leaves the web, with its session and what is below it", function* ({
    asked,
    devtools,
    say
  }) {
    const program = yield* join(devtools)
    const left = { ...page, url: "file:///etc/passwd" }
    say({ method: "Target.targetCreated", params: { targetInfo: page }, sessionId: "S1" })
    say({ method: "Target.attachedToTarget", params: { sessionId: "P", targetInfo: page }, sessionId: "S1" })
    const frame = { ...page, targetId: "F", type: "iframe" }
    say({ method: "Target.attachedToTarget", params: { sessionId: "F", targetInfo: frame }, sessionId: "P" })
    yield* settled
    program.heard.length = 0
    say({ method: "Target.targetInfoChanged", params: { targetInfo: left }, sessionId: "S1" })
    say({ method: "Runtime.consoleAPICalled", params: { said: "root:x:0:0" }, sessionId: "P" })
    yield* settled
    expect(program.heard).toEqual([
      { method: "Target.detachedFromTarget", params: { sessionId: "P", targetId: page.targetId } },
      { method: "Target.targetDestroyed", params: { targetId: page.targetId } }
    ])
    expect(asked.at(-1)).toMatchObject({
      method: "Target.detachFromTarget",
      params: { sessionId: "P" },
      sessionId: "S1"
    })
    program.heard.length = 0
    for (const sessionId of ["P", "F"]) program.send({ id: 1, method: "Runtime.evaluate", sessionId })
    yield* settled
    expect(program.heard.map(({ error }) => error?.message)).toEqual(
      Array.from({ length: 2 }, () => "Runtime.evaluate: Session with given id not found.")
    )
  })

  test("hears changes of frames that it has attached, without discovery", function* ({ devtools, say }) {
    const program = yield* join(devtools)
    const frame = { ...page, targetId: "F", type: "iframe" }
    say({ method: "Target.attachedToTarget", params: { sessionId: "P", targetInfo: page }, sessionId: "S1" })
    say({ method: "Target.attachedToTarget", params: { sessionId: "F", targetInfo: frame }, sessionId: "P" })
    yield* settled
    program.heard.length = 0
    const change = { method: "Target.targetInfoChanged", params: { targetInfo: frame }, sessionId: "P" }
    say(change)
    say({ ...change, params: { targetInfo: { ...frame, targetId: "G" } } })
    yield* settled
    expect(program.heard).toEqual([change])
  })
})
