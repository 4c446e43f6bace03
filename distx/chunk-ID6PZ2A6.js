import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  only
} from "./chunk-ZZBHAMLH.js";
import "./chunk-QVSNP7MA.js";
import "./chunk-MVJRAPNE.js";
import {
  data,
  profile
} from "./chunk-22T4FJR7.js";
import {
  choice,
  integer,
  make,
  one,
  text,
  toggle
} from "./chunk-FCWYZXNV.js";
import {
  hostedService,
  openClient
} from "./chunk-QH7QVI4J.js";
import "./chunk-DES4FB63.js";
import "./chunk-DRKWXAJI.js";
import "./chunk-OTBTFI5V.js";
import {
  SettingInvalid,
  WrongUsage
} from "./chunk-BMNGXVO7.js";
import {
  hostOf
} from "./chunk-OP2P3XN6.js";
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
  Search,
  catalogue,
  sources
} from "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-5MIN5RQK.js";
import "./chunk-NEXSCO5F.js";
import "./chunk-4U3SQ3WC.js";
import "./chunk-DUMKR6VQ.js";
import "./chunk-PAQDWWDE.js";
import {
  flatMap5 as flatMap,
  gen,
  provide2 as provide,
  scoped2 as scoped
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import {
  mapLeft
} from "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Cli/Search.ts
var parameters = {
  query: one("QUERY", "Words, phrases in quotes, -word, and operators like site: and filetype:."),
  limit: integer("N", "At most N results of each source; default: 10.", { minimum: 1, maximum: 100 }),
  source: choice("SOURCE", ["web", "images", "news", "all"], "web, images, news or all; default: web."),
  provider: text(
    "NAMES",
    "Asks only these of SLUICE_SEARCH_PROVIDERS, in this order, comma separated; local is what was gathered here."
  ),
  data: data("the local engine's store"),
  profile,
  json: toggle("Prints the answer as one JSON object.")
}, command = make({
  details: "Without SLUICE_BASE_URL the local engine answers: from the providers in SLUICE_SEARCH_PROVIDERS, else from the pages and files that it has read. What could not be honoured is said on stderr.",
  parameters,
  examples: [
    { line: 'sluice search "tide tables filetype:pdf"', what: "among what was gathered" },
    { line: 'sluice search "harbour pilots" --source news --limit 20 --json', what: "for a program" },
    { line: "sluice search tides --provider brave,local", what: "Brave, and the own index if that fails" }
  ],
  run: (options, terminal) => run(options, terminal)
}), narrowed = (settings, names) => gen(function* () {
  if (names === void 0) return settings;
  let hosted = yield* hostedService(settings);
  if (hosted !== void 0)
    return yield* new WrongUsage({
      reason: `--provider chooses among those of the local engine, but ${catalogue.baseUrl.env} says that ${hostOf(hosted.baseUrl)} answers. Leave out one of them.`
    });
  let wanted = names.split(",").map((name) => name.trim().toLowerCase()), searchProviders = yield* mapLeft(
    only(settings.searchProviders, wanted),
    (name) => new SettingInvalid({
      name: catalogue.searchProviders.env,
      reason: `it has no "${name}", which --provider names`
    })
  );
  return { ...settings, searchProviders };
}), longest = 500, lines = (data2, { out }) => {
  let dye = paint(out), tame = (text2) => String(text2 ?? "").replace(new RegExp("\\p{Cc}+", "gu"), " "), block = (title, ...rest) => [dye.bold(tame(title)), ...rest.filter((line) => line !== "").map((line) => `  ${line}`), ""].join(`
`);
  return [
    ...(data2.web ?? []).map(({ description, title, url }) => block(title, dye.cyan(tame(url)), tame(description))),
    ...(data2.images ?? []).map(
      ({ imageHeight, imageUrl, imageWidth, title, url }) => block(
        title,
        `${dye.cyan(tame(imageUrl))}${imageWidth == null || imageHeight == null ? "" : `  ${imageWidth} \xD7 ${imageHeight}`}`,
        url === imageUrl ? "" : tame(url)
      )
    ),
    ...(data2.news ?? []).map(
      ({ date, snippet, title, url }) => block(title, `${dye.cyan(tame(url))}${date == null ? "" : `  ${tame(date)}`}`, tame(snippet))
    )
  ];
}, run = (options, terminal) => gen(function* () {
  let { json, limit, provider, query, source = "web" } = options;
  if (query.trim() === "" || query.length > longest)
    return yield* new WrongUsage({ reason: `QUERY has 1 to ${longest} characters, got ${query.trim().length}` });
  let settings = yield* flatMap(
    readSettings(terminal.env, options.profile),
    (all) => narrowed(all, provider)
  ), client = yield* openClient(settings, options.data), answer = yield* flatMap(
    Search,
    (search) => search.run({
      query,
      ...limit === void 0 ? {} : { limit },
      sources: source === "all" ? sources : [source]
    })
  ).pipe(provide(client));
  if (json) {
    terminal.out.write(`${JSON.stringify(answer)}
`);
    return;
  }
  answer.warning && warn(terminal.err, answer.warning);
  let found = lines(answer.data, terminal);
  found.length > 0 ? terminal.out.write(found.join(`
`)) : terminal.err.write(`nothing was found
`);
}).pipe(scoped);
export {
  command
};
