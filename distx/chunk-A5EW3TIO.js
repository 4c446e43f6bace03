import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  diagramOf,
  filled
} from "./chunk-2FKDIRWL.js";
import {
  definitionHash,
  scopeBefore
} from "./chunk-3BWTLUFE.js";
import {
  namedIn
} from "./chunk-OWXHLDRW.js";
import {
  mapping,
  ofFile,
  sanitize
} from "./chunk-PGOM52WJ.js";
import {
  gen,
  toMillis
} from "./chunk-JGKSI326.js";

// src/Run/RunSpec.ts
import * as NodePath from "node:path";
var isTrial = ({ trial, wanted }) => trial ?? wanted !== void 0, trialFolder = (dataDir, pipeline, runId) => NodePath.resolve(dataDir, "trial", sanitize(pipeline), runId), isStateless = ({ backfill, wanted }) => backfill === !0 || wanted !== void 0, limitsOf = ({ frame: { budget } }) => budget && { ...budget, duration: budget.duration && toMillis(budget.duration) }, makeRunSpec = (checked, options, { id, startedAt }, { key, touches }) => {
  let { resume } = options, { frame, source } = checked, { text } = source, graph = (checked.registry?.added.length ?? 0) > 0 && options.parentRun === void 0 ? diagramOf({ frame, nodes: checked.all ?? checked.nodes }) : void 0;
  if (resume !== void 0) {
    let { graph: _, ...kept } = resume.options, saved = graph === void 0 ? kept : { ...kept, graph };
    return { ...resume, definition: text, definitionHash: definitionHash(checked), options: saved };
  }
  return {
    id,
    pipeline: frame.name,
    // A definition in a program has no file: a name in the folder for its relative paths.
    file: NodePath.resolve(source.folder, NodePath.basename(source.file)),
    definition: text,
    definitionHash: definitionHash(checked),
    inputs: checked.inputs,
    out: options.out,
    folder: `${options.dataDir}/runs/${id}`,
    options: {
      limit: options.wanted,
      backfill: options.backfill,
      replayOf: options.replay?.of,
      budget: limitsOf(checked),
      // As written. Earlier versions kept it with inputs filled in, as `touches`: the two cannot be compared.
      named: touches,
      graph
    },
    startedAt,
    scheduledFor: options.scheduledFor?.getTime(),
    stateKey: isStateless(options) ? void 0 : key,
    group: options.group
  };
}, optionsOf = (record) => {
  let { backfill, limit, replayOf } = record.options;
  return {
    resume: record,
    out: record.out,
    wanted: limit,
    backfill,
    group: record.group,
    // The rows belong to this run since its first checkpoint.
    replay: replayOf === void 0 ? void 0 : { of: replayOf, rows: /* @__PURE__ */ new Map(), numbers: [] }
  };
};

// src/Pipeline/Resources.ts
import * as NodePath2 from "node:path";
var kinds = ["env", "secrets", "hosts", "reads", "writes"], sorted = (values) => [...new Set(values)].sort(), hostsIn = (value) => {
  if (typeof value == "string") {
    let [, host] = /^https?:\/\/(?:[^/?#@\s]*@)?(\$\{\{.*?\}\}[^/?#\s]*|[^/?#\s]+)/i.exec(value) ?? [];
    return host === void 0 ? [] : [host.toLowerCase().startsWith("${{") ? host : host.toLowerCase()];
  }
  return typeof value != "object" || value === null ? [] : Object.values(value).flatMap(hostsIn);
}, resourcesOf = (checked, options) => gen(function* () {
  let { all, frame, nodes, source } = checked, scope = options && scopeBefore(checked, { ...options, env: {} }), names = namedIn(source.value), hosts = [], reads = frame.site === void 0 ? [] : [frame.site], writes = [];
  for (let { common, config: written, step } of all ?? nodes) {
    let config = scope === void 0 ? written : yield* filled(scope, written);
    hosts.push(...hostsIn(config)), step.sites?.(config) !== void 0 && hosts.push("*"), reads.push(
      ...(step.reads?.(config) ?? []).map(({ file }) => file),
      ...ofFile("pin")(common).map(({ file }) => file)
    );
    let output = step.behaviour.kind === "sink" ? step.behaviour.destination(config) : void 0;
    output !== void 0 && writes.push(output.path);
  }
  let { extensions, notify } = mapping(source.value);
  return typeof extensions == "string" && reads.push(extensions), {
    env: sorted(names.flatMap(({ kind, name }) => kind === "env" ? [name] : [])),
    secrets: sorted(names.flatMap(({ kind, name }) => kind === "secrets" ? [name] : [])),
    hosts: sorted([...hosts, ...hostsIn(notify)]),
    reads: sorted(reads.map((file) => file.includes("${{") ? file : NodePath2.resolve(source.folder, file))),
    writes: sorted(writes)
  };
}), listOf = (touches, kind) => {
  let list = mapping(touches)[kind];
  return Array.isArray(list) ? list : void 0;
}, words = { env: "env", secrets: "secret", hosts: "host", reads: "reads", writes: "writes" }, addedResources = (touches, before) => {
  let grown = kinds.flatMap((kind) => {
    let known = listOf(before, kind), added = known === void 0 ? [] : touches[kind].filter((each) => !known.includes(each));
    return added.length === 0 ? [] : [`${words[kind]} ${added.join(", ")}`];
  });
  return grown.length === 0 ? void 0 : grown.join("; ");
};

export {
  isTrial,
  trialFolder,
  isStateless,
  makeRunSpec,
  optionsOf,
  resourcesOf,
  addedResources
};
