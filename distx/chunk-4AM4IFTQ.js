import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  data,
  profile
} from "./chunk-22T4FJR7.js";
import {
  make,
  one,
  toggle
} from "./chunk-FCWYZXNV.js";
import {
  openClient
} from "./chunk-QH7QVI4J.js";
import "./chunk-DES4FB63.js";
import "./chunk-DRKWXAJI.js";
import "./chunk-OTBTFI5V.js";
import {
  WrongUsage
} from "./chunk-BMNGXVO7.js";
import "./chunk-OP2P3XN6.js";
import "./chunk-GNLX27JJ.js";
import "./chunk-PGKV3QBV.js";
import "./chunk-GT42FSL6.js";
import {
  paint,
  warn
} from "./chunk-CZDJQLZL.js";
import {
  readSettings
} from "./chunk-Y3UV4EDE.js";
import "./chunk-3BWTLUFE.js";
import "./chunk-LO3OT3SC.js";
import "./chunk-OWXHLDRW.js";
import {
  CrawlPreview,
  PreviewRequest,
  require_dist
} from "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-5MIN5RQK.js";
import "./chunk-NEXSCO5F.js";
import "./chunk-4U3SQ3WC.js";
import "./chunk-DUMKR6VQ.js";
import {
  decodeUnknownEither
} from "./chunk-PAQDWWDE.js";
import {
  flatMap5 as flatMap,
  gen,
  provide2 as provide,
  scoped2 as scoped
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import {
  isLeft
} from "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import {
  __toESM
} from "./chunk-E2DHRGUQ.js";

// src/Cli/Preview.ts
var import_yaml = __toESM(require_dist(), 1);
var parameters = {
  url: one("URL", "Where the crawl would start."),
  prompt: one("PROMPT", "What to crawl and what not, in your words."),
  data: data("the local engine's store"),
  profile,
  json: toggle("Prints the whole answer as one JSON object.")
}, command = make({
  details: "Prints them as they can stand under `crawl: { params: \u2026 }` of a pipeline. By SLUICE_LLM_MODEL when it is set, which is shown links of the site; by rules without one. What was not understood is said on stderr.",
  parameters,
  examples: [
    { line: 'sluice preview https://example.com "only the docs, 50 pages, no changelog"', what: "paths and a limit" },
    { line: 'sluice preview https://example.com "the blog of 2025" --json', what: "with who has answered" }
  ],
  run: (options, terminal) => run(options, terminal)
}), decode = decodeUnknownEither(PreviewRequest), who = { model: "by the model", rules: "by rules" }, run = ({ data: data2, json, profile: profile2, prompt, url }, terminal) => gen(function* () {
  let request = decode({ url, prompt });
  if (isLeft(request))
    return yield* new WrongUsage({
      reason: `URL is an address with http:// or https://, PROMPT has at most 10,000 characters; got ${url}`
    });
  let settings = yield* readSettings(terminal.env, profile2), client = yield* openClient(settings, data2), answer = yield* provide(
    flatMap(CrawlPreview, (preview) => preview.run(request.right)),
    client
  );
  if (json) {
    terminal.out.write(`${JSON.stringify(answer)}
`);
    return;
  }
  let by = who[answer.answeredBy ?? ""];
  by !== void 0 && terminal.err.write(`${paint(terminal.err).dim(by)}
`), answer.warning && warn(terminal.err, answer.warning);
  let { url: _, ...params } = answer.data;
  Object.keys(params).length > 0 && terminal.out.write((0, import_yaml.stringify)(params));
}).pipe(scoped);
export {
  command
};
