import { describe, expect, it } from "vitest"
import { type Command, isWeb, judge } from "../../../src/Engine/Browser/Policy.ts"

const verdict = (method: string, params?: Command["params"]) =>
  judge({ id: 1, method, params }, { downloads: "/tmp/session/downloads" })

const isRefused = (method: string, params?: Command["params"]) => verdict(method, params)._tag === "Refuse"

describe("what a program may ask of a session's browser", () => {
  it("are addresses of the web, and neither files nor the browser's own pages, however they are written", () => {
    for (const url of [
      "https://a.example/",
      "http://127.0.0.1:1/",
      "about:blank",
      "about:blank#blocked",
      "data:text/html,x",
      ""
    ]) {
      expect(verdict("Page.navigate", { url })).toEqual({ _tag: "Pass", params: { url } })
    }
    for (const url of [
      "file:///etc/passwd",
      "FILE:/etc/passwd",
      " \tfile:///etc/passwd",
      "fi\nle:///etc/passwd",
      "chrome://version",
      "about:version",
      "ABOUT:settings#blank",
      "chrome-untrusted://terminal",
      "devtools://devtools/bundled/inspector.html",
      "view-source:file:///etc/passwd",
      "view-source:https://a.example/",
      "filesystem:https://a.example/x",
      "chrome-extension://abc/",
      "/etc/passwd",
      "ftp://a.example/"
    ]) {
      expect(isRefused("Page.navigate", { url }), url).toBe(true)
      expect(isRefused("Target.createTarget", { url }), url).toBe(true)
      expect(isRefused("Network.loadNetworkResource", { url }), url).toBe(true)
      expect(isRefused("Fetch.continueRequest", { url }), url).toBe(true)
      expect(isRefused("Network.continueInterceptedRequest", { interceptionId: "1", url }), url).toBe(true)
      expect(isWeb(url), url).toBe(false)
    }
    expect(isRefused("Page.navigate", { url: ["file:///etc/passwd"] })).toBe(true)
    expect(isRefused("Fetch.continueRequest", { requestId: "1" })).toBe(false)
  })

  it("is nothing that leads past the gateway", () => {
    expect(isRefused("Target.createBrowserContext", { proxyServer: "http://192.0.2.1:80" })).toBe(true)
    expect(isRefused("Target.createBrowserContext", { proxyBypassList: "*" })).toBe(true)
    expect(isRefused("Target.createBrowserContext", { originsWithUniversalNetworkAccess: ["https://a.example"] })).toBe(
      true
    )
    expect(isRefused("Target.setRemoteLocations", { locations: [{ host: "192.0.2.1", port: 1 }] })).toBe(true)
    expect(isRefused("Tethering.bind", { port: 9222 })).toBe(true)
  })

  it("is no way round these rules", () => {
    expect(isRefused("Target.exposeDevToolsProtocol", { targetId: "x" })).toBe(true)
    expect(isRefused("Target.sendMessageToTarget", { message: "{}" })).toBe(true)
    expect(isRefused("Target.attachToTarget", { targetId: "x" })).toBe(true)
    expect(isRefused("Target.attachToTarget", { targetId: "x", flatten: true })).toBe(false)
    expect(isRefused("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false })).toBe(true)
    expect(isRefused("Target.setAutoAttach", { autoAttach: false, waitForDebuggerOnStart: false })).toBe(false)
    for (const method of ["Extensions.loadUnpacked", "SystemInfo.getInfo", "Nonsense.do", "evaluate", "", "."]) {
      expect(isRefused(method), method).toBe(true)
    }
  })

  it("are files of the session's own downloads, and no others", () => {
    for (const files of [["/etc/passwd"], ["/tmp/session/downloads/../x"], ["/tmp/session/downloads"], ["x"], [1]]) {
      expect(isRefused("DOM.setFileInputFiles", { files }), String(files)).toBe(true)
      expect(isRefused("Input.dispatchDragEvent", { data: { files } }), String(files)).toBe(true)
    }
    expect(isRefused("DOM.setFileInputFiles", { files: ["/tmp/session/downloads/a.pdf"] })).toBe(false)
    expect(isRefused("Input.dispatchDragEvent", { data: { items: [] } })).toBe(false)
  })

  it("is a trace of the browser, and of nothing else to nowhere else", () => {
    for (const params of [{ tracingBackend: "system" }, { tracingBackend: "auto" }, { perfettoConfig: "CgA=" }]) {
      expect(isRefused("Tracing.start", params), JSON.stringify(params)).toBe(true)
    }
    expect(verdict("Tracing.start", { categories: "devtools.timeline" })).toEqual({
      _tag: "Pass",
      params: { categories: "devtools.timeline", tracingBackend: "chrome" }
    })
  })

  it("has its downloads sent to the session's folder, wherever it wants them", () => {
    for (const method of ["Browser.setDownloadBehavior", "Page.setDownloadBehavior"]) {
      expect(verdict(method, { behavior: "allow", downloadPath: "/etc" })).toEqual({
        _tag: "Pass",
        params: { behavior: "allow", downloadPath: "/tmp/session/downloads" }
      })
    }
  })

  it("leaves no context behind when the program has left", () => {
    expect(verdict("Target.createBrowserContext", { disposeOnDetach: false })).toEqual({
      _tag: "Pass",
      params: { disposeOnDetach: true }
    })
  })
})
