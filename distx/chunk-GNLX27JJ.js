import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  profileFile
} from "./chunk-Y3UV4EDE.js";
import {
  DefinitionInvalid,
  Permissions,
  catalogue,
  conceal,
  mistakesOf,
  parseText,
  projectOf,
  protectedIn,
  realPath,
  secretNames
} from "./chunk-PGOM52WJ.js";
import {
  NonEmptyArray,
  Record,
  String$,
  Struct,
  decodeUnknownEither,
  make,
  pattern
} from "./chunk-PAQDWWDE.js";
import {
  catchAll3 as catchAll,
  flatMap5 as flatMap,
  forEach2 as forEach,
  gen,
  map9 as map,
  provideService,
  succeed4 as succeed,
  try_
} from "./chunk-JGKSI326.js";
import {
  isRight
} from "./chunk-FWQRLSGQ.js";

// src/Cli/Trust.ts
import { readdirSync, readFileSync, statSync } from "node:fs";
import * as NodePath from "node:path";
var textsOf = (value) => Array.isArray(value) ? value.filter((each) => typeof each == "string") : [], textOf = (value) => typeof value == "string" ? value : void 0, granted = (values, { cwd = ".", env }) => gen(function* () {
  let project = projectOf(cwd), profile = textOf(values.profile), file = profile === void 0 ? void 0 : NodePath.resolve(profileFile(profile)), data = [textOf(values.data), env[catalogue.dataDir.env], file && dataFolderIn(file)], isTrial = values.limit !== void 0 && values.out === void 0;
  return {
    project: project.folder,
    isNone: project.isNone,
    isOwn: !0,
    env: new Set(textsOf(values["allow-env"])),
    folders: textsOf(values["allow-path"]).map((folder) => realPath(folder)),
    code: values["allow-code"] === !0,
    dataFolders: data.flatMap((folder) => folder === void 0 || folder === "" ? [] : protectedIn(folder, cwd)),
    out: "out" in values && !isTrial ? NodePath.resolve(textOf(values.out) ?? ".") : void 0,
    hosts: yield* readHosts(project.all, file)
  };
}), withPermissions = (values, terminal, program) => flatMap(granted(values, terminal), (value) => provideService(program, Permissions, value)), writingTo = (out, limit) => (program) => flatMap(
  Permissions,
  (permissions) => provideService(program, Permissions, {
    ...permissions,
    out: limit === void 0 && out !== void 0 ? NodePath.resolve(out) : void 0
  })
), Host = String$.pipe(
  pattern(/^(\*\.)?[^\s/:*@?#]+$|^\[[0-9a-f:.]+\]$/i, {
    message: () => "write the name of a host, like api.example.com, or *.example.com for all below it"
  })
), Bound = Struct({
  secrets: Record({
    key: String$,
    value: Struct({
      hosts: NonEmptyArray(Host).annotations({ description: "an array of hosts like api.example.com" })
    })
  })
}), codeOf = (error) => typeof error == "object" && error !== null && "code" in error ? String(error.code) : String(error), attempt = (file, call, { ignored, otherwise }) => catchAll(
  try_({ try: call, catch: codeOf }),
  (code) => ignored.includes(code) ? succeed(otherwise) : new DefinitionInvalid({
    file,
    mistakes: [
      { path: [], message: `cannot be read (${code}), and may bind secrets to hosts: repair or remove it` }
    ]
  })
), readRegular = (file) => {
  if (!statSync(file).isFile()) throw Object.assign(new Error(file), { code: "not a regular file" });
  return readFileSync(file, "utf8");
}, inFile = (file, text) => gen(function* () {
  if (!/\bsecrets\b/.test(text)) return [];
  let source = yield* parseText(file, NodePath.dirname(file), text), { value } = source;
  if (typeof value != "object" || value === null || !("secrets" in value)) return [];
  let decoded = decodeUnknownEither(Bound, { errors: "all" })({ secrets: value.secrets });
  if (isRight(decoded)) return Object.entries(decoded.right.secrets);
  let mistakes = mistakesOf(decoded.left.issue).map((mistake) => ({ ...mistake, ...source.locate(mistake.path) }));
  return yield* new DefinitionInvalid({ file, mistakes });
}), settingsOf = (project) => gen(function* () {
  let folder = NodePath.join(project, "config"), names = yield* attempt(folder, () => readdirSync(folder), { ignored: ["ENOENT", "ENOTDIR"], otherwise: [] });
  return yield* forEach(names.filter((name) => /\.ya?ml$/i.test(name)).sort(), (name) => {
    let file = NodePath.join(folder, name);
    return map(
      attempt(file, () => readRegular(file), { ignored: [], otherwise: "" }),
      (text) => [file, text]
    );
  });
}), readHosts = (projects, profile) => gen(function* () {
  let [nearest = "."] = projects, levels = yield* forEach(projects, settingsOf), known = new Set(levels.flat().map(([file]) => realPath(file)));
  if (profile !== void 0 && !known.has(realPath(profile))) {
    let text = yield* attempt(profile, () => readRegular(profile), { ignored: ["ENOENT"], otherwise: "" });
    levels[0] = [...levels[0] ?? [], [profile, text]];
  }
  let bound = /* @__PURE__ */ new Map();
  for (let files of levels) {
    let here = /* @__PURE__ */ new Map();
    for (let [file, text] of files)
      for (let [name, { hosts }] of yield* inFile(file, text)) {
        let before = here.get(name);
        here.set(name, {
          hosts: [...before?.hosts ?? [], ...hosts.map((host) => host.toLowerCase())],
          file: before?.file ?? NodePath.relative(nearest, file)
        });
      }
    for (let [name, binding] of here) bound.set(name, [...bound.get(name) ?? [], binding]);
  }
  return bound;
}), dataFolderIn = (profile) => {
  try {
    let text = readFileSync(profile, "utf8");
    return /^["']?dataDir["']?\s*:\s*["']?([^"'#\n]+?)["']?\s*(?:#.*)?$/m.exec(text)?.[1];
  } catch {
    return;
  }
}, scopeOf = (whole) => {
  let env = Object.fromEntries(Object.entries(whole).filter(([name]) => !secretNames.has(name)));
  return {
    env,
    secrets: (name) => {
      let secret = env[name];
      if (secret !== void 0)
        return conceal(secret), make(secret);
    }
  };
};

export {
  withPermissions,
  writingTo,
  scopeOf
};
