import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  excessOf,
  excessText
} from "./chunk-NEXSCO5F.js";
import {
  canParse
} from "./chunk-X7W2U4JF.js";
import {
  isRecord
} from "./chunk-ANBJACJV.js";

// src/Engine/Browser/Policy.ts
import { isAbsolute, relative, resolve } from "node:path";
var domains = /* @__PURE__ */ new Set([
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
]), refused = /* @__PURE__ */ new Map([
  ["Browser.crash", "a session ends with Browser.close"],
  ["Browser.crashGpuProcess", "a session ends with Browser.close"],
  ["Browser.executeBrowserCommand", "it acts on the browser's own windows"],
  ["Browser.getBrowserCommandLine", "it tells how the engine starts its browsers"],
  ["Target.exposeDevToolsProtocol", "it would give a page the rights of its driver"],
  ["Target.openDevTools", "it opens pages of the browser itself"],
  ["Target.sendMessageToTarget", 'attach with "flatten": true and use the sessionId instead'],
  ["Target.setRemoteLocations", "it would connect past the guard of the engine"]
]), pass = (params) => ({ _tag: "Pass", params }), refuse = (reason) => ({ _tag: "Refuse", reason }), webSchemes = /* @__PURE__ */ new Set(["http:", "https:", "data:", "blob:", "javascript:"]), empty = /* @__PURE__ */ new Set(["about:blank", "about:srcdoc"]), isWeb = (url) => {
  if (url === "") return !0;
  if (!canParse(url)) return !1;
  let { pathname, protocol } = new URL(url);
  return webSchemes.has(protocol) || empty.has(protocol + pathname);
}, addressed = /* @__PURE__ */ new Set([
  "Fetch.continueRequest",
  "Network.loadNetworkResource",
  "Page.navigate",
  "Target.createTarget"
]), isIn = (folder, path) => {
  if (typeof path != "string" || !isAbsolute(path)) return !1;
  let way = relative(folder, resolve(path));
  return way !== "" && !way.startsWith("..") && !isAbsolute(way);
}, outside = (folder, files) => Array.isArray(files) && !files.every((file) => isIn(folder, file)), download = ({ downloads }, params = {}) => pass("downloadPath" in params || params.behavior !== "deny" ? { ...params, downloadPath: downloads } : params), createContext = (params = {}) => ["proxyServer", "proxyBypassList", "originsWithUniversalNetworkAccess"].some((name) => {
  let value = params[name];
  return value !== void 0 && value !== "" && !(Array.isArray(value) && value.length === 0);
}) ? refuse("every context of a session goes through the engine's own gateway") : (
  // A program that goes without a word leaves no context behind.
  pass({ ...params, disposeOnDetach: !0 })
), flattened = (params = {}, isAttaching = !0) => isAttaching && params.flatten !== !0 ? refuse('only "flatten": true is supported') : pass(params), trace = (params = {}) => params.perfettoConfig !== void 0 || (params.tracingBackend ?? "chrome") !== "chrome" ? refuse("only the browser itself is traced, by traceConfig") : pass({ ...params, tracingBackend: "chrome" }), judge = ({ method, params }, limits) => {
  let domain = method.slice(0, Math.max(0, method.indexOf(".")));
  if (!domains.has(domain)) return refuse(`sessions do not offer the domain "${domain}"`);
  let never = refused.get(method);
  if (never !== void 0) return refuse(never);
  if (addressed.has(method)) {
    let url = params?.url;
    return url === void 0 || typeof url == "string" && isWeb(url) ? pass(params) : refuse("sessions go to addresses of the web only (http, https, about, data, blob)");
  }
  switch (method) {
    case "Browser.setDownloadBehavior":
    case "Page.setDownloadBehavior":
      return download(limits, params);
    case "DOM.setFileInputFiles":
      return outside(limits.downloads, params?.files) ? refuse("only files of the session's own downloads can be given to a page; send others as data") : pass(params);
    case "Input.dispatchDragEvent":
      return outside(limits.downloads, isRecord(params?.data) ? params.data.files : void 0) ? refuse("only files of the session's own downloads can be dropped on a page") : pass(params);
    case "Target.createBrowserContext":
      return createContext(params);
    case "Target.attachToTarget":
      return flattened(params);
    case "Target.setAutoAttach":
      return flattened(params, params?.autoAttach === !0);
    case "Tracing.start":
      return trace(params);
    default:
      return pass(params);
  }
};

// src/Engine/Browser/CommandText.ts
var bounds = { levels: 1e3, containers: 3e5, keys: 3e5, values: 1e6 }, maxName = 200, prepare = (command, limits) => {
  let { id = 0, method, params, sessionId } = command, verdict = judge(command, limits), targetId = params?.targetId;
  return {
    id,
    method,
    sessionId,
    target: typeof targetId == "string" ? targetId : void 0,
    session: typeof params?.sessionId == "string" ? params.sessionId : void 0,
    refusal: verdict._tag === "Refuse" ? verdict.reason : void 0,
    params: verdict._tag === "Pass" && verdict.params !== void 0 ? JSON.stringify(verdict.params) : void 0
  };
}, endOfString = (text, start) => {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    for (; text[end - 1 - escapes] === "\\"; ) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return -1;
}, idAt = /\s*:\s*(-?\d{1,16})\s*[,}]/y, sessionAt = /\s*:\s*"([^"\\]{1,200})"\s*[,}]/y, matchAt = (pattern, text, index) => (pattern.lastIndex = index, pattern.exec(text)?.[1]), headOf = (text) => {
  let [level, id, sessionId] = [0, void 0, void 0];
  for (let index = 0; index < text.length; index++) {
    let sign = text[index];
    if (sign === "{" || sign === "[") level += 1;
    else if (sign === "}" || sign === "]") level -= 1;
    else if (sign === '"') {
      let end = endOfString(text, index);
      if (end === -1) break;
      level === 1 && end - index === 3 && text.startsWith("id", index + 1) ? id = Number(matchAt(idAt, text, end + 1) ?? id) : level === 1 && text.slice(index + 1, Math.min(end, index + 11)) === "sessionId" && (sessionId = matchAt(sessionAt, text, end + 1) ?? sessionId), index = end;
    }
  }
  return { id: Number.isSafeInteger(id) ? id : void 0, sessionId };
}, unreadable = (reason) => ({ _tag: "Unreadable", reason }), read = (json, limits) => {
  let text = Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString("utf8"), excess = excessOf(text, bounds);
  if (excess !== void 0) {
    let { id: id2, sessionId: sessionId2 } = headOf(text), reason = `The command ${excessText(excess, bounds[excess])}.`;
    return id2 === void 0 ? unreadable(reason) : { _tag: "Refused", id: id2, sessionId: sessionId2, reason };
  }
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return unreadable("A command is not JSON.");
  }
  if (!isRecord(value)) return unreadable("A command is not an object.");
  let { id, method, params, sessionId } = value;
  if (typeof id != "number" || !Number.isSafeInteger(id)) return unreadable("A command has no id.");
  if (sessionId !== void 0 && (typeof sessionId != "string" || sessionId.length > maxName))
    return { _tag: "Refused", id, sessionId: void 0, reason: "The sessionId of the command is not a session's." };
  let refused2 = (reason) => ({ _tag: "Refused", id, sessionId, reason });
  return typeof method != "string" || method.length > maxName ? refused2("The command has no method.") : params !== void 0 && !isRecord(params) ? refused2("The params of the command are not an object.") : { _tag: "Prepared", command: prepare({ id, method, params, sessionId }, limits) };
};

export {
  prepare,
  read
};
