import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  ActiveCrawls,
  BatchScrape,
  Browser,
  Crawl,
  CrawlPreview,
  Map,
  Parse,
  Scrape,
  Search,
  TokenUsage,
  check,
  ofValue,
  read
} from "./lib-UQLIQVE6.js";
import {
  __export
} from "./lib-URHN3MKJ.js";

// src/Client.ts
var Client_exports = {};
__export(Client_exports, {
  layer: () => layer2
});
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem";
import * as Layer from "effect/Layer";
var layer2 = Layer.mergeAll(
  ActiveCrawls.Default,
  BatchScrape.Default,
  Browser.Default,
  Crawl.Default,
  CrawlPreview.Default,
  Map.Default,
  Scrape.Default,
  Search.Default,
  TokenUsage.Default,
  Layer.provide(Parse.Default, NodeFileSystem.layer)
);

// src/Pipeline/Load.ts
import * as Path from "@effect/platform/Path";
import * as Effect from "effect/Effect";
var secretsOf = ({ secrets }) => (name) => secrets !== void 0 && Object.hasOwn(secrets, name) ? secrets[name] : void 0;
var optionsOf = (given) => ({
  inputs: given.inputs ?? {},
  env: given.env ?? {},
  secrets: secretsOf(given),
  allowCode: given.allowCode ?? false,
  complete: true
});
var load = Effect.fn("Pipeline.load")(function* (file, given = {}) {
  return yield* check(yield* read(file), optionsOf(given));
});
var titleOf = ({ name }) => typeof name === "string" && /^[\w-]+$/.test(name) ? `pipeline "${name}"` : "the definition";
var from = Effect.fn("Pipeline.from")(function* (definition, given = {}, folder = ".") {
  const paths = yield* Path.Path;
  return yield* check(yield* ofValue(titleOf(definition), paths.resolve(folder), definition), optionsOf(given));
});

export {
  layer2 as layer,
  Client_exports,
  secretsOf,
  load,
  from
};
