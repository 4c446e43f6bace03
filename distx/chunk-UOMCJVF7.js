import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  pauseEnd,
  schedules
} from "./chunk-NZRCZCKM.js";
import {
  withLedger
} from "./chunk-ZU3QWNBT.js";
import {
  allowCode,
  data,
  onCluster,
  out,
  profile,
  quiet,
  trust
} from "./chunk-22T4FJR7.js";
import {
  choice,
  duration,
  integer,
  optional,
  pairs,
  text,
  toggle,
  withDefault
} from "./chunk-FCWYZXNV.js";
import {
  countsOf
} from "./chunk-GA35ZNT7.js";
import {
  ScheduleRefused,
  count,
  duration as duration2,
  place,
  table
} from "./chunk-BMNGXVO7.js";
import {
  scopeOf
} from "./chunk-GNLX27JJ.js";
import {
  emphasise,
  paint
} from "./chunk-CZDJQLZL.js";
import {
  check
} from "./chunk-3BWTLUFE.js";
import {
  DefinitionInvalid,
  Schedule,
  mapping,
  needsProgram,
  nextInstants,
  parseText,
  read2 as read,
  readable,
  watchedFiles
} from "./chunk-PGOM52WJ.js";
import {
  version
} from "./chunk-XQTUQ7MU.js";
import {
  didYouMean
} from "./chunk-OH7QELJ7.js";
import {
  FileSystem,
  Path
} from "./chunk-4U3SQ3WC.js";
import {
  fileErrorReason
} from "./chunk-DUMKR6VQ.js";
import {
  decodeUnknownEither,
  encodeSync,
  formatIsoOffset,
  make,
  makeZoned,
  parseJson,
  toEpochMillis
} from "./chunk-PAQDWWDE.js";
import {
  _void,
  as2 as as,
  catchAll3 as catchAll,
  catchAllCause3 as catchAllCause,
  catchAllDefect,
  catchIf,
  catchTag,
  context2 as context,
  currentTimeMillis,
  either,
  fail5 as fail,
  flatMap5 as flatMap,
  fn,
  forEach2 as forEach,
  gen,
  logDebug,
  map9 as map2,
  mapError2 as mapError,
  option,
  orElseSucceed,
  provide2 as provide,
  succeed4 as succeed,
  sync3 as sync,
  uninterruptible2 as uninterruptible,
  zipRight3 as zipRight
} from "./chunk-JGKSI326.js";
import {
  plain
} from "./chunk-6CVURTE2.js";
import {
  isLeft,
  isRight,
  mapLeft
} from "./chunk-FWQRLSGQ.js";
import {
  getOrElse,
  getOrUndefined,
  map,
  match
} from "./chunk-ANBJACJV.js";

// src/Cli/Schedule/Options.ts
var actions = ["list", "history", "run", "pause", "resume"], targets = ["cron", "systemd", "github", "k8s"], defaultFolder = "pipelines", parameters = {
  action: optional(
    "WHAT",
    `list, history, run, pause or resume; else the folder whose pipelines are run on time; default: ${defaultFolder}.`,
    actions
  ),
  name: optional("NAME", "A pipeline by its name, or by its file; for list a folder."),
  input: pairs(
    "NAME=VALUE",
    "Gives an input to the pipelines that declare it, before schedule.inputs; as often as needed.",
    "i"
  ),
  folder: text("DIR", `Where pipelines are looked for by name; default: ${defaultFolder}.`, "f"),
  at: text(
    "INSTANT",
    "The instant that run is for: 2026-03-29T06:15 in the pipeline's time zone, or with Z or an offset; default: the last that has come."
  ),
  again: toggle("Lets run repeat an instant that was run already."),
  until: text("INSTANT", "When pause ends by itself: an instant as for --at, or a time from now like 12h."),
  print: choice("TARGET", targets, "Prints the same schedules for cron, systemd, github or k8s."),
  into: text("DIR", "Writes what --print gives into files of this folder."),
  image: withDefault(
    text("IMAGE", "The container image that --print k8s names; default: sluice with this version."),
    `sluice:${version}`
  ),
  health: integer("PORT", "Answers GET /health on this port; 0 takes a free one.", {
    minimum: 0,
    maximum: 65535
  }),
  "health-host": withDefault(
    text("HOST", "Address that --health listens on; default: 127.0.0.1, this machine only."),
    "127.0.0.1"
  ),
  grace: withDefault(
    duration("TIME", "How long runs may still take when it is told to stop; default: 30s."),
    3e4
  ),
  limit: withDefault(
    integer("N", "At most N lines of history; default: 20.", { minimum: 1, maximum: 1e4 }),
    20
  ),
  on: onCluster,
  out,
  data: data("the ledger, the engine's store and rejects"),
  profile,
  "allow-code": allowCode,
  ...trust,
  json: toggle("Prints JSON: one object for each event, or what was asked for."),
  quiet
};

// src/Schedule/Read.ts
var isCode = (name) => /\.[mc]?[jt]s$/.test(name), hasSchedule = ({ value }) => typeof value == "object" && value !== null && "schedule" in value, idle = (file) => ({
  source: { file, text: "", folder: ".", value: {}, locate: () => {
  } },
  frame: { version: 1, name: "idle", steps: [{}] },
  nodes: [],
  inputs: {},
  remembering: [],
  toStdout: [],
  warnings: []
}), declaredOf = ({ value }, inputs) => {
  let { inputs: declared } = typeof value == "object" && value !== null ? value : {};
  return typeof declared != "object" || declared === null ? {} : Object.fromEntries(Object.entries(inputs).filter(([name]) => Object.hasOwn(declared, name)));
}, checkScheduled = (source, options) => gen(function* () {
  let checked = yield* check(source, { ...options, complete: !0, scheduled: !0 });
  if (checked.toStdout.length === 0) return checked;
  let message = 'a schedule has no standard output for rows ("-"): give the path of a file';
  return yield* new DefinitionInvalid({
    file: source.file,
    mistakes: checked.toStdout.map((path) => ({ path, message, ...source.locate(path) }))
  });
}), load = (file, { allowCode: allowCode2, inputs = {}, scope, displayPath = (same) => same }) => gen(function* () {
  if (isCode(file) && !allowCode2) return idle(file);
  let source = yield* read(displayPath(file)).pipe(
    // A module without a definition, for example one that a `use` step imports.
    (found) => isCode(file) ? orElseSucceed(found, () => {
    }) : found
  );
  return source === void 0 || !hasSchedule(source) ? idle(file) : yield* checkScheduled(source, { ...scope, allowCode: allowCode2, inputs: declaredOf(source, inputs) });
}), watchedCode = (file) => gen(function* () {
  if (isCode(file)) return watchedFiles(file);
  let files = yield* FileSystem;
  if (!/\bextensions\b/.test(yield* files.readFileString(file))) return [];
  let { folder, value } = yield* read(file), { extensions } = mapping(value);
  return typeof extensions == "string" ? watchedFiles(yield* readable(extensions, folder)) : [];
}).pipe(
  // What cannot be read is reported when the definition is loaded.
  orElseSucceed(() => [])
), frozen = (record, { allowCode: allowCode2, scope }) => gen(function* () {
  let paths = yield* Path, saved = yield* parseText(record.file, paths.dirname(record.file), record.definition), current = allowCode2 && isCode(record.file) && needsProgram(saved.value) ? getOrUndefined(yield* option(read(record.file))) : void 0, source = current?.text === record.definition ? current : saved, inputs = record.inputs, { definitionHash } = record, options = { ...scope, allowCode: allowCode2, inputs, saved: !0, complete: !0, begun: !0, definitionHash };
  return { ...yield* check(source, options), inputs };
});

// src/Schedule/Definitions.ts
var decoded = decodeUnknownEither(parseJson(Schedule)), encoded = encodeSync(parseJson(Schedule)), registrationOf = (file, { frame: { name, schedule } }) => schedule && { pipeline: name, file, schedule: encoded(schedule), times: `${schedule.cron} ${schedule.timezone}` }, nothing = () => ({ added: [], removed: [] }), pipelinesPerTransaction = 200, make2 = (definitions, { ledger, schedules: schedules2 }, runner, onEvent, report) => gen(function* () {
  let changes = yield* folderChanges(definitions, runner), files = /* @__PURE__ */ new Map(), entries = /* @__PURE__ */ new Map(), pending = /* @__PURE__ */ new Set(), scanned = nothing(), duplicates = /* @__PURE__ */ new Set(), owners = () => {
    let byName = /* @__PURE__ */ new Map(), wanted = [...files].flatMap(
      ([file, checked]) => isRight(checked) && checked.right.frame.schedule !== void 0 ? [[file, checked.right.frame.name]] : []
    );
    for (let [file, name] of wanted) entries.get(name)?.file === file && byName.set(name, file);
    for (let [file, name] of wanted.sort()) byName.has(name) || byName.set(name, file);
    let before = duplicates;
    duplicates = /* @__PURE__ */ new Set();
    for (let [file, pipeline] of wanted) {
      let other = byName.get(pipeline);
      if (other === void 0 || other === file) continue;
      let key = `${file} ${pipeline}`;
      duplicates.add(key), before.has(key) || onEvent({ _tag: "Twice", pipeline, file, other });
    }
    return byName;
  }, former = (pipeline) => flatMap(
    ledger.history.runs({ pipeline, limit: 1 }),
    ([run]) => run === void 0 || runner.former === void 0 ? succeed(void 0) : runner.former(run)
  ).pipe(
    // Without it there are no notifications. Occurrences are missed all the same, and the history has the reason.
    catchAllCause((cause) => as(logDebug(cause), void 0))
  ), storedSchedules = (file, message, past, now) => past.flatMap((record) => {
    let schedule = decoded(record.schedule);
    if (record.file !== file || record.removedAt !== void 0 || isLeft(schedule)) return [];
    if (entries.has(record.pipeline)) return [];
    let { pipeline, reached } = record;
    return [
      {
        pipeline,
        file,
        schedule: schedule.right,
        checked: void 0,
        broken: message,
        reached: Math.min(reached, now)
      }
    ];
  }), register = (changed) => gen(function* () {
    let now = yield* currentTimeMillis, byName = owners(), put = (entry) => {
      entries.set(entry.pipeline, entry), scanned.added.push(entry);
    }, brokenNow = [...files].flatMap(
      ([file, checked]) => isLeft(checked) && changed.has(file) ? [[file, checked.left]] : []
    ), unknown = brokenNow.filter(([file]) => ![...entries.values()].some((entry) => entry.file === file)), past = unknown.length === 0 ? [] : yield* schedules2.list;
    for (let [file, message] of unknown)
      for (let entry of storedSchedules(file, message, past, now))
        put({ ...entry, checked: yield* former(entry.pipeline) });
    for (let [file, message] of brokenNow)
      for (let entry of entries.values())
        entry.file === file && entries.set(entry.pipeline, { ...entry, broken: message });
    let removed = [...entries.values()].filter(({ file, pipeline }) => {
      let checked = files.get(file);
      return !byName.has(pipeline) && (checked === void 0 || isRight(checked));
    });
    removed.length > 0 && (yield* schedules2.remove(removed.map(({ pipeline }) => pipeline)));
    for (let { file, pipeline } of removed)
      entries.delete(pipeline), scanned.removed.push(pipeline), onEvent({ _tag: "Removed", pipeline, file });
    let fresh = [...byName].flatMap(([pipeline, file]) => {
      let checked = files.get(file), entry = entries.get(pipeline);
      if (checked === void 0 || isLeft(checked)) return [];
      if (entry?.checked === checked.right && entry.broken === void 0) return [];
      let registration = registrationOf(file, checked.right);
      return registration === void 0 ? [] : [{ registration, checked: checked.right }];
    });
    for (let at = 0; at < fresh.length; at += pipelinesPerTransaction) {
      let some = fresh.slice(at, at + pipelinesPerTransaction), records = yield* schedules2.register(some.map(({ registration }) => registration)), byPipeline = new Map(records.map((record) => [record.pipeline, record]));
      for (let { checked, registration } of some) {
        let { file, pipeline } = registration, record = byPipeline.get(pipeline), { schedule } = checked.frame;
        record === void 0 || schedule === void 0 || (onEvent({ _tag: entries.has(pipeline) ? "Changed" : "Added", pipeline, file }), put({ pipeline, file, schedule, checked, broken: void 0, reached: record.reached }));
      }
    }
  });
  return {
    scan: gen(function* () {
      let { read: read2, removed } = yield* changes;
      for (let file of removed) files.delete(file);
      for (let { checked, file } of read2) {
        let before = files.get(file);
        files.set(file, checked), isLeft(checked) && !(before !== void 0 && isLeft(before) && before.left === checked.left) && onEvent({ _tag: "Broken", file, message: checked.left });
      }
      pending = /* @__PURE__ */ new Set([...pending, ...removed, ...read2.map(({ file }) => file)]), pending.size > 0 && (yield* mapError(register(pending), ({ message }) => message)), pending = /* @__PURE__ */ new Set(), report(void 0);
    }).pipe(
      catchAll((message) => sync(() => report(message))),
      zipRight(
        sync(() => {
          let found = scanned;
          return scanned = nothing(), found;
        })
      ),
      uninterruptible
    ),
    find: (pipeline) => entries.get(pipeline),
    all: () => [...entries.values()],
    advance: (pipeline, reached) => {
      let entry = entries.get(pipeline);
      if (entry === void 0) return;
      let advanced = reached > entry.reached ? { ...entry, reached } : entry;
      return entries.set(pipeline, advanced), advanced;
    },
    snapshot: (pipeline) => {
      let entry = entries.get(pipeline);
      return entry && { checked: entry.checked, file: entry.file, schedule: entry.schedule };
    },
    definition: (pipeline) => entries.get(pipeline)?.checked,
    broken: () => [...files].flatMap(([file, checked]) => isLeft(checked) ? [{ file, message: checked.left }] : [])
  };
}), isDefinition = (name, code) => (/\.(ya?ml|json)$/.test(name) || code && isCode(name)) && !/^[._]|\.(test|spec|d|lock|schema)\.\w+$/.test(name), internalError = (file) => (defect) => fail({ message: `${file}: a fault of sluice: ${String(defect)}` }), statConcurrency = 16, stampText = ({ ino, mtime, size, type }) => type === "File" ? `${match(mtime, { onNone: () => 0, onSome: (date) => date.getTime() })} ${size} ${getOrElse(ino, () => 0)}` : missing, missing = "missing", folderChanges = (folder, runner) => gen(function* () {
  let context2 = yield* context(), files = yield* FileSystem, paths = yield* Path, home = paths.resolve(folder), stamps = /* @__PURE__ */ new Map(), code = /* @__PURE__ */ new Map(), stampOf = (file) => files.stat(file).pipe(
    map2(stampText),
    // A file that cannot be read counts as unchanged.
    catchAll(
      (error) => succeed(
        error._tag === "SystemError" && error.reason === "NotFound" ? missing : stamps.get(file) ?? "unseen"
      )
    )
  ), stampsOf = (all) => map2(
    forEach(new Set(all), (file) => map2(stampOf(file), (stamp) => [file, stamp]), {
      concurrency: statConcurrency
    }),
    (pairs2) => new Map(pairs2)
  ), load3 = (file) => map2(
    // A defect in one file must not affect the others.
    either(catchAllDefect(runner.load(file), internalError(file))),
    (checked) => ({ file, checked: mapLeft(checked, ({ message }) => message) })
  );
  return gen(function* () {
    let found = (yield* mapError(files.readDirectory(home), ({ message }) => message)).filter((name) => isDefinition(name, !0)).sort().map((name) => paths.join(home, name)), now = yield* stampsOf([...found, ...[...code.values()].flat()]), present = found.filter((file) => now.get(file) !== missing), changed = present.filter(
      (file) => [file, ...code.get(file) ?? []].some((each) => stamps.get(each) !== now.get(each))
    );
    for (let file of changed) code.set(file, yield* watchedCode(file));
    let added = yield* stampsOf(changed.flatMap((file) => code.get(file) ?? []).filter((file) => !now.has(file))), read2 = yield* forEach(changed, load3), removed = [...code.keys()].filter((file) => !present.includes(file));
    for (let file of removed) code.delete(file);
    return stamps = new Map([...now, ...added]), { read: read2, removed };
  }).pipe(provide(context2));
});

// src/Cli/Schedule/Definitions.ts
var isFile = (name) => /\.([cm]?[jt]s|ya?ml|json)$/.test(name) || /[/\\]/.test(name), ensureDeclared = (inputs, { broken, scheduled }) => {
  let known = [...new Set(scheduled.flatMap(({ checked }) => Object.keys(checked.frame.inputs ?? {})))], stray = broken.length > 0 ? void 0 : Object.keys(inputs).find((name) => !known.includes(name));
  if (stray === void 0) return _void;
  let hint = didYouMean(stray, known) || (known.length === 0 ? "" : `: there are ${known.join(", ")}`);
  return new ScheduleRefused({ reason: `--input ${stray}: no pipeline with a schedule has such an input${hint}` });
}, load2 = fn("Schedule.load")(function* (file, { env, inputs = {}, strange = !1 }) {
  let paths = yield* Path, source = yield* read(file);
  if (!hasSchedule(source)) return;
  let own = scopeOf(env), secrets = strange ? (name2) => own.secrets(name2) ?? make(`https://${name2}.invalid`) : own.secrets, given = declaredOf(source, inputs), checked = yield* checkScheduled(source, { ...own, secrets, inputs: given }), { name, schedule } = checked.frame;
  return schedule === void 0 ? void 0 : { name, file: paths.resolve(file), checked, schedule };
}), apart = ({ broken, scheduled }) => {
  let twice = scheduled.filter(({ name }, index) => scheduled.findIndex((other) => other.name === name) !== index);
  return {
    scheduled: scheduled.filter((each) => !twice.includes(each)),
    broken: [
      ...broken,
      ...twice.map(({ checked, name }) => {
        let message = `${scheduled.find((other) => other.name === name)?.checked.source.file ?? ""} is called ${name} too: give one of them another name`, place2 = checked.source.locate(["name"]);
        return new DefinitionInvalid({ file: checked.source.file, mistakes: [{ path: ["name"], message, ...place2 }] });
      })
    ]
  };
}, filesOf = fn("Schedule.files")(function* (place2, code) {
  let files = yield* FileSystem, paths = yield* Path, info = yield* option(files.stat(place2));
  if (info._tag === "None") {
    let todo = place2 === defaultFolder ? "name another, or make a first pipeline by sluice init" : "name the folder of pipelines";
    return yield* new ScheduleRefused({
      reason: `there is no folder ${place2}${didYouMean(place2, actions) || `: ${todo}`}`
    });
  }
  return info.value.type !== "Directory" ? { isFolder: !1, names: [place2] } : { isFolder: !0, names: (yield* mapError(
    files.readDirectory(place2),
    (error) => new ScheduleRefused({ reason: `${place2} cannot be read: ${fileErrorReason(error)}` })
  )).filter((each) => isDefinition(each, code)).sort().map((each) => paths.join(place2, each)) };
}), find = fn("Schedule.find")(function* (place2, where) {
  let { isFolder, names } = yield* filesOf(place2, where.code), loaded = yield* forEach(
    names,
    (name) => load2(name, where).pipe(
      // A module that steps use lies beside the definitions that use it.
      catchIf(
        () => isFolder && isCode(name),
        () => succeed(void 0)
      ),
      either
    )
  );
  return apart({
    scheduled: loaded.flatMap((each) => each._tag === "Right" && each.right !== void 0 ? [each.right] : []),
    broken: loaded.flatMap((each) => each._tag === "Left" ? [each.left] : [])
  });
}), one = fn("Schedule.one")(function* (named, { action, folder }, where) {
  if (named === void 0)
    return yield* new ScheduleRefused({ reason: `NAME is missing: sluice schedule ${action} NAME` });
  if (isFile(named)) {
    let found2 = yield* load2(named, where);
    return found2 !== void 0 && (yield* ensureDeclared(where.inputs ?? {}, { scheduled: [found2], broken: [] })), found2 ?? (yield* new ScheduleRefused({ reason: `${named} has no schedule: write one into it` }));
  }
  let { broken, scheduled } = yield* find(folder, where), found = scheduled.find(({ name }) => name === named);
  if (found !== void 0)
    return yield* ensureDeclared(where.inputs ?? {}, { scheduled: [found], broken: [] }), found;
  let names = scheduled.map(({ name }) => name), known = names.length === 0 ? "" : `: there are ${names.join(", ")}`, others = broken.length === 0 ? "" : `; ${broken.map(({ file }) => file).join(", ")} cannot be read`;
  return yield* new ScheduleRefused({
    reason: `no pipeline in ${folder} with a schedule is called ${named}${didYouMean(named, names) || known}${others}`
  });
});

// src/Cli/Schedule/Time.ts
var local = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2}))?)?$/, absolute = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})$/i, span = /^(\d+)(m|h|d)$/, units = { m: 6e4, h: 36e5, d: 864e5 }, isDay = (date) => {
  let made = /* @__PURE__ */ new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(made.getTime()) && made.toISOString().startsWith(date);
}, parse = (text2, timezone) => {
  let [, date, time = "00:00", seconds = "00"] = local.exec(text2.trim()) ?? [];
  if (date !== void 0) {
    if (!isDay(date)) return;
    let zoned = makeZoned(`${date}T${time}:${seconds}Z`, { timeZone: timezone, adjustForTimeZone: !0 });
    return getOrUndefined(map(zoned, toEpochMillis));
  }
  if (!absolute.test(text2.trim()) || !isDay(text2.trim().slice(0, 10))) return;
  let instant = Date.parse(text2.trim().replace(" ", "T"));
  return Number.isNaN(instant) ? void 0 : instant;
}, parseUntil = (text2, timezone, now) => {
  let [, size, unit] = span.exec(text2.trim()) ?? [];
  return size === void 0 ? parse(text2, timezone) : now + Number(size) * units[unit];
}, expected = "write 2026-03-29T06:15 for the pipeline's time zone, or 2026-03-29T04:15Z or 2026-03-29T06:15+02:00", show = (instant, timezone) => match(makeZoned(instant, { timeZone: timezone }), {
  onNone: () => new Date(instant).toISOString(),
  onSome: (zoned) => {
    let [date, time = ""] = formatIsoOffset(zoned).split("T");
    return `${date} ${instant % 6e4 === 0 ? time.slice(0, 5) : time.slice(0, 8)}`;
  }
}), distance = (instant, now) => {
  let seconds = Math.round(Math.abs(instant - now) / 1e3), text2 = seconds < 90 ? `${seconds} s` : seconds < 5400 ? `${Math.round(seconds / 60)} min` : seconds < 36 * 3600 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86400)} d`;
  return instant >= now ? `in ${text2}` : `${text2} ago`;
};

// src/Cli/Schedule/News.ts
var zoneOf = (checked) => checked?.frame.schedule?.timezone ?? "UTC", isBad = (status) => status === "failed" || status === "budget" || status === "missed", oneLine = (text2) => plain(text2).replace(/\s*\n\s*/g, " ").trim(), brokenText = (message, channel) => {
  let dye = paint(channel);
  return message.split(`
`).filter((line2) => !/^\d+ mistakes? in /.test(line2)).map((line2) => `${dye.red("broken:")} ${emphasise(line2, dye)}`).join(`
`);
}, overText = (record, { summary }) => {
  let { attempt, reason, runId } = record, counts = runId === void 0 ? void 0 : summary(runId), tries = attempt > 1 ? ` at the ${attempt}. attempt` : "", done = counts === void 0 ? "" : `: ${countsOf(counts)} in ${duration2(counts.durationMs)}`, why = reason === void 0 ? "" : `: ${oneLine(reason)}`, look = runId === void 0 || !isBad(record.status) ? "" : `; sluice show ${runId}`;
  return `${tries}${record.status === "completed" ? done : why}${look}`;
}, line = (news, known, channel) => {
  let dye = paint(channel), at = (pipeline, instant) => `${dye.bold(pipeline)} ${show(instant, zoneOf(known.definition(pipeline)))}`;
  switch (news._tag) {
    case "Added":
    case "Changed": {
      let checked = known.definition(news.pipeline), next = known.next(news.pipeline), when = next === void 0 ? "no next instant" : `next ${show(next, zoneOf(checked))} (${distance(next, known.now)})`, times = `${checked?.frame.schedule?.cron ?? ""} ${zoneOf(checked)}`, changed = news._tag === "Changed" ? " changed" : "";
      return { text: `${dye.bold(news.pipeline)}${changed}: ${times}, ${when}`, bad: !1 };
    }
    case "Removed":
      return { text: `${dye.bold(news.pipeline)} is no longer there: ${place(news.file)}`, bad: !1 };
    case "Broken":
      return { text: brokenText(news.message, channel), bad: !0 };
    case "Twice": {
      let both = `${place(news.file)} is left alone, because ${place(news.other)} is called ${news.pipeline} too`;
      return { text: `${dye.yellow("warning:")} ${both}`, bad: !0 };
    }
    case "Began":
      return { text: `${at(news.pipeline, news.instant)} ${dye.dim(`began: run ${news.runId}`)}`, bad: !1 };
    case "Over": {
      let { record } = news, { instant, pipeline, status } = record, colour = status === "completed" ? dye.green : isBad(status) ? dye.red : dye.yellow, text2 = `${at(pipeline, instant)} ${colour(status)}${overText(record, known)}`;
      return isBad(status) ? { text: text2, bad: !0, level: "error" } : { text: text2, bad: !1 };
    }
    case "Retrying": {
      let wait = distance(news.nextAt, known.now);
      return { text: `${at(news.pipeline, news.instant)} ${dye.yellow("failed")}: ${oneLine(news.reason)}; tried again ${wait}`, bad: !0, level: "warning" };
    }
    case "Trouble":
      return { text: `${dye.yellow("warning:")} ${oneLine(news.message)}`, bad: !0 };
  }
}, iso = (millis) => millis === void 0 ? void 0 : new Date(millis).toISOString(), instantObject = (record) => ({
  pipeline: record.pipeline,
  instant: iso(record.instant),
  status: record.status,
  reason: record.reason,
  run: record.runId,
  attempt: record.attempt,
  cause: record.cause,
  begunAt: iso(record.begunAt),
  nextAt: iso(record.nextAt),
  endedAt: iso(record.endedAt)
}), object = (news, known) => {
  let head = { event: news._tag.toLowerCase(), at: iso(known.now) };
  switch (news._tag) {
    case "Added":
    case "Changed":
      return { ...head, pipeline: news.pipeline, file: news.file, next: iso(known.next(news.pipeline)) };
    case "Over": {
      let { record } = news, summary = record.runId === void 0 ? void 0 : known.summary(record.runId), counts = summary && {
        rows: summary.rows,
        rejects: summary.rejects,
        credits: summary.credits,
        durationMs: summary.durationMs
      };
      return { ...head, ...instantObject(record), ...counts };
    }
    case "Began":
      return { ...head, pipeline: news.pipeline, instant: iso(news.instant), run: news.runId };
    case "Retrying":
      return {
        ...head,
        pipeline: news.pipeline,
        instant: iso(news.instant),
        reason: news.reason,
        nextAt: iso(news.nextAt)
      };
    default: {
      let { _tag, ...rest } = news;
      return { ...head, ...rest };
    }
  }
};

// src/Cli/Schedule/List.ts
var several = (instants, timezone) => {
  let day = "";
  return instants.map((instant) => {
    let text2 = show(instant, timezone), [date = "", time = ""] = text2.split(" ");
    return date === day ? time : (day = date, text2);
  }).join(", ");
}, iso2 = (millis) => millis === void 0 ? null : new Date(millis).toISOString(), objectOf = (entry, now) => {
  let { checked, failures, file, going, last, lastCompleted, name, next, record, schedule } = entry, paused = isPaused(entry, now);
  return {
    pipeline: name,
    file,
    cron: schedule.cron,
    timezone: schedule.timezone,
    inputs: checked.inputs,
    next: next.map(iso2),
    paused,
    pausedUntil: paused ? iso2(pauseEnd(record?.pausedWhy)) : null,
    running: going === void 0 ? null : instantObject(going),
    last: last === void 0 ? null : instantObject(last),
    lastCompleted: iso2(lastCompleted?.instant),
    failuresInARow: failures
  };
}, lastText = ({ going, last, schedule }, now) => {
  let at = (record) => `${show(record.instant, schedule.timezone)} (${distance(record.instant, now)})`;
  return going !== void 0 ? `${going.status} ${at(going)}` : last === void 0 ? "\u2013" : `${last.status} ${at(last)}`;
}, nextText = (entry, now) => {
  let { next, record, schedule } = entry;
  if (!isPaused(entry, now)) return next.length === 0 ? "never" : several(next, schedule.timezone);
  let until = pauseEnd(record?.pausedWhy);
  return until === void 0 ? "paused" : `paused until ${show(until, schedule.timezone)}`;
}, trouble = ({ failures, last, lastCompleted, name, schedule }, { out: out2 }) => {
  if (last === void 0 || !isBad(last.status)) return [];
  let dye = paint(out2), many = `${count(failures, "instant")}${failures >= depth ? " or more" : ""}`, often = failures > 1 ? `, ${many} in a row` : "", well = lastCompleted === void 0 ? "none was completed before" : `the last that was completed is ${show(lastCompleted.instant, schedule.timezone)}`, why = last.reason === void 0 ? [] : [`  ${plain(last.reason).replace(/\s*\n\s*/g, " ")}`], run = last.runId === void 0 ? "" : `; its run is sluice show ${last.runId}`;
  return [
    "",
    `${dye.red("\u2716")} ${dye.bold(name)} ${last.status} for ${show(last.instant, schedule.timezone)}${often}; ${well}`,
    ...why,
    dye.dim(`  all of it: sluice schedule history ${name}${run}`)
  ];
}, render = (entries, now, terminal) => `${[...table(
  [["pipeline"], ["schedule"], ["next"], ["last"]],
  entries.map((entry) => [
    entry.name,
    `${entry.schedule.cron} ${entry.schedule.timezone}`,
    nextText(entry, now),
    lastText(entry, now)
  ]),
  terminal.out
), ...entries.flatMap((entry) => trouble(entry, terminal))].join(`
`)}
`, nobody = `nobody runs them now: sluice schedule does, or another scheduler by --print
`, program = (options, terminal) => gen(function* () {
  let folder = options.name ?? options.folder ?? defaultFolder, now = yield* currentTimeMillis, { broken, entries, isServed } = yield* schedulesIn(folder, options, terminal);
  if (options.json) {
    let invalid = broken.map(({ file, mistakes }) => ({
      file,
      broken: mistakes.map(({ column, line: line2, message }) => ({ line: line2, column, message }))
    })), objects = [...entries.map((entry) => objectOf(entry, now)), ...invalid];
    return void terminal.out.write(`${JSON.stringify(objects, void 0, 2)}
`);
  }
  entries.length > 0 ? terminal.out.write(render(entries, now, terminal)) : terminal.err.write(`no pipeline in ${place(folder)} has a schedule
`);
  for (let { message } of broken) terminal.err.write(`${brokenText(message, terminal.err)}
`);
  entries.length > 0 && !isServed && terminal.err.write(nobody);
}), depth = 100, none = { record: void 0, last: void 0, going: void 0, failures: 0, lastCompleted: void 0 }, isOver = ({ status }) => !["waiting", "running", "retrying"].includes(status), pastOf = (record, instants) => {
  let over = instants.filter((each) => isOver(each) && each.status !== "skipped" && each.status !== "replaced"), well = over.findIndex(({ status }) => status === "completed");
  return {
    record,
    last: over[0],
    going: instants.find(({ status }) => status === "running" || status === "retrying"),
    failures: (well === -1 ? over : over.slice(0, well)).filter(({ status }) => isBad(status)).length,
    lastCompleted: over[well]
  };
}, remember = (names) => gen(function* () {
  let schedules2 = yield* schedules, records = yield* schedules2.list, pasts = yield* forEach(
    names,
    (pipeline) => map2(schedules2.occurrences({ pipeline, limit: depth }), (instants) => {
      let record = records.find((each) => each.pipeline === pipeline);
      return [pipeline, pastOf(record, instants)];
    })
  ), isServed = (yield* schedules2.leaseHolders).size > 0, isElsewhere = pasts.some(([, { last }]) => last?.cause === "hand");
  return { pasts: new Map(pasts), isServed: isServed || isElsewhere };
}), isPaused = ({ record }, now) => record?.pausedAt !== void 0 && (pauseEnd(record.pausedWhy) ?? Number.POSITIVE_INFINITY) > now, schedulesIn = (folder, options, terminal) => gen(function* () {
  let { input: inputs = {} } = options, where = { env: terminal.env, code: options["allow-code"] === !0, inputs }, { broken, scheduled } = yield* find(folder, where);
  yield* ensureDeclared(inputs, { broken, scheduled });
  let now = yield* currentTimeMillis, { isServed, pasts } = yield* withLedger(options, terminal, remember(scheduled.map(({ name }) => name))).pipe(
    catchTag("NothingYet", () => succeed({ pasts: /* @__PURE__ */ new Map(), isServed: !1 }))
  );
  return { entries: scheduled.map((each) => {
    let next = nextInstants(each.schedule, now, 3);
    return { ...each, ...pasts.get(each.name) ?? none, next };
  }), broken, isServed };
});

export {
  declaredOf,
  load,
  frozen,
  registrationOf,
  make2 as make,
  actions,
  defaultFolder,
  parameters,
  ensureDeclared,
  filesOf,
  find,
  one,
  parse,
  parseUntil,
  expected,
  show,
  distance,
  isBad,
  brokenText,
  line,
  instantObject,
  object,
  program,
  schedulesIn
};
