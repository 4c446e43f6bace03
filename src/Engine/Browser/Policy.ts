/** Policy for CDP commands of programs: no access to files of this machine, and no connection that bypasses the gateway. */
import { isAbsolute, relative, resolve } from "node:path"
import * as Predicate from "effect/Predicate"
import { canParse } from "../../Api/Url.ts"

/** A CDP command. */
export interface Command {
  readonly id?: number | undefined
  readonly method: string
  readonly params?: Readonly<Record<string, unknown>> | undefined
  readonly sessionId?: string | undefined
}

export type Verdict =
  | { readonly _tag: "Pass"; readonly params: Readonly<Record<string, unknown>> | undefined }
  | { readonly _tag: "Refuse"; readonly reason: string }

/** Allowed CDP domains. New domains of later versions are refused until they have been reviewed. */
const domains = new Set([
  "Accessibility",
  "Animation",
  "Audits",
  "BackgroundService",
  "Browser",
  "CSS",
  "CacheStorage",
  "Console",
  "DOM",
  "DOMDebugger",
  "DOMSnapshot",
  "DOMStorage",
  "Debugger",
  "DeviceOrientation",
  "Emulation",
  "EventBreakpoints",
  "FedCm",
  "Fetch",
  "HeadlessExperimental",
  "HeapProfiler",
  "IO",
  "IndexedDB",
  "Input",
  "Inspector",
  "LayerTree",
  "Log",
  "Media",
  "Memory",
  "Network",
  "Overlay",
  "Page",
  "Performance",
  "PerformanceTimeline",
  "Preload",
  "Profiler",
  "Runtime",
  "Schema",
  "Security",
  "ServiceWorker",
  "Storage",
  "Target",
  "Tracing",
  "WebAudio",
  "WebAuthn"
])

/** Methods that are refused, and why. */
const refused = new Map([
  ["Browser.crash", "a session ends with Browser.close"],
  ["Browser.crashGpuProcess", "a session ends with Browser.close"],
  ["Browser.executeBrowserCommand", "it acts on the browser's own windows"],
  ["Browser.getBrowserCommandLine", "it shows how the engine starts its browsers"],
  ["Target.exposeDevToolsProtocol", "it would let a page control the browser"],
  ["Target.openDevTools", "it opens pages of the browser itself"],
  ["Target.sendMessageToTarget", 'attach with "flatten": true and use the sessionId instead'],
  ["Target.setRemoteLocations", "it would bypass the engine's guard against private addresses"]
])

const pass = (params: Command["params"]): Verdict => ({ _tag: "Pass", params })
const refuse = (reason: string): Verdict => ({ _tag: "Refuse", reason })

const webSchemes = new Set(["http:", "https:", "data:", "blob:", "javascript:"])
/** Allowed `about:` URLs. Under others, such as about:version, the browser shows internal pages. */
const empty = new Set(["about:blank", "about:srcdoc"])

/** True for URLs that a page may have: neither files nor internal pages of the browser. */
export const isWeb = (url: string): boolean => {
  if (url === "") return true
  if (!canParse(url)) return false
  const { pathname, protocol } = new URL(url)
  return webSchemes.has(protocol) || empty.has(protocol + pathname)
}

/** Methods whose `url` parameter the browser opens or fetches. */
const addressed = new Set([
  "Fetch.continueRequest",
  "Network.continueInterceptedRequest",
  "Network.loadNetworkResource",
  "Page.navigate",
  "Target.createTarget"
])

const isIn = (folder: string, path: unknown): boolean => {
  if (typeof path !== "string" || !isAbsolute(path)) return false
  const way = relative(folder, resolve(path))
  return way !== "" && !way.startsWith("..") && !isAbsolute(way)
}

const outside = (folder: string, files: unknown): boolean =>
  Array.isArray(files) && !files.every((file) => isIn(folder, file))

/** Limits of a session: `downloads` is its download folder, the only one with files that may be passed to pages. */
export interface Limits {
  readonly downloads: string
}

const download = ({ downloads }: Limits, params: Command["params"] = {}): Verdict =>
  pass("downloadPath" in params || params.behavior !== "deny" ? { ...params, downloadPath: downloads } : params)

const createContext = (params: Command["params"] = {}): Verdict =>
  ["proxyServer", "proxyBypassList", "originsWithUniversalNetworkAccess"].some((name) => {
    const value = params[name]
    return value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0)
  })
    ? refuse(
        "the pages of a session connect only through the engine: leave out proxyServer, proxyBypassList and originsWithUniversalNetworkAccess"
      )
    : // The browser removes the context when the program disconnects.
      pass({ ...params, disposeOnDetach: true })

const flattened = (params: Command["params"] = {}, isAttaching = true): Verdict =>
  isAttaching && params.flatten !== true ? refuse('only "flatten": true is supported') : pass(params)

/** Checks tracing: a custom configuration could trace other programs and write to any file. */
const trace = (params: Command["params"] = {}): Verdict =>
  params.perfettoConfig !== undefined || (params.tracingBackend ?? "chrome") !== "chrome"
    ? refuse("only the browser itself can be traced: use traceConfig, without perfettoConfig and tracingBackend")
    : pass({ ...params, tracingBackend: "chrome" })

/** Decides whether a command may be sent, and with which params. */
export const judge = ({ method, params }: Command, limits: Limits): Verdict => {
  const domain = method.slice(0, Math.max(0, method.indexOf(".")))
  if (!domains.has(domain)) return refuse(`browser sessions do not support the domain "${domain}"`)
  const never = refused.get(method)
  if (never !== undefined) return refuse(never)
  if (addressed.has(method)) {
    const url = params?.url
    return url === undefined || (typeof url === "string" && isWeb(url))
      ? pass(params)
      : refuse("sessions only open web addresses (http, https, about, data, blob)")
  }
  switch (method) {
    case "Browser.setDownloadBehavior":
    case "Page.setDownloadBehavior":
      return download(limits, params)
    case "DOM.setFileInputFiles":
      return outside(limits.downloads, params?.files)
        ? refuse(`only files that the session has downloaded can be given to a page; send other files as data`)
        : pass(params)
    case "Input.dispatchDragEvent":
      return outside(limits.downloads, Predicate.isRecord(params?.data) ? params.data.files : undefined)
        ? refuse(`only files that the session has downloaded can be dropped on a page`)
        : pass(params)
    case "Target.createBrowserContext":
      return createContext(params)
    case "Target.attachToTarget":
      return flattened(params)
    case "Target.setAutoAttach":
      return flattened(params, params?.autoAttach === true)
    case "Tracing.start":
      return trace(params)
    default:
      return pass(params)
  }
}
