import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  layer2 as layer
} from "./chunk-GT42FSL6.js";
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
  TokenUsage
} from "./chunk-PGOM52WJ.js";
import {
  mergeAll,
  provide
} from "./chunk-PAQDWWDE.js";

// src/Client.ts
var layer2 = mergeAll(
  ActiveCrawls.Default,
  BatchScrape.Default,
  Browser.Default,
  Crawl.Default,
  CrawlPreview.Default,
  Map.Default,
  Scrape.Default,
  Search.Default,
  TokenUsage.Default,
  provide(Parse.Default, layer)
);

export {
  layer2 as layer
};
