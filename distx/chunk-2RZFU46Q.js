import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  ledgerLayer
} from "./chunk-ZU3QWNBT.js";
import {
  broken,
  completed,
  countsOf,
  describe,
  describeFailed,
  failed,
  fieldsOf,
  neverBegan,
  stopped,
  trial
} from "./chunk-GA35ZNT7.js";
import {
  requireCapabilities,
  startService
} from "./chunk-QH7QVI4J.js";
import {
  WrongUsage,
  count,
  duration
} from "./chunk-BMNGXVO7.js";
import {
  scopeOf
} from "./chunk-GNLX27JJ.js";
import {
  paint
} from "./chunk-CZDJQLZL.js";
import {
  make
} from "./chunk-GLBPH2CN.js";
import {
  withMinimumLogLevel
} from "./chunk-TDODX2FN.js";
import {
  spaced
} from "./chunk-4U3SQ3WC.js";
import {
  None,
  _void,
  async,
  currentTimeMillis,
  ensuring2 as ensuring,
  fail5 as fail,
  failureOption,
  fn,
  forkScoped,
  gen,
  isInterruptedOnly,
  isSuccess,
  map9 as map,
  onExit,
  onInterrupt2 as onInterrupt,
  provide2 as provide,
  repeat,
  sync3 as sync,
  tapErrorTag
} from "./chunk-JGKSI326.js";
import {
  match
} from "./chunk-ANBJACJV.js";

// src/Cli/Run/Perform.ts
var describeJobs = (jobs, service) => {
  let [first, ...more] = jobs;
  return first === void 0 ? [] : [
    more.length === 0 ? `Job ${first} goes on at ${service}.` : `${jobs.length} jobs go on at ${service}: ${jobs.slice(0, 5).join(", ")}${jobs.length > 5 ? ", \u2026" : ""}`
  ];
}, describeStopped = (summary, name, remote) => [
  `${name} was stopped after ${duration(summary.durationMs)}: ${countsOf(summary)}`,
  summary.resumable ? `What is done is kept: sluice resume ${summary.runId}` : "Nothing was done yet, and nothing is left behind.",
  ...remote === void 0 || !summary.resumable ? [] : describeJobs(summary.runningJobs ?? [], remote)
].join(`
`), jsonRefused = new WrongUsage({
  reason: '--json prints its object on standard output, where a step of this pipeline writes its rows ("-"): leave --json out, or give that step the path of a file'
}), stdoutOf = ({ out: { pipe, write } }) => (bytes) => async((resume) => {
  if (pipe !== void 0) return pipe(bytes, (error) => resume(error ? fail(error) : _void));
  write(Buffer.from(bytes).toString()), resume(_void);
}), perform = fn("Cli.perform")(function* (errand, terminal, print) {
  let { allowCode, backfill, checked, dataDir, limit, out, quiet, replay, resume, scheduledFor, settings } = errand, { name } = checked.frame;
  if (print.json && checked.toStdout.length > 0) return yield* jsonRefused;
  yield* requireCapabilities(checked, settings, terminal.env);
  let { client, hosted, site } = yield* startService(checked, settings, dataDir), run = yield* make(checked, {
    ...scopeOf(terminal.env),
    dataDir,
    out,
    wanted: limit,
    backfill,
    allowCode,
    resume,
    replay,
    scheduledFor,
    site,
    stdout: print.json ? void 0 : stdoutOf(terminal),
    opened: (id) => sync(() => terminal.tell?.({ began: id }))
  });
  terminal.err.interactive && !quiet && (yield* forkScoped(drawProgress(run, checked, terminal)));
  let summary = yield* run.execute.pipe(
    provide(client),
    provide(ledgerLayer(settings, dataDir)),
    tapErrorTag(
      "RunFailed",
      (failure) => sync(
        () => print.talk(
          describeFailed(name, failure.summary, terminal.err, failure),
          fieldsOf(failure.summary)
        )
      )
    ),
    onInterrupt(
      () => map(run.summary, (summary2) => {
        if (summary2.status === "completed")
          return print.talk(describe(name, summary2, terminal.err), fieldsOf(summary2)), print.report(completed(summary2));
        print.talk(`${describeStopped(summary2, name, hosted?.baseUrl)}
`, fieldsOf(summary2)), print.report(stopped(summary2));
      })
    )
  );
  return print.talk(describe(name, summary, terminal.err), fieldsOf(summary)), limit !== void 0 && print.talk(trial(limit)), print.report(completed(summary)), summary;
}), reasonOf = (cause) => match(failureOption(cause), {
  onSome: failed,
  onNone: () => isInterruptedOnly(cause) ? neverBegan : broken(cause)
}), printing = ({ json, quiet }, terminal, program) => {
  let reported = !1, print = {
    json,
    talk: (text, fields) => quiet ? void 0 : terminal.err.write(text, fields),
    report: (report) => {
      json && !reported && terminal.out.write(`${JSON.stringify(report)}
`), reported = !0;
    }
  };
  return program(print).pipe(
    onExit(
      (exit) => isSuccess(exit) ? _void : sync(() => print.report(reasonOf(exit.cause)))
    ),
    quiet ? withMinimumLogLevel(None) : (same) => same
  );
}, frames = "\u280B\u2819\u2839\u2838\u283C\u2834\u2826\u2827\u2807\u280F", barWidth = 20, announcesRows = ({ step: { behaviour } }) => behaviour.kind === "source" || behaviour.kind === "transform" && behaviour.announces === !0, clock = (millis) => {
  let seconds = Math.floor(millis / 1e3);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}, rate = (rows, millis) => {
  let each = millis < 500 ? 0 : rows * 1e3 / millis;
  return `${each < 10 ? each.toFixed(1) : Math.round(each).toLocaleString("en-US")}/s`;
}, progressLine = ({ checked, elapsed, frame, name, progress }, terminal) => {
  let { credits, expected, rejects, rows, steps } = progress, dye = paint(terminal.err), read = checked.nodes.filter(announcesRows).reduce((sum, node) => sum + (steps[node.id] ?? 0), 0), share = expected === 0 ? 0 : Math.min(1, (read + rejects) / expected), filled = Math.round(share * barWidth), parts = [
    [frames[frame % frames.length] ?? "", 0, dye.cyan],
    [name, 5, dye.bold],
    ["\u2501".repeat(barWidth), 6, (bar) => dye.cyan(bar.slice(0, filled)) + dye.dim(bar.slice(filled))],
    [
      expected === 0 ? `${count(read, "page")}` : `${read.toLocaleString("en-US")} of ${count(expected, "page")}`,
      0,
      String
    ],
    [count(rows, "row"), 1, String],
    [rejects === 0 ? "" : count(rejects, "reject"), 1, dye.yellow],
    [credits === 0 ? "" : count(Math.round(credits), "credit"), 3, String],
    [rate(read, elapsed), 4, dye.dim],
    [clock(elapsed), 2, dye.dim]
  ], width = (kept) => kept.reduce((sum, [text]) => sum + text.length + 2, -2), squeeze = (kept) => {
    let heaviest = Math.max(...kept.map(([, weight]) => weight));
    return heaviest === 0 || width(kept) < terminal.err.columns() ? kept : squeeze(kept.filter(([, weight]) => weight !== heaviest));
  };
  return squeeze(parts.filter(([text]) => text !== "")).map(([text, , shown]) => shown(text)).join("  ");
}, drawProgress = (run, checked, terminal) => gen(function* () {
  let begin = yield* currentTimeMillis, frame = 0, once = gen(function* () {
    let progress = yield* run.progress, elapsed = (yield* currentTimeMillis) - begin;
    terminal.err.status(
      progressLine({ name: checked.frame.name, progress, checked, elapsed, frame: frame++ }, terminal)
    );
  });
  yield* repeat(once, spaced("100 millis"));
}).pipe(ensuring(sync(() => terminal.err.status(""))));

export {
  perform,
  printing,
  drawProgress
};
