import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  catalogue
} from "./lib-RAYPVGAA.js";
import {
  canParse
} from "./lib-GGME65E2.js";

// src/Engine/Scrape/Proxies.ts
import * as Context from "effect/Context";
import * as Either from "effect/Either";
import * as Redacted from "effect/Redacted";
var Proxies = class extends Context.Reference()("sluice/Engine/Scrape/Proxies", {
  defaultValue: () => /* @__PURE__ */ new Map()
}) {
};
var maxProxies = 100;
var isAddress = (text) => canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).hostname !== "";
var canDecode = (text) => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};
var parse = (text) => {
  const entries = Redacted.value(text).split(/[,\s]+/).filter((entry) => entry !== "");
  if (entries.length > maxProxies) return Either.left(`there are more than ${maxProxies} proxies`);
  const table = /* @__PURE__ */ new Map();
  for (const [at, entry] of entries.entries()) {
    const sign = entry.indexOf("=");
    const name = entry.slice(0, Math.max(0, sign)).toLowerCase();
    if (!/^[a-z][a-z0-9_-]{0,63}$/.test(name)) return Either.left(`entry ${at + 1} is not name=url`);
    if (!isAddress(entry.slice(sign + 1)))
      return Either.left(`entry ${at + 1}, "${name}", has no http:// or https:// address`);
    if (table.has(name)) return Either.left(`"${name}" is there twice`);
    const url = new URL(entry.slice(sign + 1));
    if (url.search !== "" && url.search !== "?dns=proxy")
      return Either.left(`entry ${at + 1}, "${name}", has options; the only one there is is ?dns=proxy`);
    if (!canDecode(url.username) || !canDecode(url.password))
      return Either.left(`entry ${at + 1}, "${name}": the % in its user or password has to be written as %25`);
    const resolvesNames = url.search !== "";
    url.search = "";
    table.set(name, { address: Redacted.make(url.href), resolvesNames });
  }
  return Either.right(table);
};

// src/Settings/Chromium.ts
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as Either2 from "effect/Either";
var installCommand = `npx @puppeteer/browsers install chrome-headless-shell@stable, then set ${catalogue.chromium.env} to the path it prints`;
var browsers = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome-headless-shell",
  "chrome.exe"
];
var macBrowsers = ["Google Chrome.app/Contents/MacOS/Google Chrome", "Chromium.app/Contents/MacOS/Chromium"];
var find = (setting, path) => {
  if (setting !== void 0) {
    return existsSync(setting) ? Either2.right(setting) : Either2.left({
      found: `${catalogue.chromium.env} names ${setting}, which is not there`,
      todo: "correct it, or unset it"
    });
  }
  const folders = (path ?? "").split(process.platform === "win32" ? ";" : ":").filter((folder) => folder !== "");
  const candidates = [
    ...folders.flatMap((folder) => browsers.map((name) => join(folder, name))),
    ...macBrowsers.map((name) => `/Applications/${name}`)
  ];
  const found = candidates.find((candidate) => existsSync(candidate));
  return found === void 0 ? Either2.left({ found: "none found", todo: installCommand }) : Either2.right(found);
};

// src/Engine/Parse/Protocol.ts
var formats = ["markdown", "html", "rawHtml", "links", "images", "summary"];

export {
  installCommand,
  find,
  formats,
  Proxies,
  parse
};
