import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  promise,
  sync3 as sync
} from "./chunk-JGKSI326.js";

// src/Web/Serving.ts
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
var bundle = ({ folder, name, script, style }) => import.meta.url.endsWith(".ts") ? promise(
  () => import("esbuild").then(
    ({ build }) => build({
      absWorkingDir: fileURLToPath(new URL(`./${folder}/`, import.meta.url)),
      entryPoints: [
        { in: script, out: name },
        { in: style, out: name }
      ],
      outdir: ".",
      bundle: !0,
      format: "esm",
      jsx: "automatic",
      jsxImportSource: "preact",
      write: !1
    })
  ).then(({ outputFiles }) => {
    let of = (ending) => outputFiles.find(({ path }) => path.endsWith(`${name}.${ending}`))?.text ?? "";
    return { script: of("js"), style: of("css") };
  })
) : sync(() => {
  let text = (ending) => readFileSync(new URL(`${name}.${ending}`, import.meta.url), "utf8");
  return { script: text("js"), style: text("css") };
}), policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; "), commonHeaders = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()"
}, ofPage = { ...commonHeaders, "content-security-policy": policy }, ofTrustedPage = {
  ...commonHeaders,
  "content-security-policy": `${policy}; require-trusted-types-for 'script'`
}, ofData = {
  ...commonHeaders,
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'"
}, hostOf = (header = "") => {
  let [, name = "", port = ""] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(header.toLowerCase()) ?? [];
  return { name, port };
}, isLoopback = (name) => name === "localhost" || name.endsWith(".localhost") || /^127(\.\d{1,3}){3}$/.test(name) || name === "::1" || name === "[::1]", isNamed = (bound, header) => !isLoopback(bound) || header === void 0 || isLoopback(hostOf(header).name);

export {
  bundle,
  ofPage,
  ofTrustedPage,
  ofData,
  hostOf,
  isLoopback,
  isNamed
};
