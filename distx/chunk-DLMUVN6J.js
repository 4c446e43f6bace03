import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  Profiles,
  layer
} from "./chunk-SKW2AAU4.js";
import {
  layer as layer2
} from "./chunk-B6Z23CTJ.js";
import "./chunk-Q3EFARSN.js";
import {
  withEngineStore
} from "./chunk-4D2OEZ5S.js";
import {
  data,
  profile
} from "./chunk-22T4FJR7.js";
import {
  make,
  oneOf,
  optional,
  text,
  toggle,
  withDefault
} from "./chunk-FCWYZXNV.js";
import {
  WrongUsage,
  bytes,
  table
} from "./chunk-BMNGXVO7.js";
import "./chunk-CZDJQLZL.js";
import "./chunk-Y3UV4EDE.js";
import "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-NEXSCO5F.js";
import "./chunk-F63MDLXW.js";
import "./chunk-3IJJA3UF.js";
import "./chunk-7DF5MID3.js";
import "./chunk-4U3SQ3WC.js";
import "./chunk-DUMKR6VQ.js";
import {
  TaggedError,
  provide as provide2
} from "./chunk-PAQDWWDE.js";
import {
  catchTags,
  flatMap5 as flatMap,
  gen,
  provide2 as provide
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Cli/Profile.ts
var parameters = {
  action: oneOf("ACTION", ["list", "rm"], "list or rm."),
  name: optional("NAME", "For rm: the profile."),
  team: withDefault(
    text("TEAM", "Of whose keys the profiles are; default: default, whose key the engine makes itself."),
    "default"
  ),
  data: data("the local engine's store"),
  profile,
  json: toggle("Prints a line of JSON for each profile.")
}, command = make({
  details: "A profile is what browser sessions with the same profile name share: cookies, local storage, IndexedDB. It comes to be when a session that saves its changes ends. Removing one signs it out everywhere; a session that is open goes on.",
  parameters,
  examples: [
    { line: "sluice profile list", what: "names, sizes, and when each was saved" },
    { line: "sluice profile rm shop", what: "forgets its cookies and storage" }
  ],
  run: (options, terminal) => run(options, terminal)
}), ProfileRefused = class extends TaggedError("ProfileRefused") {
  get message() {
    return `${this.reason} sluice profile list shows what there is`;
  }
}, list = ({ json, team }, { err, out }) => gen(function* () {
  let all = yield* flatMap(Profiles, (profiles) => profiles.list(team)), saved = (time) => time === void 0 ? null : new Date(time).toISOString();
  if (json)
    for (let { savedAt, ...profile2 } of all)
      out.write(`${JSON.stringify({ ...profile2, savedAt: saved(savedAt) })}
`);
  else if (all.length === 0) err.write(`the team ${team} has no browser profiles
`);
  else {
    let rows = all.map(({ bytes: size, isInUse, name, savedAt }) => [
      name,
      bytes(size),
      saved(savedAt)?.slice(0, 16).replace("T", " ") ?? "not yet",
      isInUse ? "by a session" : ""
    ]);
    out.write(`${table([["profile"], ["size", "right"], ["saved"], ["in use"]], rows, out).join(`
`)}
`);
  }
}), remove = ({ json, name, team }, { err, out }) => gen(function* () {
  if (name === void 0)
    return yield* new WrongUsage({ reason: "sluice profile rm takes the NAME of a profile" });
  yield* flatMap(Profiles, (profiles) => profiles.remove(team, name)).pipe(
    catchTags({
      Conflict: ({ error }) => new ProfileRefused({ reason: error }),
      NotFound: ({ error }) => new ProfileRefused({ reason: error })
    })
  ), json ? out.write(`${JSON.stringify({ removed: name })}
`) : err.write(`removed 1 profile
`);
}), run = (options, terminal) => withEngineStore(options, terminal, "there are no browser profiles", (dataDir) => {
  let act = options.action === "rm" ? remove(options, terminal) : list(options, terminal);
  return provide(act, provide2(layer(dataDir), layer2(dataDir)));
});
export {
  command
};
