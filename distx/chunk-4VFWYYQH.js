import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  describeShards,
  findRun,
  runObject,
  shardObject,
  shardsOf
} from "./chunk-AYW24OCZ.js";
import {
  withLedger
} from "./chunk-ZU3QWNBT.js";
import {
  data,
  profile
} from "./chunk-22T4FJR7.js";
import {
  integer,
  make,
  optional,
  text,
  toggle,
  withDefault
} from "./chunk-FCWYZXNV.js";
import {
  WrongUsage,
  count,
  duration,
  place,
  table
} from "./chunk-BMNGXVO7.js";
import {
  paint
} from "./chunk-CZDJQLZL.js";
import "./chunk-Y3UV4EDE.js";
import "./chunk-6B7FEELY.js";
import {
  isResumable,
  runStatus
} from "./chunk-NHAMPOKL.js";
import "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-NEXSCO5F.js";
import {
  Ledger
} from "./chunk-P7YG24CI.js";
import "./chunk-4LLCRAKX.js";
import "./chunk-F63MDLXW.js";
import "./chunk-3IJJA3UF.js";
import "./chunk-L2IO7ZT7.js";
import "./chunk-7DF5MID3.js";
import {
  canonicalUrl,
  decodeOutputs,
  runForEachChunk
} from "./chunk-4U3SQ3WC.js";
import "./chunk-DUMKR6VQ.js";
import "./chunk-PAQDWWDE.js";
import {
  forEach,
  gen,
  sync3 as sync
} from "./chunk-JGKSI326.js";
import {
  plain
} from "./chunk-6CVURTE2.js";
import {
  getOrElse
} from "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Cli/Show.ts
var parameters = {
  run: optional("RUN", "The run's id; without one, the newest."),
  rejects: toggle("The rejected rows that nobody has taken up again, a line of JSON each."),
  pages: toggle("The pages that were asked for, a line of JSON each."),
  page: text("KEY", "What every run has met at this address (or hash of a file), newest first."),
  limit: withDefault(
    integer("N", "At most N pages, or shards; default: 1000.", { minimum: 1 }),
    1e3
  ),
  data: data("the ledger"),
  profile,
  json: toggle("Prints the run as one JSON object.")
}, command = make({
  parameters,
  examples: [
    { line: "sluice show", what: "the newest run" },
    { line: "sluice show 20260314T093001-7c2ep2 --rejects", what: "why rows could not go on" },
    { line: "sluice show --page https://example.com/a", what: "when a page was met, and with which answer" }
  ],
  run: (options, terminal) => run(options, terminal)
}), describe = ({ alive, run: run2, steps }, away, terminal) => {
  let dye = paint(terminal.out), status = runStatus(run2, alive), shown = status === "completed" ? dye.green(status) : alive ? dye.cyan(status) : dye.yellow(status), took = duration((run2.endedAt ?? run2.updatedAt) - run2.startedAt), limit = run2.options.limit, facts = [
    `${dye.bold(run2.pipeline)}  ${run2.id}  ${shown}`,
    `  definition  ${place(run2.file)}`,
    `  began       ${new Date(run2.startedAt).toISOString()}, took ${took}${limit === void 0 ? "" : `, --limit ${limit}`}`,
    `  rows        ${[count(run2.rows, "row"), count(run2.rejects, "reject"), `${count(run2.credits, "credit")}${run2.unpriced > 0 ? ` and ${count(run2.unpriced, "call")} of unknown price` : ""}`].join(", ")}`,
    ...away === void 0 ? [] : [`  shards      ${away.fact}`],
    ...run2.stateKey === void 0 ? [] : [`  state       ${run2.stateKey}`],
    ...run2.error === void 0 ? [] : [`  ${dye.red("error")}       ${plain(run2.error)}`]
  ], lines = steps.length === 0 ? [] : table(
    [
      ["step"],
      ["calls", "right"],
      ["credits", "right"],
      ["pages", "right"],
      ["failed", "right"],
      ["rejects", "right"],
      ["open", "right"]
    ],
    steps.map(({ calls, credits, failedPages, openRejects, pages, rejects, step }) => [
      step,
      ...[calls, credits, pages, failedPages, rejects, openRejects].map((each) => each.toLocaleString("en-US"))
    ]),
    terminal.out
  ).map((line2) => `  ${line2}`), shards = (away?.lines ?? []).map((line2) => `  ${line2}`), outputs = getOrElse(decodeOutputs("The outputs of the run", run2.outputs ?? []), () => []).map(
    ({ path, rows }) => `  ${dye.cyan(place(path))}   ${count(rows, "row")}`
  ), open = steps.reduce((sum, step) => sum + step.openRejects, 0), next = [
    ...isResumable(run2) && !alive ? [`  go on with it:       sluice resume ${run2.id}`] : [],
    ...open === 0 ? [] : [`  look at the rejects: sluice show ${run2.id} --rejects`, `  send them again:     sluice replay ${run2.id}`]
  ];
  return `${[...facts, ...lines.length === 0 ? [] : ["", ...lines], ...shards.length === 0 ? [] : ["", ...shards], ...outputs.length === 0 ? [] : ["", ...outputs], ...next.length === 0 ? [] : ["", ...next.map(dye.dim)]].join(`
`)}
`;
}, line = (terminal, value) => terminal.out.write(`${JSON.stringify(value)}
`), isoOf = (record) => ({ ...record, at: new Date(record.at).toISOString() }), showPage = (address, { json, limit }, terminal) => gen(function* () {
  let { history } = yield* Ledger, key = canonicalUrl(address) ?? address, seen = yield* history.sightings(key), pages = yield* history.pagesAt(key, { limit });
  if (json) return line(terminal, { key, sightings: seen, pages: pages.map(isoOf) });
  if (seen === void 0) return void terminal.err.write(`no run has met ${key}
`);
  let lines = table(
    [["met (UTC)"], ["run"], ["step"], ["status", "right"], ["credits", "right"], ["content"]],
    pages.map(({ at, credits, error, hash, runId, status, step }) => [
      new Date(at).toISOString().slice(0, 19).replace("T", " "),
      runId,
      step,
      String(status ?? "\u2013"),
      credits === void 0 ? "\u2013" : String(credits),
      error ?? hash?.slice(0, 12) ?? ""
    ]),
    terminal.out
  );
  terminal.out.write(`${paint(terminal.out).bold(key)}  ${count(seen.attempts, "attempt")}
${lines.join(`
`)}
`);
}), showRun = (options, terminal) => gen(function* () {
  let { history } = yield* Ledger, detail = yield* findRun(options.run), { alive, run: run2, steps } = detail;
  if (options.rejects)
    return yield* runForEachChunk(
      history.rejects(run2.id, "open"),
      (chunk) => sync(() => forEach(chunk, (reject) => line(terminal, reject)))
    );
  if (options.pages) {
    for (let page of yield* history.pagesOf(run2.id, { limit: options.limit })) line(terminal, isoOf(page));
    return;
  }
  let away = yield* shardsOf(run2, options, terminal);
  if (options.json) {
    let parts = away === void 0 ? {} : shardObject(away);
    return line(terminal, { ...runObject(run2, alive), steps, outputs: run2.outputs, ...parts });
  }
  let described = away === void 0 ? void 0 : describeShards(away, terminal);
  terminal.out.write(describe(detail, described, terminal));
}), tooMuch = ({ page, pages, rejects, run: run2 }) => page !== void 0 && run2 !== void 0 ? "--page looks at every run: leave the run's id out" : rejects && pages ? "--rejects and --pages are two questions: ask one of them" : page !== void 0 && (rejects || pages) ? `--page and --${rejects ? "rejects" : "pages"} are two questions: ask one of them` : void 0, run = (options, terminal) => {
  let reason = tooMuch(options);
  return reason === void 0 ? withLedger(
    options,
    terminal,
    options.page === void 0 ? showRun(options, terminal) : showPage(options.page, options, terminal)
  ) : new WrongUsage({ reason });
};
export {
  command
};
