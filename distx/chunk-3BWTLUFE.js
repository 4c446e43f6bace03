import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  decode,
  decodePart,
  dispatch,
  mistakesInBroken,
  strangers
} from "./chunk-LO3OT3SC.js";
import {
  cutExpressions,
  expressionMistakes,
  namedIn
} from "./chunk-OWXHLDRW.js";
import {
  DefinitionInvalid,
  Input,
  Permissions,
  State,
  WrittenFrame,
  builtIn,
  collide,
  commonKeys,
  crawlPreview,
  describeValue,
  forDefinition,
  ignoredCauses,
  ignoredKeys,
  list2 as list,
  literalPrefix,
  load,
  mapping,
  mistakesOf,
  noExtensions,
  open,
  placeholdersOf,
  settledFields,
  settledKeys,
  whyNotNamed,
  whyNotRead,
  whyNotSent,
  whyNotWritten,
  whyOutside
} from "./chunk-PGOM52WJ.js";
import {
  didYouMean
} from "./chunk-OH7QELJ7.js";
import {
  Path,
  sha256
} from "./chunk-4U3SQ3WC.js";
import {
  decodeUnknownEither,
  isRedacted,
  value
} from "./chunk-PAQDWWDE.js";
import {
  fn,
  gen
} from "./chunk-JGKSI326.js";
import {
  getOrElse,
  isLeft,
  isRight
} from "./chunk-FWQRLSGQ.js";
import {
  canParse
} from "./chunk-X7W2U4JF.js";

// src/Pipeline/Check.ts
import * as NodePath2 from "node:path";

// src/Pipeline/Graph.ts
var asList = (value2) => typeof value2 == "string" ? [value2] : Array.isArray(value2) ? value2.filter((each) => typeof each == "string") : [], structural = ["id", "from", "after", "each"], wrongNames = ({ after, common, from, id: own, path }, { brokenIds, byId, isLater }) => {
  let at = (key, message) => ({ path: [...path, key], message }), isValue = (id) => byId.get(id)?.step.behaviour.kind === "value", itemAt = (key, index, message) => Array.isArray(common[key]) ? { path: [...path, key, index], message } : at(key, message), unknown = (key, ids) => ids.flatMap((id, index) => {
    if (byId.has(id) || brokenIds.includes(id)) return [];
    if (id === own)
      return [
        itemAt(
          key,
          index,
          `"${id}" is this step: it cannot ${key === "from" ? "read its own rows" : "wait for itself"}`
        )
      ];
    if (isLater(id))
      return [itemAt(key, index, `"${id}" stands below this step: move it above, a step reads only steps above it`)];
    let known = [...byId.keys()], hint = didYouMean(id, known) || (known.length > 0 ? `: there are ${some(known)}` : "");
    return [itemAt(key, index, `there is no step "${id}" before this one${hint}`)];
  });
  return [
    ...unknown("from", from),
    ...unknown("after", after),
    ...from.flatMap(
      (id, index) => from.indexOf(id) < index ? [itemAt("from", index, `"${id}" is listed twice in from: remove one`)] : []
    ),
    ...from.flatMap(
      (id, index) => isValue(id) ? [itemAt("from", index, `"${id}" gives a value and no rows: use \${{ steps.${id}.output }}`)] : []
    ),
    ...after.flatMap(
      (id, index) => isValue(id) ? [itemAt("after", index, `"${id}" gives a value and no rows, so it has no end to wait for: remove it`)] : []
    ),
    ...structural.filter((key) => JSON.stringify(common[key] ?? "").includes("${{")).map((key) => at(key, `"${key}" says how the steps hang together: write it out, without \${{ }}`))
  ];
}, wrongKeys = ({ common, each, path, step }, { nodes }) => {
  let { key } = step, { kind } = step.behaviour, at = (key2, message) => ({ path: [...path, key2], message }), pinned = typeof common.pin == "string" ? nodes.find((node) => node.common.pin === common.pin) : void 0;
  return [
    ...step.behaviour.kind === "value" && common.pin !== void 0 && step !== crawlPreview ? [at("pin", "only crawlPreview can be pinned: remove it")] : [],
    ...pinned === void 0 ? [] : [at("pin", `is the lock file of "${pinned.id}" already: name another`)],
    ...ignoredKeys(step.behaviour).filter((idle) => common[idle] !== void 0).map((idle) => {
      let message = why[idle] ?? `"${idle}" has no effect on ${key}: remove it`;
      return { path: [...path, idle], atKey: !0, message };
    }),
    ...kind === "source" && each && common.after !== void 0 ? [at("after", "a step with `each: true` reads the step before it and begins no branch: remove one of the two")] : [],
    ...kind === "source" && !each && common.concurrency !== void 0 ? [at("concurrency", `"concurrency" has no effect on ${key} without \`each: true\`: remove it`)] : []
  ];
}, wrongRows = ({ above, branch, each, from, path, step }, { isBroken }) => {
  let { key } = step, { kind } = step.behaviour, at = (key2, message) => [{ path: [...path, key2], message }], given = branch ? void 0 : from[0] ?? above;
  return kind === "source" ? each ? given === void 0 && !isBroken ? at("each", "there are no rows before this step") : [] : given === void 0 ? [] : at(
    key,
    `${key} ignores its input: say \`each: true\` to run it for every row, or \`after: ${given}\` to begin a branch`
  ) : kind === "value" || given !== void 0 || isBroken ? [] : at(key, `${key} needs rows: begin with a step that makes some, like search, files, urls or crawl`);
}, namesOf = (item) => {
  if (typeof item != "object" || item === null) return [];
  let { id } = item;
  return typeof id == "string" ? [id] : Object.keys(item).filter((key) => !commonKeys.includes(key));
}, link = (items, steps) => {
  let nodes = [], byId = /* @__PURE__ */ new Map(), named = /* @__PURE__ */ new Map(), mistakes = [], last, isBroken = !1, brokenIds = [], broken = [], lastIndex = new Map(items.flatMap((item, index) => namesOf(item).map((name) => [name, index])));
  for (let [index, item] of items.entries()) {
    let path = ["steps", index], found = dispatch(item, path, steps);
    if (isLeft(found)) {
      mistakes.push(...found.left), isBroken = !0, brokenIds.push(...namesOf(item)), broken.push(index);
      continue;
    }
    let { step, key } = found.right, { [key]: config, ...common } = item;
    mistakes.push(...strangers(item, key, path, steps));
    let id = typeof common.id == "string" ? common.id : freeId(key, named, byId);
    byId.has(id) && mistakes.push({ path: [...path, "id"], message: `the id "${id}" is taken by an earlier step` });
    let { kind } = step.behaviour, from = asList(common.from), after = asList(common.after), each = common.each === !0, branch = kind === "source" && !each && common.after !== void 0, above = last === void 0 ? [] : [last], inputs = kind === "value" || branch || kind === "source" && !each ? [] : from.length > 0 ? from : above, node = { id, index, step, config, common, inputs: [...new Set(inputs)], after: [...new Set(after)] }, linked = { ...node, after, path, from, each, branch, above: last }, before2 = { nodes, byId, brokenIds, isBroken, isLater: (each2) => (lastIndex.get(each2) ?? -1) > index };
    for (let wrong of [wrongNames, wrongKeys, wrongRows]) mistakes.push(...wrong(linked, before2));
    nodes.push(node), byId.has(id) || byId.set(id, node);
    let base = id.replace(/-\d+$/, "");
    named.set(base, (named.get(base) ?? 0) + 1), kind !== "value" && (last = id);
  }
  return { nodes, mistakes, broken, brokenIds };
}, why = {
  each: "only a step that makes rows of its own can run for each row",
  after: "only a step that makes rows of its own, and begins a branch with them, can wait for others",
  from: "a step that gives a value reads no rows: remove `from`"
}, freeId = (key, named, byId) => {
  let number = (named.get(key) ?? 0) + 1, name = () => number === 1 ? key : `${key}-${number}`;
  for (; byId.has(name()); ) number++;
  return name();
}, some = (names) => names.length > 8 ? `\u2026 ${names.slice(-8).join(", ")}` : names.join(", "), before = ({ nodes }, step) => {
  let places = /* @__PURE__ */ new Map();
  for (let [place, { id }] of nodes.entries()) places.has(id) || places.set(id, place);
  let far = /* @__PURE__ */ new Map([[step, 0]]);
  for (let [place, { id, inputs }] of [...nodes.entries()].toReversed()) {
    let distance = places.get(id) === place ? far.get(id) : void 0;
    if (distance !== void 0)
      for (let input of inputs)
        (places.get(input) ?? place) < place && far.set(input, Math.max(far.get(input) ?? 0, distance + 1));
  }
  let placeOf = (id) => places.get(id) ?? 0;
  return [...far].filter(([id]) => id !== step).sort(([one, near], [other, next]) => near - next || placeOf(one) - placeOf(other)).map(([id]) => id);
};

// src/Pipeline/Inputs.ts
var coerce = (input, value2) => {
  if (typeof value2 != "string") return value2;
  switch (input.type) {
    case "integer":
    case "number":
      return value2.trim() !== "" && Number.isFinite(Number(value2)) ? Number(value2) : value2;
    case "boolean":
      return value2 === "true" ? !0 : value2 === "false" ? !1 : value2;
    default:
      return value2;
  }
}, fault = (input, value2) => {
  let got = `, got ${describeValue(value2)}`;
  switch (input.type) {
    case "string":
    case "path":
      if (typeof value2 != "string") return `expected a string${got}`;
      break;
    case "url":
      if (typeof value2 != "string" || !/^https?:\/\//.test(value2) || !canParse(value2))
        return `expected an absolute http:// or https:// address${got}`;
      break;
    case "boolean":
      if (typeof value2 != "boolean") return `expected true or false${got}`;
      break;
    case "integer":
      if (!Number.isInteger(value2)) return `expected a whole number${got}`;
      break;
    case "number":
      if (typeof value2 != "number") return `expected a number${got}`;
      break;
  }
  if (input.enum !== void 0 && !input.enum.some((each) => each === value2))
    return `expected one of ${input.enum.join(", ")}${got}`;
  if (typeof value2 == "number" && input.minimum !== void 0 && value2 < input.minimum)
    return `expected at least ${input.minimum}${got}`;
  if (typeof value2 == "number" && input.maximum !== void 0 && value2 > input.maximum)
    return `expected at most ${input.maximum}${got}`;
  if (typeof value2 == "string" && input.maxLength !== void 0 && value2.length > input.maxLength)
    return `expected at most ${input.maxLength} characters, got ${value2.length}`;
}, scheduledOf = (schedule) => {
  let { inputs } = typeof schedule == "object" && schedule !== null ? schedule : {};
  return typeof inputs == "object" && inputs !== null && !Array.isArray(inputs) ? inputs : {};
}, scheduledMistakes = (inputs, scheduled) => Object.entries(scheduled).flatMap(([name, value2]) => {
  let path = ["schedule", "inputs", name], input = Object.hasOwn(inputs, name) ? inputs[name] : void 0;
  if (input === void 0) {
    let known = Object.keys(inputs), hint = known.length === 0 ? ": this pipeline takes none" : didYouMean(name, known) || `: it takes ${known.join(", ")}`;
    return [{ path, message: `there is no input "${name}"${hint}` }];
  }
  if (typeof value2 == "string" && value2.includes("${{"))
    return [{ path, message: "takes a literal value: inputs are settled before anything that ${{ }} names" }];
  let wrong = fault(input, coerce(input, value2));
  return wrong === void 0 ? [] : [{ path, message: wrong }];
}), withScheduled = (inputs, scheduled) => Object.fromEntries(
  Object.entries(inputs).map(([name, input]) => [
    name,
    Object.hasOwn(scheduled, name) ? { ...input, default: coerce(input, scheduled[name]) } : input
  ])
), slashed = (path) => /^([A-Za-z]:)?\\/.test(path) ? path.replaceAll("\\", "/") : path, resolve = (inputs, given, { required, toPath }) => {
  let mistakes = [], values = {};
  for (let name of Object.keys(given))
    if (!Object.hasOwn(inputs, name)) {
      let known = Object.keys(inputs), hint = known.length === 0 ? ": this pipeline takes none" : didYouMean(name, known) || `: it takes ${known.join(", ")}`;
      mistakes.push({ path: ["inputs"], given: !0, message: `--input ${name}: there is no input "${name}"${hint}` });
    }
  for (let [name, input] of Object.entries(inputs)) {
    let from = Object.hasOwn(given, name) ? given[name] : input.default;
    if (from === void 0) {
      required && mistakes.push({ path: ["inputs", name], message: `has no default: give it as --input ${name}=\u2026` }), values[name] = open;
      continue;
    }
    let value2 = coerce(input, from), wrong = fault(input, value2);
    wrong === void 0 ? values[name] = input.type === "path" && Object.hasOwn(given, name) ? slashed(toPath(String(value2))) : value2 : (mistakes.push(
      Object.hasOwn(given, name) ? { path: ["inputs", name], given: !0, message: `--input ${name}: ${wrong}` } : { path: ["inputs", name, "default"], message: wrong }
    ), values[name] = open);
  }
  return { values, mistakes };
};

// src/Pipeline/PermissionCheck.ts
import * as NodePath from "node:path";
var refusedNames = (permissions, value2) => namedIn(value2).flatMap(({ kind, name, path }) => {
  let why2 = whyNotNamed(permissions, name);
  return why2 === void 0 ? [] : [
    {
      path,
      message: `this definition may not read the ${kind === "secrets" ? "secret" : "variable"} ${name}: ${why2}`
    }
  ];
}), refusedInputs = (permissions, declared, values, { folder, inputs: given }) => Object.entries(declared).flatMap(([name, { type }]) => {
  let value2 = values[name];
  if (type !== "path" || typeof value2 != "string" || !Object.hasOwn(given, name)) return [];
  let why2 = whyNotRead(permissions, NodePath.resolve(folder, value2));
  return why2 === void 0 ? [] : [{ path: ["inputs", name], given: !0, message: `--input ${name}: ${why2}` }];
}), refusedFile = (permissions, folder, path, file, kind = "file") => {
  let why2 = typeof file == "string" ? whyNotRead(permissions, NodePath.resolve(folder, file), kind) : void 0;
  return why2 === void 0 ? [] : [{ path, message: why2 }];
}, secretsIn = ({ config, step }) => {
  let headers = step.headers?.reduce((at, key) => mapping(at)[key], config);
  return namedIn(headers).flatMap(({ kind, name }) => kind === "secrets" ? [name] : []);
}, refusedHosts = (permissions, node) => {
  let { index, step } = node, bound = secretsIn(node).filter((name) => permissions.hosts.has(name)), headers = ["steps", index, step.key, ...step.headers ?? []];
  if (bound.length > 0 && step.sites?.(node.config) === "any") {
    let message = `the secret ${bound[0]} is bound to hosts, and ${step.key} reads whatever hosts it finds: scrape its hits in a step of their own`;
    return [{ path: headers, message }];
  }
  let { url } = mapping(node.config), isKnown = typeof url == "string" && !url.includes("${{");
  if (bound.length > 0 && !isKnown && !builtIn.some(({ key }) => key === step.key)) {
    let message = `the secret ${bound[0]} is bound to hosts, and ${step.key} does not say where it sends it: give the address in the field \`url\` of the step, as text`;
    return [{ path: headers, message }];
  }
  if (!isKnown) return [];
  let why2 = whyNotSent(permissions, bound, url);
  return why2 === void 0 ? [] : [{ path: headers, message: why2 }];
}, refusedWebhooks = (permissions, written, settled) => list(settled).flatMap((target, index) => {
  let names = namedIn(mapping(list(written)[index]).webhook).map(({ name }) => name), { webhook } = mapping(target);
  if (!isRedacted(webhook)) return [];
  let why2 = whyNotSent(permissions, names, String(value(webhook)));
  return why2 === void 0 ? [] : [{ path: ["notify", index, "webhook"], message: why2 }];
}), outputOf = ({ config: written, step: { behaviour } }, config) => {
  if (behaviour.kind !== "sink" || config === open) return;
  let [raw, filled] = [behaviour.destination(written), behaviour.destination(config)];
  return raw === void 0 || filled === void 0 ? void 0 : { key: filled.format, written: raw.path, path: filled.path };
}, someFolder = `${NodePath.sep}output folder`, refusedPaths = (permissions, folder, node, { common, config }) => {
  let { index, step } = node, at = ["steps", index], read = (config === open ? [] : step.reads?.(config) ?? []).flatMap(
    ({ file, isFolder, path }) => refusedFile(permissions, folder, [...at, step.key, ...path], file, isFolder ? "folder" : "file")
  ), pin = refusedFile(permissions, folder, [...at, "pin"], common.pin), output = outputOf(node, config), touched = [...read, ...pin, ...refusedHosts(permissions, node)];
  if (output === void 0 || output.path === "-") return touched;
  let out = permissions.out ?? someFolder, isKnown = permissions.out !== void 0 || !NodePath.isAbsolute(output.path), place = [...at, step.key, output.key], target = () => placeholdersOf(output.path).length === 0 ? whyNotWritten(permissions, NodePath.resolve(out, output.path), out) : whyNotWritten(permissions, literalPrefix(output.path, out), out, "folder"), why2 = (isKnown ? whyOutside(output.written, output.path, out) : void 0) ?? (permissions.out === void 0 ? void 0 : target());
  return [...touched, ...why2 === void 0 ? [] : [{ path: place, message: why2 }]];
};

// src/Pipeline/Rules.ts
var mayBeOff = ({ common: { when } }, settled) => when !== void 0 && when !== !0 && settled !== !0, targetOf = ({ config: written, id, index, step }, config) => {
  if (step.behaviour.kind !== "sink") return;
  let output = step.behaviour.destination(config === open ? written : config);
  return output && { ...output, id, at: ["steps", index, step.key, output.format] };
}, writtenTwice = (targets, { locate }) => targets.flatMap((target, index) => {
  let other = targets.slice(0, index).find((each) => collide(each, target));
  if (other === void 0) return [];
  let line = locate(other.at)?.line, place = line === void 0 ? `"${other.id}"` : `"${other.id}" (line ${line})`, message = other.path === target.path ? `${place} writes ${target.path === "-" ? "to stdout" : "this file"} already: choose another path, or merge the branches with from: [a, b] and write once` : `${place} can write the same file, with its path ${other.path}: choose another name or folder`;
  return [{ path: target.at, message }];
}), cutOff = (nodes, remembering) => {
  let remembers = new Set(remembering), memories = /* @__PURE__ */ new Map();
  return nodes.flatMap(({ id, index, inputs, step }) => {
    let [memory] = inputs.flatMap((input) => remembers.has(input) ? input : memories.get(input) ?? []);
    if (memory === void 0) return [];
    if (memories.set(id, memory), step.behaviour.kind !== "transform" || step.behaviour.truncates !== !0) return [];
    let message = `rows cut by this ${step.key} would be lost: "${memory}" above it has already marked them as seen. Move the ${step.key} above "${memory}"`;
    return [{ path: ["steps", index, step.key], atKey: !0, message }];
  });
}, idleRetries = ({ common, index, step }) => {
  let { on } = common.retry ?? {};
  return Array.isArray(on) ? ignoredCauses(step.behaviour, on).map((status) => ({
    path: ["steps", index, "retry", "on", on.indexOf(status)],
    message: `${status} never matches on ${step.key}: retry repeats the calls that read its job, not the pages of the job. Use \`sluice replay\` for failed pages, or scrape them row by row with \`scrape\``
  })) : [];
}, fieldsOf = (config) => typeof config == "object" && config !== null ? Object.fromEntries(Object.entries(config)) : {}, givesIncrements = ({ config, node }) => node.step.state?.(config)?.skipsSeen === !0, perRun = /* @__PURE__ */ new Set(["runId", "date"]), replaces = ({ config, node }) => {
  let { behaviour } = node.step, output = behaviour.kind === "sink" ? behaviour.destination(config) : void 0;
  if (output === void 0) return !1;
  let { mode, path } = output, written = JSON.stringify([node.config, fieldsOf(config).partitionBy]);
  return mode === "replace" && path !== "-" && !placeholdersOf(path).some((name) => perRun.has(name)) && !/\$\{\{[^}]*\brun\.|\$run\b/.test(written);
}, lostIncrements = (nodes, configs) => {
  let taking = nodes.flatMap((node) => {
    let config = configs.get(node.id);
    return config === void 0 ? [] : [{ node, config: config === open ? node.config : config }];
  });
  return taking.flatMap((step) => {
    if (!replaces(step)) return [];
    let above = new Set(before({ nodes }, step.node.id)), source = taking.find((each) => above.has(each.node.id) && givesIncrements(each));
    if (source === void 0) return [];
    let { id } = source.node, otherwise = source.node.step.state?.(source.config)?.otherwise, whole = otherwise === void 0 ? "" : `, or ${otherwise}`;
    return [
      {
        path: ["steps", step.node.index, step.node.step.key],
        message: `this file will hold only the latest run's new rows ("${id}" skips rows of earlier runs): use mode: append or perRun, or put {runId} in the path${whole}`
      }
    ];
  });
};

// src/Pipeline/Check.ts
var runNames = ["id", "site", "startedAt", "date", "scheduledFor"], check = fn("Pipeline.check")(function* (source, options) {
  let placed = (mistakes2) => [...new Map(mistakes2.map((each) => [JSON.stringify([each.path.map(String), each.message]), each])).values()].map(
    (mistake) => mistake.given || mistake.line !== void 0 ? mistake : { ...mistake, ...source.locate(mistake.path, mistake.atKey ? "key" : "value") }
  ).sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)), warnings = [], permissions = forDefinition(yield* Permissions, NodePath2.resolve(source.folder, NodePath2.basename(source.file))), { allowCode = permissions.code, codeAdvice, definitionHash: expected } = options, extended = yield* load(source, { allowCode, codeAdvice, isExpected: (hash) => expected === void 0 || definitionHash({ source, registry: { hash } }) === expected, permissions }), registry = getOrElse(extended, () => noExtensions), cut = cutExpressions(source, registry.steps), invalid = (mistakes2) => new DefinitionInvalid({
    file: source.file,
    // Report an expression truncated by a YAML comment once; drop other mistakes at the same place.
    mistakes: placed(mistakes2).filter(
      ({ column, line, path }) => path.length === 0 || !cut.some((each) => each.line === line && each.column === column)
    ),
    warnings: placed(warnings)
  });
  if (source.value === null)
    return yield* invalid([{ path: [], message: "the file is empty: `sluice init` makes a first pipeline" }]);
  let paths = yield* Path, mistakes = [...cut], frame = decodeUnknownEither(WrittenFrame)(source.value);
  isLeft(frame) && mistakes.push(...mistakesOf(frame.left.issue));
  let written = typeof source.value == "object" && source.value !== null ? source.value : {}, declared = declaredIn(written.inputs), named = typesOf(written.inputs), scheduled = scheduledOf(written.schedule), wrongSchedule = scheduledMistakes(declared, scheduled).filter(
    // A name whose declaration has mistakes of its own is known all the same.
    ({ path }) => !(Object.hasOwn(named, String(path[2])) && !Object.hasOwn(declared, String(path[2])))
  );
  mistakes.push(...wrongSchedule);
  let own = options.scheduled === !0 && wrongSchedule.length === 0 ? withScheduled(declared, scheduled) : declared, inputs = resolve(own, options.inputs, {
    required: options.complete,
    toPath: options.saved === !0 ? (path) => path : paths.resolve
  });
  mistakes.push(...inputs.mistakes.filter(({ given, path }) => !given || isRight(frame) || path.length > 1));
  let items = Array.isArray(written.steps) ? written.steps : [];
  if (isLeft(extended)) return yield* invalid([...mistakes, ...extended.left]);
  let { broken, brokenIds, nodes, mistakes: unlinked } = link(items, registry.steps);
  mistakes.push(...unlinked), mistakes.push(
    ...refusedNames(permissions, source.value),
    ...refusedInputs(permissions, own, inputs.values, { ...options, folder: source.folder })
  );
  let scope = {
    // The name of an input counts although its declaration could not be read.
    inputs: { ...openAll(written.inputs), ...inputs.values },
    env: options.env,
    secrets: options.secrets,
    run: openRun("site" in written),
    steps: {},
    warn: options.unsetSecrets === "warning" ? (warning) => {
      warnings.push(warning);
    } : void 0
  }, settled = {};
  for (let key of settledKeys) {
    if (!(key in written)) continue;
    let names = key === "state" ? scope : { ...scope, run: {} }, part = yield* decodePart(settledFields[key], written[key], [key], names);
    isLeft(part) ? mistakes.push(...part.left) : part.right !== open && (settled[key] = part.right);
  }
  mistakes.push(
    ...refusedFile(permissions, source.folder, ["site"], settled.site),
    ...refusedWebhooks(permissions, written.notify, settled.notify)
  );
  let remembering = [], targets = [], toStdout = [], configs = /* @__PURE__ */ new Map(), known = Object.fromEntries(brokenIds.map((id) => [id, { output: open }]));
  for (let index of broken)
    mistakes.push(...yield* mistakesInBroken(items[index], index, { ...scope, steps: known }, registry.steps));
  for (let node of nodes) {
    let steps2 = known;
    node.step.behaviour.kind === "value" && (known = { ...known, [node.id]: { output: open } });
    let objections = options.begun === !0 ? [] : node.step.objections?.(node.config) ?? [];
    for (let { message, path } of objections)
      mistakes.push({ path: ["steps", node.index, node.step.key, ...path], message });
    let wrong = options.begun === !0 ? [] : wrongExpressions(node, named, stepsAround(node, nodes, brokenIds));
    mistakes.push(...wrong);
    let decoded = yield* decode(node, { ...scope, steps: steps2 });
    if (isLeft(decoded)) {
      mistakes.push(...decoded.left.filter(({ path }) => !wrong.some((each) => isBelow(path, each.path))));
      let target2 = options.begun === !0 || mayBeOff(node) ? void 0 : targetOf(node, open);
      target2 !== void 0 && targets.push(target2);
      continue;
    }
    let { common, config } = decoded.right;
    mistakes.push(...refusedPaths(permissions, source.folder, node, decoded.right)), common.when !== !1 && configs.set(node.id, config);
    let target = options.begun === !0 || mayBeOff(node, common.when) ? void 0 : targetOf(node, config);
    target !== void 0 && targets.push(target);
    let output = common.when === !1 ? void 0 : targetOf(node, config);
    output?.path === "-" && toStdout.push(output.at), node.step.state?.(config === open ? node.config : config) !== void 0 && remembering.push(node.id);
  }
  if (mistakes.push(...cutOff(nodes, remembering), ...writtenTwice(targets, source)), warnings.push(...lostIncrements(nodes, configs), ...nodes.flatMap(idleRetries)), mistakes.length > 0 || isLeft(frame)) return yield* invalid(mistakes);
  let { name, version, description, inputs: declaredInputs, steps } = frame.right;
  return {
    source,
    frame: { name, version, description, inputs: declaredInputs, steps, ...settled },
    nodes,
    inputs: inputs.values,
    registry,
    remembering,
    toStdout,
    warnings: placed(warnings)
  };
}), registryOf = (source) => gen(function* () {
  let file = NodePath2.resolve(source.folder, NodePath2.basename(source.file)), permissions = forDefinition(yield* Permissions, file), extended = yield* load(source, { allowCode: permissions.code, permissions });
  if (isRight(extended)) return extended.right;
  let mistakes = extended.left.map((mistake) => ({ ...mistake, ...source.locate(mistake.path) }));
  return yield* new DefinitionInvalid({ file: source.file, mistakes });
}), definitionHash = ({
  registry,
  source
}) => sha256(registry?.hash === void 0 ? source.text : `${source.text}
${registry.hash}`), isBelow = (path, above) => above.every((part, index) => path[index] === part), stepsAround = (node, nodes, brokenIds) => () => {
  let isValue = ({ step }) => step.behaviour.kind === "value", above = nodes.filter(({ index }) => index < node.index), idOf = ({ id }) => id;
  return {
    values: [...above.filter(isValue).map(idOf), ...brokenIds],
    others: above.filter((each) => !isValue(each)).map(idOf),
    below: nodes.filter(({ index }) => index >= node.index).map(idOf)
  };
}, wrongExpressions = ({ config, index, step }, declared, steps) => expressionMistakes(step.config.ast, config, ["steps", index, step.key], declared, steps), openRun = (site) => Object.fromEntries(runNames.filter((name) => name !== "site" || site).map((name) => [name, open])), scopeBefore = ({ frame, inputs, nodes }, { env, secrets }) => ({
  inputs,
  env,
  secrets,
  run: openRun(frame.site !== void 0),
  steps: Object.fromEntries(
    nodes.filter(({ step }) => step.behaviour.kind === "value").map(({ id }) => [id, { output: open }])
  )
}), declaredIn = (inputs) => typeof inputs == "object" && inputs !== null && !Array.isArray(inputs) ? Object.fromEntries(
  Object.entries(inputs).flatMap(([name, input]) => {
    let decoded = decodeUnknownEither(Input)(input);
    return isRight(decoded) ? [[name, decoded.right]] : [];
  })
) : {}, typesOf = (inputs) => typeof inputs == "object" && inputs !== null ? Object.fromEntries(
  Object.entries(inputs).map(([name, input]) => {
    let { type } = input ?? {};
    return [name, { type: typeof type == "string" ? type : "string" }];
  })
) : {}, openAll = (inputs) => typeof inputs == "object" && inputs !== null ? Object.fromEntries(Object.keys(inputs).map((name) => [name, open])) : {}, stateKey = (checked, scope) => gen(function* () {
  let { frame, inputs, remembering, source } = checked, written = source.value.state;
  if (written === void 0) return remembering.length > 0 ? frame.name : void 0;
  let names = { ...scope, inputs, steps: {} }, state = yield* decodePart(State, written, ["state"], names);
  if (isLeft(state)) {
    let mistakes = state.left.map((mistake) => ({ ...mistake, ...source.locate(mistake.path) }));
    return yield* new DefinitionInvalid({ file: source.file, mistakes });
  }
  return state.right === open ? open : state.right.key ?? frame.name;
});

export {
  link,
  before,
  scheduledOf,
  secretsIn,
  runNames,
  check,
  registryOf,
  definitionHash,
  scopeBefore,
  stateKey
};
