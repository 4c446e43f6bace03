import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  filesOf,
  isTestFile,
  loadRows,
  mapTexts,
  permissionsOf,
  read,
  read2,
  replay
} from "./chunk-MBYJEWL6.js";
import "./chunk-ZDDOVD4E.js";
import {
  allowCode,
  trust
} from "./chunk-22T4FJR7.js";
import {
  choice,
  make,
  several,
  text,
  toggle
} from "./chunk-FCWYZXNV.js";
import "./chunk-DES4FB63.js";
import {
  FileUnusable,
  MistakesFound,
  count,
  duration,
  place
} from "./chunk-BMNGXVO7.js";
import "./chunk-GT42FSL6.js";
import {
  emphasise,
  paint
} from "./chunk-CZDJQLZL.js";
import "./chunk-Y3UV4EDE.js";
import {
  canonical,
  differences,
  subsetDifferences
} from "./chunk-GLBPH2CN.js";
import "./chunk-A5EW3TIO.js";
import "./chunk-2FKDIRWL.js";
import "./chunk-MWBF4OAJ.js";
import "./chunk-6B7FEELY.js";
import "./chunk-3BWTLUFE.js";
import "./chunk-NHAMPOKL.js";
import "./chunk-LO3OT3SC.js";
import "./chunk-OWXHLDRW.js";
import {
  withMinimumLogLevel
} from "./chunk-TDODX2FN.js";
import {
  DefinitionInvalid,
  Permissions,
  require_dist,
  truthy
} from "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import {
  didYouMean
} from "./chunk-OH7QELJ7.js";
import "./chunk-NEXSCO5F.js";
import "./chunk-P7YG24CI.js";
import "./chunk-4LLCRAKX.js";
import "./chunk-F63MDLXW.js";
import "./chunk-3IJJA3UF.js";
import "./chunk-L2IO7ZT7.js";
import "./chunk-7DF5MID3.js";
import {
  FileSystem,
  Path,
  keyOf
} from "./chunk-4U3SQ3WC.js";
import {
  ExitCode,
  fileErrorReason
} from "./chunk-DUMKR6VQ.js";
import {
  TaggedError
} from "./chunk-PAQDWWDE.js";
import {
  None,
  catchAll3 as catchAll,
  catchTag,
  currentTimeMillis,
  either,
  flatMap5 as flatMap,
  fn,
  forEach2 as forEach,
  gen,
  map9 as map,
  mapError2 as mapError,
  orElseSucceed,
  partition,
  promise,
  provideServiceEffect,
  succeed4 as succeed,
  zipRight3 as zipRight
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import {
  getOrElse,
  isLeft,
  isRight,
  try_
} from "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import {
  __toESM
} from "./chunk-E2DHRGUQ.js";

// src/Run/Test/Assertions.ts
import { gunzipSync } from "node:zlib";
var firstDifference = (expected, actual) => {
  let [left, right] = [expected.split(`
`), actual.split(`
`)], found = left.findIndex((line, index) => line !== right[index]), at = found === -1 ? left.length : found, spell2 = (line) => line === void 0 ? "its end" : JSON.stringify(line);
  return `line ${at + 1}: expected ${spell2(left[at])}, got ${spell2(right[at])}`;
}, textOf = (content, name) => {
  let bytes = Buffer.from(content);
  return name.endsWith(".gz") ? getOrElse(
    try_(() => gunzipSync(bytes)),
    () => bytes
  ).toString() : bytes.toString();
}, judgeContent = ({ equals: file, order }, written, {
  folder,
  judged,
  show: show2
}) => gen(function* () {
  let files = yield* FileSystem, path = (yield* Path).resolve(folder, file), expected = yield* either(files.readFile(path)), actual = show2(textOf(written.content, written.path));
  if (isLeft(expected))
    return [{ path: ["equals"], message: `cannot read ${file}: --update writes it as the output is now`, actual }];
  let wanted = textOf(expected.right, file);
  if (wanted === actual) return [];
  let rows = yield* either(loadRows(file, folder));
  if (isRight(rows) && typeof written.rows != "string") {
    let failures = judgeEquals(rows.right, order, judged);
    if (failures.length > 0 || order === "any") return failures.map((failure) => ({ ...failure, actual }));
  }
  let message = `${written.path} is not ${file}: ${firstDifference(wanted, actual)}`;
  return [{ path: ["equals"], message, actual }];
}), mostCells = 4e6, mostPairs = 25e4, common = (a, b) => {
  let width2 = b.length + 1, best = new Uint32Array((a.length + 1) * width2), at = (i, j) => best[i * width2 + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      best[i * width2 + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  let pairs = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; )
    a[i] === b[j] ? pairs.push([i++, j++]) : at(i + 1, j) >= at(i, j + 1) ? i++ : j++;
  return pairs;
}, alike = (a, b) => typeof a != "object" || a === null || typeof b != "object" || b === null ? 0 : Object.entries(a).filter(([key, value]) => canonical(value) === canonical(b[key])).length, gap = (expected, actual, from, to) => {
  let found = [], [i, j] = from;
  for (; i < to[0] && j < to[1]; ) {
    let left = [to[0] - i, to[1] - j], skipsActual = left[1] > left[0] && alike(expected[i], actual[j]) < alike(expected[i], actual[j + 1]), skipsExpected = left[0] > left[1] && alike(expected[i], actual[j]) < alike(expected[i + 1], actual[j]);
    skipsActual ? found.push({ kind: "extra", row: j + 1, value: actual[j++] }) : skipsExpected ? found.push({ kind: "missing", row: i + 1, value: expected[i++] }) : found.push({ kind: "changed", row: j + 1, differences: differences(expected[i++], actual[j++]) });
  }
  for (; i < to[0]; ) found.push({ kind: "missing", row: i + 1, value: expected[i++] });
  for (; j < to[1]; ) found.push({ kind: "extra", row: j + 1, value: actual[j++] });
  return found;
}, align = (expected, actual) => {
  let ends = [...expected.length * actual.length > mostCells ? [] : common(expected.map(canonical), actual.map(canonical)), [expected.length, actual.length]], found = [], from = [0, 0];
  for (let [i, j] of ends)
    found.push(...gap(expected, actual, from, [i, j])), from = [i + 1, j + 1];
  return found.filter((each) => each.kind !== "changed" || each.differences.length > 0);
}, match = (expected, actual) => {
  let free = /* @__PURE__ */ new Map();
  for (let [index, value] of actual.entries()) {
    let key = canonical(value), known = free.get(key);
    known === void 0 ? free.set(key, [index]) : known.push(index);
  }
  let unmet = [];
  for (let [index, value] of expected.entries())
    free.get(canonical(value))?.shift() === void 0 && unmet.push(index);
  let left = [...free.values()].flat().sort((a, b) => a - b), found = [], isTooMuch = unmet.length * left.length > mostPairs;
  for (let index of unmet) {
    let likely = isTooMuch ? left[0] : left.map((each) => ({ each, same: alike(expected[index], actual[each]) })).filter(({ same }) => same > 0).sort((a, b) => b.same - a.same || a.each - b.each)[0]?.each;
    if (likely === void 0) {
      found.push({ kind: "missing", row: index + 1, value: expected[index] });
      continue;
    }
    left.splice(left.indexOf(likely), 1), found.push({ kind: "changed", row: likely + 1, differences: differences(expected[index], actual[likely]) });
  }
  return [...found, ...left.map((row) => ({ kind: "extra", row: row + 1, value: actual[row] }))];
}, showing = ({ runId, site }) => (text2) => (site === void 0 ? text2 : text2.replaceAll(site, "{site}")).replaceAll(runId, "{runId}"), pathOf = (named, { now }) => named.replaceAll("{date}", now.toISOString().slice(0, 10)).replace(/^\.\//, ""), below = (path, failures) => failures.map((failure) => ({ ...failure, path: [...path, ...failure.path] })), judge = (test, played, folder) => gen(function* () {
  let { expect, now } = test, failures = [], fail = (path, message) => failures.push({ path: ["expect", ...path], message }), status = expect.status ?? (expect.error === void 0 ? "completed" : "failed");
  if (played.status !== status) {
    let why = played.error === void 0 ? "" : `: ${played.error}`;
    return fail(
      expect.status === void 0 && expect.error !== void 0 ? ["error"] : ["status"],
      `expected a run that is ${status}, it is ${played.status}${why}`
    ), failures;
  }
  expect.error !== void 0 && played.error?.includes(expect.error) !== !0 && fail(["error"], `the message does not contain ${JSON.stringify(expect.error)}: ${played.error ?? ""}`);
  let show2 = showing(played), run2 = {
    id: played.runId,
    site: played.site,
    startedAt: now.toISOString(),
    date: now.toISOString().slice(0, 10)
  }, judged = (name, rows, names) => ({
    name,
    rows,
    shown: rows.map((row) => mapTexts(row, show2)),
    bindings: (index) => ({ names: { ...names(index), run: run2, inputs: played.inputs }, now })
  }), equalsOf = ({ equals }, path, { shown }) => equals === void 0 ? succeed(void 0) : catchAll(loadRows(equals, folder), (reason) => {
    let message = `${reason}: --update writes it as the rows are now`;
    return failures.push({ path: ["expect", ...path, "equals"], message, actual: shown }), succeed(void 0);
  });
  for (let [id, expected] of Object.entries(expect.rows ?? {})) {
    let rows = played.rows.get(id) ?? [], all = judged(
      `rows of ${id}`,
      rows.map(({ data }) => data),
      (index) => {
        let row = rows[index];
        return row === void 0 ? {} : { key: keyOf(row), source: row.source };
      }
    ), path = ["rows", id], equals = yield* equalsOf(expected, path, all);
    failures.push(...below(["expect", ...path], yield* judgeRows(expected, all, equals)));
  }
  for (let [named, expected] of Object.entries(expect.outputs ?? {})) {
    let path = ["outputs", named], paths = played.outputs.map((each) => show2(each.path)), written = played.outputs[paths.indexOf(pathOf(named, test))];
    if (written === void 0) {
      let hint = didYouMean(named, paths) || (paths.length > 0 ? `: there are ${paths.join(", ")}` : ": there is none at all");
      fail(path, `there is no output ${named}${hint}`);
      continue;
    }
    let rows = typeof written.rows == "string" ? [] : written.rows, all = judged(named, rows, () => ({}));
    if (typeof written.rows == "string" && Object.keys(expected).some((key) => key !== "equals")) {
      fail(path, `its rows cannot be read: ${written.rows}`);
      continue;
    }
    let { equals, order } = expected, isFile = typeof equals == "string";
    failures.push(
      ...below(
        ["expect", ...path],
        [
          ...isFile ? yield* judgeContent({ equals, order }, written, { folder, judged: all, show: show2 }) : [],
          ...yield* judgeRows(expected, all, isFile ? void 0 : equals)
        ]
      )
    );
  }
  if (expect.rejects !== void 0) {
    let all = judged("the rejects", played.rejects, () => ({})), equals = yield* equalsOf(expect.rejects, ["rejects"], all);
    failures.push(...below(["expect", "rejects"], yield* judgeRows(expect.rejects, all, equals)));
  } else if (status === "completed" && played.rejects.length > 0) {
    let [first] = played.rejects, many = played.rejects.length === 1 ? "a row was" : `${played.rejects.length} rows were`;
    fail([], `${many} rejected, by ${first?.step}: ${first?.message}; if that is right, expect it under rejects`);
  }
  return expect.credits !== void 0 && failures.push(...judgeValue(["expect", "credits"], expect.credits, played.credits)), failures;
}), plural = (count2) => `${count2} ${count2 === 1 ? "row" : "rows"}`, describeCount = (count2) => {
  if (typeof count2 == "number") return plural(count2);
  let { max, min } = count2;
  return max === void 0 ? `at least ${plural(min ?? 0)}` : min === void 0 ? `at most ${plural(max)}` : `${min} to ${plural(max)}`;
}, fits = (count2, length) => typeof count2 == "number" ? length === count2 : length >= (count2.min ?? 0) && length <= (count2.max ?? Number.POSITIVE_INFINITY), list = (rows) => `${rows.length === 1 ? "row" : "rows"} ${rows.slice(0, 5).join(", ")}${rows.length > 5 ? `, and ${rows.length - 5} more` : ""}`, judgeEach = (expression, { bindings, rows }) => map(
  expression.evaluateChunk(rows, bindings),
  (values) => values.map((value) => isRight(value) ? truthy(value.right) : value.left.message)
), judgePredicates = (expected, judged) => gen(function* () {
  let failures = [], fail = (key, message) => failures.push({ path: [key], message }), all = judged.rows.length;
  for (let key of ["every", "some", "none"])
    for (let expression of expected[key] ?? []) {
      let results = yield* judgeEach(expression, judged), broken = results.find((each) => typeof each == "string"), rowsThat = (wanted) => results.flatMap((each, index) => each === wanted ? [index + 1] : []), text2 = expression.source.trim();
      broken !== void 0 ? fail(key, `\`${text2}\` fails: ${broken}`) : key !== "none" && all === 0 ? fail(key, `\`${text2}\`: there are no rows`) : key === "some" && rowsThat(!0).length === 0 ? fail(key, `\`${text2}\` is true for none of ${plural(all)}`) : key === "every" && rowsThat(!1).length > 0 ? fail(key, `\`${text2}\` is not true for ${list(rowsThat(!1))}`) : key === "none" && rowsThat(!0).length > 0 && fail(key, `\`${text2}\` is true for ${list(rowsThat(!0))}`);
    }
  for (let expression of expected.list ?? []) {
    let value = yield* either(expression.evaluate(judged.rows, judged.bindings(-1))), text2 = expression.source.trim();
    isLeft(value) ? fail("list", `\`${text2}\` fails: ${value.left.message}`) : truthy(value.right) || fail("list", `\`${text2}\` is not true: ${JSON.stringify(value.right) ?? "nothing"}`);
  }
  return failures;
}), judgeParts = (parts, { name, shown }) => parts.flatMap((part, index) => {
  let [nearest] = shown.map((row, at) => ({ row: at + 1, differences: subsetDifferences(part, row) })).sort((a, b) => a.differences.length - b.differences.length);
  if (nearest?.differences.length === 0) return [];
  let message = `no row has all of ${JSON.stringify(part)}`;
  return [
    nearest === void 0 ? { path: ["contains", index], message: `${message}: ${name} ${name.startsWith("rows") ? "are" : "is"} empty` } : {
      path: ["contains", index],
      message: `${message}; the nearest:`,
      deviations: [{ kind: "changed", ...nearest }]
    }
  ];
}), judgeFields = (fields, { shown }) => {
  if (shown.length === 0) return [{ path: ["fields"], message: "there are no rows" }];
  let wanted = new Set(fields), wrong = shown.flatMap((row, index) => {
    let keys = new Set(Object.keys(row ?? {})), missing = fields.filter((field) => !keys.has(field)), extra = [...keys].filter((key) => !wanted.has(key));
    return missing.length + extra.length === 0 ? [] : [{ row: index + 1, missing, extra }];
  }), [first] = wrong;
  if (first === void 0) return [];
  let parts = [
    ...first.missing.length === 0 ? [] : [`subsetDifferences ${first.missing.join(", ")}`],
    ...first.extra.length === 0 ? [] : [`also has ${first.extra.join(", ")}`]
  ], others = wrong.length > 1 ? `; so do ${wrong.length - 1} others, or the like` : "";
  return [{ path: ["fields"], message: `row ${first.row} ${parts.join(" and ")}${others}` }];
}, judgeEquals = (expected, order, { name, shown }) => {
  let deviations = order === "any" ? match(expected, shown) : align(expected, shown);
  if (deviations.length === 0) return [];
  let message = order !== "any" && match(expected, shown).length === 0 ? `${name}: the rows are those expected, in another order; say \`order: any\` if that is fine` : `${name}: ${deviations.length === 1 ? "one row is" : `${deviations.length} rows are`} not as expected`;
  return [{ path: ["equals"], message, deviations, actual: shown }];
}, judgeRows = (expected, judged, equals) => map(judgePredicates(expected, judged), (predicates) => {
  let { contains = [], count: count2, fields, order } = expected, { length } = judged.rows;
  return [
    ...count2 === void 0 || fits(count2, length) ? [] : [{ path: ["count"], message: `expected ${describeCount(count2)}, got ${length}` }],
    ...equals === void 0 ? [] : judgeEquals(equals, order, judged),
    ...judgeParts(contains, judged),
    ...fields === void 0 ? [] : judgeFields(fields, judged),
    ...predicates
  ];
}), judgeValue = (path, expected, actual) => differences(expected, actual).length === 0 ? [] : [{ path, message: `expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual) ?? "nothing"}` }];

// src/Cli/Test/Update.ts
import { gzipSync } from "node:zlib";
var import_yaml = __toESM(require_dist(), 1);
var spellRow = (row) => (0, import_yaml.stringify)(row, { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: !0 }).trim().replace(/\n\s*/g, " "), spellList = (rows, isFlow, indent) => isFlow || rows.length === 0 ? ` [${rows.map((row) => JSON.stringify(row)).join(", ")}]` : `
${rows.map((row) => `${indent}  - ${spellRow(row)}`).join(`
`)}`, updateText = (text2, changes) => {
  let document = (0, import_yaml.parseDocument)(text2);
  return changes.flatMap(({ actual, path }) => {
    let parent = document.getIn(path.slice(0, -1), !0);
    if (typeof actual == "string" || !(0, import_yaml.isMap)(parent)) return [];
    let pair = parent.items.find(({ key: key2 }) => (0, import_yaml.isScalar)(key2) && key2.value === path.at(-1)), key = pair !== void 0 && (0, import_yaml.isScalar)(pair.key) ? pair.key.range : void 0, value = document.getIn(path, !0);
    if (!key || !value?.range) return [];
    let from = text2.indexOf(":", key[1]) + 1, indent = " ".repeat(key[0] - (text2.lastIndexOf(`
`, key[0]) + 1)), to = from + text2.slice(from, value.range[1]).trimEnd().length;
    return [{ from, to, text: spellList(actual, parent.flow === !0, indent) }];
  }).sort((a, b) => b.from - a.from).reduce((now, { from, text: list2, to }) => now.slice(0, from) + list2 + now.slice(to), text2);
}, contentOf = (actual) => typeof actual == "string" ? actual : actual.map((row) => `${JSON.stringify(row)}
`).join(""), update = fn("Test.update")(function* (file, text2, changes) {
  let files = yield* FileSystem, paths = yield* Path, write = (path, content) => files.makeDirectory(paths.dirname(path), { recursive: !0 }).pipe(
    zipRight(files.writeFile(path, content)),
    mapError((cause) => new FileUnusable({ path, reason: fileErrorReason(cause), cause }))
  ), inside = changes.filter(({ equals }) => typeof equals != "string");
  inside.length > 0 && (yield* write(file, Buffer.from(updateText(text2, inside))));
  for (let { actual, equals } of changes) {
    if (typeof equals != "string") continue;
    let content = Buffer.from(contentOf(actual));
    yield* write(paths.resolve(paths.dirname(file), equals), equals.endsWith(".gz") ? gzipSync(content) : content);
  }
});

// src/Cli/Test/Play.ts
var most = 3, missingOf = (missing, recording, file) => {
  let how = recording === void 0 ? `give the test a recording (given: { recording: fixtures/NAME.json }), then sluice test ${file} --record` : `record again with sluice test ${file} --record`, rest = missing.length > most ? [{ path: ["given", "recording"], message: `\u2026 and ${missing.length - most} more requests` }] : [];
  return [
    ...missing.slice(0, most).map(({ message }) => ({ path: ["given", "recording"], message: `${message}; ${how}` })),
    ...rest
  ];
}, playTest = (suite, test, allowCode2) => gen(function* () {
  let { file, folder } = suite.source, recording = test.recording === void 0 ? void 0 : yield* read(test.recording);
  if (test.recording !== void 0 && recording === void 0) {
    let message = `there is no recording ${place(test.recording)}: make it with sluice test ${file} --record`;
    return [{ path: ["given", "recording"], message }];
  }
  let { missing, played } = yield* replay(test, recording, allowCode2), unanswered = missingOf(missing, test.recording, file);
  if (played === void 0) return [...unanswered, { path: [], message: "the run did not end within a minute" }];
  let failures = yield* judge(test, played, folder);
  return unanswered.length > 0 ? unanswered : failures;
}).pipe(
  catchTag("RecordingUnusable", ({ message }) => succeed([{ path: ["given", "recording"], message }])),
  provideServiceEffect(Permissions, permissionsOf(suite.source.file)),
  // Log messages of the run are switched off: the report of the test says what went wrong.
  withMinimumLogLevel(None)
), valueAt = (value, path) => path.reduce((at, key) => at?.[key], value), playSuite = (suite, options, recorded) => gen(function* () {
  let { source } = suite, at = (path) => {
    let found = source.locate(path);
    return found === void 0 ? source.file : `${source.file}:${found.line}:${found.column}`;
  }, changes = [], results = [];
  for (let test of suite.chosen) {
    let begin = yield* currentTimeMillis, own = ["tests", test.index], unrecorded = recorded?.failures.get(test), failures = unrecorded === void 0 ? yield* playTest(suite, test, options["allow-code"]) : [unrecorded], renewed = options.update ? failures.filter(({ actual }) => actual !== void 0) : [];
    for (let { actual, path } of renewed) {
      let whole = [...own, ...path];
      actual !== void 0 && changes.push({ path: whole, actual, equals: valueAt(source.value, whole) });
    }
    let faults = failures.filter((failure) => !renewed.includes(failure)).map((failure) => ({ ...failure, place: at([...own, ...failure.path]) }));
    results.push({
      file: source.file,
      pipeline: suite.pipeline,
      name: test.name,
      place: at([...own, "name"]),
      passed: faults.length === 0,
      millis: (yield* currentTimeMillis) - begin,
      faults,
      notes: [
        ...recorded?.notes.get(test) ?? [],
        ...renewed.map(({ path }) => `updated ${path.map(String).join(".")}`)
      ]
    });
  }
  return changes.length > 0 && (yield* update(source.file, source.text, changes)), results;
});

// src/Cli/Test/Report.ts
var failed = ({ results }) => results.filter(({ passed }) => !passed), titleOf = ({ name, pipeline }) => `${pipeline} \u203A ${name}`, pathOf2 = ({ path }) => path.map((part, index) => typeof part == "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`).join(""), printable = (text2) => (
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  text2.replace(new RegExp("[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\ufffe\\uffff]|\\p{Cs}", "gu"), "\uFFFD")
), most2 = 10, width = 100, spell = (value) => value === void 0 ? "nothing" : JSON.stringify(value) ?? String(value), cut = (text2) => text2.length > 3 * width ? `${text2.slice(0, 3 * width - 1)}\u2026` : text2, around = (expected, actual) => {
  if (expected.length <= width && actual.length <= width) return [expected, actual];
  let same = 0;
  for (; same < expected.length && expected[same] === actual[same]; ) same++;
  let from = Math.max(0, Math.min(same - 30, Math.max(expected.length, actual.length) - width)), part = (text2) => `${from > 0 ? "\u2026" : ""}${text2.slice(from, from + width)}${text2.length > from + width ? "\u2026" : ""}`;
  return [part(expected), part(actual)];
}, ofDifference = ({ actual, expected, path }) => {
  let [left, right] = around(spell(expected), spell(actual));
  return [
    ...path === "" ? [] : [{ sign: " ", text: `  ${path}` }],
    { sign: "-", text: `  ${left}` },
    { sign: "+", text: `  ${right}` }
  ];
}, more = (count2, what) => count2 > 0 ? [{ sign: " ", text: `\u2026 and ${count2} more ${what}` }] : [], ofDeviation = (deviation) => {
  switch (deviation.kind) {
    case "missing":
      return [{ sign: "-", text: `row ${deviation.row} ${cut(spell(deviation.value))}` }];
    case "extra":
      return [{ sign: "+", text: `row ${deviation.row} ${cut(spell(deviation.value))}` }];
    case "changed":
      return [
        { sign: " ", text: `row ${deviation.row}` },
        ...deviation.differences.slice(0, most2).flatMap(ofDifference),
        ...more(deviation.differences.length - most2, "differences")
      ];
  }
}, linesOf = (deviations = []) => [
  ...deviations.slice(0, most2).flatMap(ofDeviation),
  ...more(deviations.length - most2, "rows")
], textOf2 = (deviations) => linesOf(deviations).map(({ sign, text: text2 }) => `${sign} ${text2}`.trimEnd()).join(`
`), prettyIndent = "      ", quick = (millis) => millis < 1e3 ? `${Math.round(millis)} ms` : duration(millis), prettyFault = (fault, channel) => {
  let dye = paint(channel), colours = { "-": dye.red, "+": dye.green, " ": (text2) => text2 }, lines = linesOf(fault.deviations).map(({ sign, text: text2 }) => colours[sign](`${sign} ${printable(text2)}`).trimEnd());
  return [`${dye.dim(fault.place)}  ${dye.bold(pathOf2(fault))}`.trimEnd(), `  ${printable(fault.message)}`, ...lines.map((line) => `  ${line}`)].map((line) => prettyIndent + line).join(`
`);
}, prettyResult = (result, channel) => {
  let dye = paint(channel), mark = result.passed ? dye.green(channel.interactive ? "\u2714" : "pass") : dye.red(channel.interactive ? "\u2716" : "FAIL"), notes = result.notes.map((note) => `${prettyIndent}${dye.dim(printable(note))}`), faults = result.faults.map((fault) => prettyFault(fault, channel));
  return [`  ${mark} ${printable(result.name)} ${dye.dim(`(${quick(result.millis)})`)}`, ...notes, ...faults].join(`
`);
}, pretty = (report, channel) => {
  let dye = paint(channel), blocks = [...new Set(report.results.map(({ file }) => file))].map((file) => {
    let results = report.results.filter((result) => result.file === file);
    return [dye.bold(file), ...results.map((result) => prettyResult(result, channel))].join(`
`);
  }), broken = failed(report).length, passed = report.results.length - broken, verdict = [
    ...passed > 0 ? [dye.green(`${passed} passed`)] : [],
    ...broken > 0 ? [dye.red(`${broken} failed`)] : []
  ].join(", ");
  return `${blocks.join(`

`)}

${count(report.results.length, "test")}: ${verdict} in ${quick(report.millis)}
`;
}, escapeTap = (text2) => printable(text2).replace(/\s+/g, " ").replace(/[\\#]/g, "\\$&"), spellTap = (value) => JSON.stringify(typeof value == "string" ? printable(value) : value), tapResult = (result, index) => {
  let faults = result.faults.flatMap((fault) => {
    let diff = textOf2(fault.deviations);
    return [
      `    - at: ${spellTap(fault.place)}`,
      `      expectation: ${spellTap(pathOf2(fault))}`,
      `      message: ${spellTap(fault.message)}`,
      ...diff === "" ? [] : [`      diff: ${spellTap(diff)}`]
    ];
  });
  return [
    `${result.passed ? "ok" : "not ok"} ${index + 1} - ${escapeTap(titleOf(result))}`,
    "  ---",
    `  at: ${spellTap(result.place)}`,
    `  duration_ms: ${Math.round(result.millis)}`,
    ...faults.length === 0 ? [] : ["  failures:", ...faults],
    "  ..."
  ];
}, tap = ({ results }) => `${["TAP version 14", `1..${results.length}`, ...results.flatMap(tapResult)].join(`
`)}
`, entities = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "	": "&#9;"
}, escapeXml = (text2) => printable(text2).replace(/[&<>"\n\t]/g, (found) => entities[found] ?? found), attributes = (values) => Object.entries(values).map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`).join(""), seconds = (millis) => (millis / 1e3).toFixed(3), junitFailure = (faults) => {
  let texts = faults.map(
    (fault) => [`${fault.place}  ${pathOf2(fault)}`.trimEnd(), fault.message, textOf2(fault.deviations)].filter((line) => line !== "").join(`
`)
  ), [first] = faults, content = escapeXml(texts.join(`

`)).replaceAll("&#10;", `
`), message = `${first?.message ?? ""}${faults.length > 1 ? `, and ${faults.length - 1} more` : ""}`;
  return `      <failure${attributes({ type: first === void 0 ? "" : pathOf2(first), message })}>${content}</failure>`;
}, junitCase = (result) => {
  let opening = `    <testcase${attributes({ name: result.name, classname: result.pipeline, file: result.file, time: seconds(result.millis) })}`;
  return result.passed ? `${opening}/>` : [`${opening}>`, junitFailure(result.faults), "    </testcase>"].join(`
`);
}, totals = (report) => ({
  tests: report.results.length,
  failures: failed(report).length,
  errors: 0,
  time: seconds(report.millis)
}), junit = (report) => {
  let suites = [...new Set(report.results.map(({ file }) => file))].map((file) => {
    let results = report.results.filter((result) => result.file === file), millis = results.reduce((sum, result) => sum + result.millis, 0);
    return [
      `  <testsuite${attributes({ name: file, ...totals({ results, millis }) })}>`,
      ...results.map(junitCase),
      "  </testsuite>"
    ].join(`
`);
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites${attributes({ name: "sluice", ...totals(report) })}>
${suites.join(`
`)}
</testsuites>
`;
};

// src/Cli/Test.ts
var parameters = {
  files: several(
    "FILE",
    "A test file (NAME.test.yaml), a definition that has one beside it, or a folder; default: pipelines, else the current folder."
  ),
  filter: text("TEXT", "Only the tests that have it in their name, or in that of their pipeline.", "f"),
  record: toggle("Asks the real service, or the local engine, and writes the recordings anew."),
  update: toggle("Writes the rows and files that came into `equals`, in place of those expected."),
  "allow-code": allowCode,
  ...trust,
  reporter: choice("NAME", ["pretty", "tap", "junit"], "How to tell: pretty (the default), tap or junit."),
  output: text("FILE", "Writes the report of --reporter into a file, and the pretty one to stdout."),
  json: toggle("Prints one JSON object with every result on stdout."),
  data: text("DIR", "With --record: folder of the engine's store; default: .sluice, or SLUICE_DATA."),
  profile: text("NAME", "With --record: settings from config/NAME.yaml or a path.")
}, command = make({
  details: "A test file says what each test gives (inputs, a recording, rows of a step) and expects (rows by step, outputs, rejects). Nothing is sent anywhere but with --record. Clock and random numbers stand still, outputs go to a folder that is removed, and no state is advanced. Secrets are not needed, and no recording holds one. Exit code 6 when a test fails, 78 when a test file is invalid.",
  parameters,
  examples: [
    { line: "sluice test pipelines", what: "every test of a folder" },
    { line: "sluice test pipelines/search-to-csv.yaml --record", what: "with the service's answers of today" },
    { line: "sluice test --reporter junit --output tests.xml", what: "for a build" }
  ],
  run: (options, terminal) => run(options, terminal)
}), TestsFailed = class extends TaggedError("TestsFailed") {
  exitCode = ExitCode.checkFailed;
  get message() {
    return `${this.failed} of ${count(this.all, "test")} failed`;
  }
}, NoSuchTest = class extends TaggedError("NoSuchTest") {
  exitCode = ExitCode.usage;
  get message() {
    let { filter, names } = this, more2 = names.length > 5 ? `, and ${names.length - 5} more` : "";
    return `no test has "${filter}" in its name: there are ${names.slice(0, 5).join("; ")}${more2}`;
  }
}, show = (invalid, { json }, { out }) => {
  let mistakes = invalid.flatMap(
    ({ file, mistakes: mistakes2 }) => mistakes2.map(({ column, line, message, path }) => ({ file, line, column, path: path.map(String), message }))
  );
  if (json) out.write(`${JSON.stringify({ tests: 0, passed: 0, failed: 0, mistakes, results: [] })}
`);
  else {
    let dye = paint(out);
    for (let { message } of invalid) {
      let lines = message.split(`
`).slice(0, -1);
      out.write(`${lines.map((line) => emphasise(line, dye)).join(`
`)}
`);
    }
  }
  return new MistakesFound({ mistakes: mistakes.length, invalid: invalid.length, fine: 0 });
}, toJson = (report) => ({
  tests: report.results.length,
  passed: report.results.length - failed(report).length,
  failed: failed(report).length,
  durationMs: Math.round(report.millis),
  mistakes: [],
  results: report.results.map(({ faults, millis, ...result }) => ({
    ...result,
    durationMs: Math.round(millis),
    failures: faults.map((fault) => ({
      at: fault.place,
      expectation: pathOf2(fault),
      message: fault.message,
      differences: fault.deviations ?? []
    }))
  }))
}), tell = (report, { json, output, reporter = "pretty" }, terminal) => gen(function* () {
  let formal = reporter === "tap" ? tap(report) : reporter === "junit" ? junit(report) : pretty(report, plainChannel(terminal));
  if (output !== void 0) {
    let files = yield* FileSystem;
    yield* mapError(
      files.writeFileString(output, formal),
      (cause) => new FileUnusable({ path: output, reason: fileErrorReason(cause), cause })
    );
  }
  json ? terminal.out.write(`${JSON.stringify(toJson(report))}
`) : terminal.out.write(output === void 0 && reporter !== "pretty" ? formal : pretty(report, terminal.out));
}), plainChannel = ({ out }) => ({ ...out, colour: !1, interactive: !1 }), run = (options, terminal) => gen(function* () {
  let begin = yield* currentTimeMillis, { files, refused } = yield* find(options.files), [unreadable, all] = yield* partition(files, read2), invalid = [...refused, ...unreadable];
  if (invalid.length > 0) return yield* show(invalid, options, terminal);
  let suites = choose(all, options.filter);
  if (suites.length === 0) {
    let names = all.flatMap(({ tests }) => tests.map(({ name }) => name));
    return yield* new NoSuchTest({ filter: options.filter ?? "", names });
  }
  let recorded = options.record ? yield* flatMap(
    promise(() => import("./chunk-KYHPM55N.js")),
    ({ recordAll }) => recordAll(suites, options, terminal)
  ) : void 0, report = { results: (yield* forEach(suites, (suite) => playSuite(suite, options, recorded))).flat(), millis: (yield* currentTimeMillis) - begin };
  yield* tell(report, options, terminal);
  let broken = failed(report).length;
  if (broken > 0) return yield* new TestsFailed({ failed: broken, all: report.results.length });
}), refuse = (file, message) => new DefinitionInvalid({ file, mistakes: [{ path: [], message }] }), expand = fn("Test.expand")(function* (named) {
  let files = yield* FileSystem, paths = yield* Path;
  if (isTestFile(named)) return [named];
  if (!(yield* files.stat(named).pipe(
    map(({ type }) => type === "Directory"),
    orElseSucceed(() => !1)
  ))) {
    let found2 = yield* filesOf(named), stem = paths.basename(named).replace(/\.\w+$/, "");
    return found2.length > 0 ? found2 : yield* refuse(named, `has no tests: write them into ${stem}.test.yaml beside it`);
  }
  let found = (yield* mapError(
    files.readDirectory(named),
    (error) => refuse(named, `cannot be read: ${fileErrorReason(error)}`)
  )).filter(isTestFile).sort();
  return found.length > 0 ? found.map((name) => paths.join(named, name)) : yield* refuse(named, "there is no test in this folder: the tests of NAME.yaml are in NAME.test.yaml beside it");
}), find = fn("Test.find")(function* (named) {
  let files = yield* FileSystem, usual = yield* orElseSucceed(files.exists("pipelines"), () => !1), [refused, found] = yield* partition(named.length > 0 ? named : [usual ? "pipelines" : "."], expand);
  return { refused, files: [...new Set(found.flat())] };
}), choose = (all, filter) => {
  let wanted = filter?.toLowerCase() ?? "";
  return all.map((suite) => ({
    ...suite,
    chosen: suite.tests.filter(({ name }) => `${suite.pipeline} \u203A ${name}`.toLowerCase().includes(wanted))
  })).filter(({ chosen }) => chosen.length > 0);
};
export {
  command
};
