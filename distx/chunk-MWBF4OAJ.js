import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  scopeBefore
} from "./chunk-3BWTLUFE.js";
import {
  decode
} from "./chunk-LO3OT3SC.js";
import {
  CrawlParams,
  Permissions,
  PinUnusable,
  forDefinition,
  mistakesOf,
  open,
  readable
} from "./chunk-PGOM52WJ.js";
import {
  FileSystem
} from "./chunk-4U3SQ3WC.js";
import {
  fileErrorReason
} from "./chunk-DUMKR6VQ.js";
import {
  Literal,
  String$,
  Struct,
  decodeUnknownEither,
  optional
} from "./chunk-PAQDWWDE.js";
import {
  catchAll3 as catchAll,
  flatMap5 as flatMap2,
  forEach2 as forEach,
  gen,
  map9 as map,
  provideService,
  succeed4 as succeed
} from "./chunk-JGKSI326.js";
import {
  flatMap,
  isLeft,
  mapLeft,
  try_
} from "./chunk-FWQRLSGQ.js";

// src/Pipeline/Pin.ts
import * as NodePath from "node:path";
var Lock = Struct({
  version: Literal(1),
  url: String$,
  prompt: String$,
  /** Host of the service, or `local`. */
  service: String$,
  /** `model` or `rules`, when the service says which. */
  answeredBy: optional(String$),
  /** `2026-03-01`. */
  date: String$,
  answer: CrawlParams
}), fileOf = ({ source: { file, folder } }, pin) => flatMap2(
  Permissions,
  (permissions) => provideService(
    readable(pin, folder),
    Permissions,
    forDefinition(permissions, NodePath.resolve(folder, NodePath.basename(file)))
  )
), isMapping = (value) => typeof value == "object" && value !== null && !Array.isArray(value), sorted = (_, value) => isMapping(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1)) : value, unseen = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, render = (lock) => `${JSON.stringify(lock, sorted, 2).replace(unseen, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`)}
`, parse = (text) => flatMap(
  mapLeft(
    try_(() => JSON.parse(text)),
    () => "it is not valid JSON"
  ),
  (value) => mapLeft(
    decodeUnknownEither(Lock, { errors: "first", onExcessProperty: "error" })(value),
    (error) => {
      let [mistake] = mistakesOf(error.issue);
      if (mistake === void 0) return "it has another form";
      let path = mistake.atKey === !0 ? "" : mistake.path.map(String).join(".");
      return path === "" ? mistake.message : `${path}: ${mistake.message}`;
    }
  )
), inspect = (file, question) => flatMap2(FileSystem, (files) => files.readFileString(file)).pipe(
  map((text) => {
    let parsed = parse(text);
    if (isLeft(parsed)) return { is: "broken", reason: parsed.left };
    let lock = parsed.right, differs = ["url", "prompt"].filter(
      (key) => question !== void 0 && lock[key] !== question[key]
    );
    return differs.length === 0 ? { is: "held", lock } : { is: "stale", lock, differs };
  }),
  catchAll(
    (error) => succeed(
      error._tag === "SystemError" && error.reason === "NotFound" ? { is: "missing" } : { is: "broken", reason: fileErrorReason(error) }
    )
  )
), objection = (standing, pin, definition) => {
  switch (standing.is) {
    case "held":
      return;
    case "missing":
      return `the lock file ${pin} is missing: \`sluice pin ${definition}\` makes it`;
    case "stale":
      return `the lock file ${pin} was made for another ${standing.differs.join(" and ")}: \`sluice pin ${definition}\` asks again and shows what changes`;
    case "broken":
      return `the lock file ${pin} cannot be used, ${standing.reason}: \`sluice pin ${definition} --update\` replaces it`;
  }
}, questionOf = (node, scope) => map(decode(node, scope), (decoded) => {
  if (node.common.pin === void 0 || isLeft(decoded)) return;
  let { common, config } = decoded.right;
  if (!(common.when === !1 || common.pin === void 0))
    return { node, pin: common.pin, question: config === open ? void 0 : config };
}), pinned = (checked, options) => map(
  forEach(checked.nodes, (node) => questionOf(node, scopeBefore(checked, options))),
  (found) => found.filter((each) => each !== void 0)
), require2 = (checked, options) => flatMap2(
  pinned(checked, options),
  (all) => forEach(all, ({ node, pin, question }) => answer(checked, node, pin, question), { discard: !0 })
), answer = (checked, node, pin, question) => gen(function* () {
  let standing = yield* inspect(yield* fileOf(checked, pin), question);
  if (standing.is === "held") return standing.lock.answer;
  let place = checked.source.locate(["steps", node.index, "pin"]), { file } = checked.source;
  return yield* new PinUnusable({
    message: objection(standing, pin, file) ?? pin,
    step: node.id,
    definedAt: place === void 0 ? file : `${file}:${place.line}:${place.column}`
  });
});

export {
  fileOf,
  render,
  inspect,
  objection,
  questionOf,
  require2 as require,
  answer
};
