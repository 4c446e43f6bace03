/**
 * Builds `dist/` twice from the same sources: with Effect in it, for the executable and for `sluice/promise`, which then need no peer; and
 * without, for `sluice` and `sluice/cluster` (the layers of a program and ours must share one Effect). Everything else is bundled in both,
 * except what has native code or looks for files beside itself.
 */
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { build, transform } from "esbuild"

const root = fileURLToPath(new URL(".", import.meta.url))
/** Another folder may be named, for a build beside the one that is in use, and further programs: `name=file`. */
const [folder = `${root}dist`, ...further] = process.argv.slice(2)
const outdir = resolve(folder)
const { dependencies, devDependencies, peerDependencies, version } = JSON.parse(
  readFileSync(`${root}package.json`, "utf8")
)

/** Peer dependencies of `sluice` and `sluice/cluster`. Their range in package.json is `*`: npm would not install Sluice beside Effect 4 otherwise. */
const effect = ["effect", "@effect/platform"]
const wantedPeers = Object.fromEntries(effect.map((name) => [name, `^${devDependencies[name]}`]))

const isEffect = (name) => effect.includes(name)
/** Packages that are taken from where they are installed. */
const installed = [...Object.keys(dependencies), ...Object.keys(peerDependencies), "esbuild"].filter(
  (name) => !isEffect(name)
)

/** Large packages of which one file is used. The executable and the library share a bundle of it: package and name of the bundle. */
const large = { "eld/extrasmall": "languages", "@e965/xlsx": "spreadsheets" }

/** A module of the sources that the build itself uses. */
const ownModule = async (file) => {
  const { outputFiles } = await build({ absWorkingDir: root, entryPoints: [file], format: "esm", write: false })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`)
}

/** The n-grams of the language detector as one string. */
const packedNgrams = {
  name: "packed-ngrams",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/eld\/src\/ngrams\/\w+\.js$/ }, async ({ path }) => {
      const { pack } = await ownModule("src/Html/NgramTable.ts")
      const { ngrams, ...others } = (await import(path)).ngramsData
      return {
        resolveDir: root,
        contents: `import { table } from "./src/Html/NgramTable.ts"
export const ngramsData = { ...${JSON.stringify(others)}, ngrams: table(${JSON.stringify(pack(ngrams))}) }`
      }
    })
}

const largeApart = {
  name: "large-apart",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^(eld|@e965)\// }, ({ path }) =>
      path in large ? { path: `./${large[path]}.js`, external: true } : undefined
    )
}

/** Packages of `src/Packages.ts`, which are loaded when they are used, and the file of each. */
const lateFile = "src/Packages.ts"
const late = new Map(
  [...readFileSync(`${root}${lateFile}`, "utf8").matchAll(/require\("(.+?)"\)/g)].map(([, name]) => [
    name,
    `late-${name.replace(/\W+/g, "-")}`
  ])
)

const lateApart = {
  name: "late-apart",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/src\/Packages\.ts$/ }, ({ path }) => ({
      loader: "ts",
      contents: readFileSync(path, "utf8").replace(
        /require\("(.+?)"\)/g,
        (_, name) => `require("./${late.get(name)}.cjs")`
      )
    }))
}

/** Of htmlparser2, its parser and tokenizer: its index brings the tables of a second version of `entities`, which nothing uses. */
const htmlParts = {
  name: "html-parts",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^htmlparser2$/ }, () => ({ path: "htmlparser2", namespace: "html-parts" }))
    onLoad({ filter: /.*/, namespace: "html-parts" }, () => ({
      resolveDir: root,
      contents: `export { Parser } from "./node_modules/htmlparser2/dist/esm/Parser.js"
export { default as Tokenizer } from "./node_modules/htmlparser2/dist/esm/Tokenizer.js"`
    }))
  }
}

/** Of undici, only what the engine uses: its tests, caches, WebSockets and its `fetch` are loaded with the rest, and are half of it. */
const undiciParts = {
  name: "undici-parts",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^undici$/ }, () => ({ path: "undici", namespace: "undici-parts" }))
    onLoad({ filter: /.*/, namespace: "undici-parts" }, () => ({
      resolveDir: root,
      contents: `
        const Dispatcher = require("undici/lib/dispatcher/dispatcher")
        Object.assign(Dispatcher.prototype, require("undici/lib/api"))
        module.exports = {
          Dispatcher,
          Agent: require("undici/lib/dispatcher/agent"),
          Pool: require("undici/lib/dispatcher/pool"),
          ProxyAgent: require("undici/lib/dispatcher/proxy-agent"),
          buildConnector: require("undici/lib/core/connect"),
          errors: require("undici/lib/core/errors")
        }`
    }))
  }
}

/**
 * The HTTP server of Effect without the HTTP client of its tests, the types of files, and its WebSockets: the engine has its own
 * (`Upgrade.ts`). Declarations of endpoints need the router only for `prefix`, which Sluice does not call.
 */
const serverParts = {
  name: "server-parts",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^(mime|ws|\.\.\/NodeHttpClient\.js)$/ }, ({ importer, path }) =>
      /@effect\/platform-node\/dist\/esm\/internal\/http(Server|Platform)\.js$/.test(importer)
        ? { path, namespace: "server-parts" }
        : undefined
    )
    onResolve({ filter: /^\.\/HttpRouter\.js$/ }, ({ importer, path }) =>
      importer.endsWith("/HttpApiEndpoint.js") ? { path, namespace: "server-parts" } : undefined
    )
    onLoad({ filter: /.*/, namespace: "server-parts" }, () => ({
      contents: `export default { getType: () => null }
export const layerWithoutAgent = undefined, makeAgentLayer = undefined
export const prefixPath = () => { throw new Error("The router of Effect is not in this build (build.mjs), so endpoints take no prefix.") }
export class WebSocketServer { close = (done) => done() }`
    }))
  }
}

/**
 * `node:assert` that makes a message of no source text. For an assertion without a message Node parses the file that makes it, which takes
 * seconds in a bundle: a site whose answer fails one of undici's assertions would hold up the engine.
 */
const quietAssertions = {
  name: "quiet-assertions",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^(node:)?assert$/ }, () => ({ path: "assert", namespace: "quiet-assertions" }))
    onLoad({ filter: /.*/, namespace: "quiet-assertions" }, () => ({
      contents: `const { AssertionError, ...others } = process.getBuiltinModule("node:assert")
const assert = (value, message = "an assertion does not hold") => {
  if (value) return
  throw message instanceof Error ? message : new AssertionError({ message, actual: value, expected: true, operator: "==" })
}
module.exports = Object.assign(assert, others, { AssertionError, ok: assert })`
    }))
  }
}

const shared = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  outdir,
  logLevel: "warning",
  metafile: true,
  legalComments: "none",
  // Node shows the line of an error, and a bundle without line breaks is one.
  lineLimit: 200,
  define: { "process.env.SLUICE_VERSION": JSON.stringify(version) },
  // Names stay, for the stacks that `--debug` prints.
  minifySyntax: true,
  minifyWhitespace: true
}

/** Options of the two bundles of the sources: with Effect in it, and without. */
const sources = {
  ...shared,
  // yaml as ES modules: for Node it exports CommonJS, which cannot be tree-shaken.
  alias: { yaml: `${root}node_modules/yaml/browser/dist/index.js` },
  plugins: [largeApart, lateApart, htmlParts, serverParts, undiciParts, quietAssertions]
}

/** For packages of CommonJS in the bundle, most of which only want modules of Node. */
const requireBanner = {
  js: 'import { createRequire as __createRequire } from "node:module"; const require = (name) => process.getBuiltinModule(name) ?? __createRequire(import.meta.url)(name);'
}

/** The JSONata library with our edits (`src/Row/Expression/JsonataEdits.ts`). Making them at every start would take a tenth of a short command. */
const buildJsonata = async () => {
  const { edited } = await ownModule("src/Row/Expression/JsonataEdits.ts")
  const library = createRequire(import.meta.url).resolve("jsonata")
  const { code } = await transform(edited(readFileSync(library, "utf8")), {
    minifyWhitespace: true,
    legalComments: "none"
  })
  writeFileSync(`${outdir}/jsonata.js`, code)
}

/** Entry points that share the Effect of the program. */
const doors = { index: "src/index.ts", cluster: "src/Cluster/Door.ts" }
const entries = (kind) => Object.fromEntries(Object.entries(doors).map(([name, file]) => [`${kind}-${name}`, file]))

/**
 * The files that `exports` of package.json names for Node. They check the peer dependencies before the library is linked; code that Sluice
 * itself loads (pipelines in TypeScript) gets the copy with Effect in it, and needs none. Bundlers, which link by themselves, take the library
 * (condition `module`).
 */
const writeDoors = ({ outputs }) => {
  const choice = (name) => `isLoadedBySluice() ? "./bundled-${name}.js" : "./library-${name}.js"`
  const check = `if (!isLoadedBySluice()) checkPeers(${JSON.stringify(wantedPeers)})`
  for (const name of Object.keys(doors)) {
    const [, { exports }] = Object.entries(outputs).find(([path]) => path.endsWith(`/library-${name}.js`))
    const names = exports.map((each) => `export const ${each} = library.${each}\n`).join("")
    writeFileSync(
      `${outdir}/${name}.js`,
      `import { checkPeers, isLoadedBySluice } from "./peers.js"\n${check}\nconst library = await import(${choice(name)})\n${names}`
    )
    writeFileSync(
      `${outdir}/${name}.cjs`,
      `const { checkPeers, isLoadedBySluice } = require("./peers.js")\n${check}\nmodule.exports = require(${choice(name)})\n`
    )
  }
  writeFileSync(`${outdir}/promise.cjs`, 'module.exports = require("./promise.js")\n')
}

/**
 * Escapes letters beyond ASCII, which esbuild leaves in regular expressions: with one of them, V8 reads and keeps a whole file as UTF-16.
 */
const escapeLetters = ({ outputs }) => {
  for (const path of Object.keys(outputs)) {
    const text = readFileSync(join(root, path), "utf8")
    // The backslash would escape the one of the escape.
    if (/\\[\u0080-\uffff]/.test(text)) throw new Error(`${path} has a backslash before a letter beyond ASCII.`)
    const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
    writeFileSync(join(root, path), text.replace(/[\u0080-\uffff]/g, escaped))
  }
}

/** Licences of the packages whose code is in the bundles, with their texts; the list of a release (`.ci/release.mjs`) reads it, too. */
const writeNotices = (metafiles) => {
  const folders = new Set(
    metafiles
      .flatMap(({ outputs }) => Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs)))
      .flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
  )
  folders.add("node_modules/jsonata")
  const notices = [...folders].map((folder) => {
    const { license, name, version } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))
    const texts = readdirSync(join(root, folder)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    const lines = texts.sort().map((file) => readFileSync(join(root, folder, file), "utf8").trim())
    return [`${name} ${version} (${license})`, ...lines].join("\n\n")
  })
  writeFileSync(join(outdir, "third-party.txt"), `${notices.sort().join(`\n\n${"-".repeat(80)}\n\n`)}\n`)
}

mkdirSync(outdir, { recursive: true })
for (const name of readdirSync(outdir).filter((each) => /\.(?:css|c?js)$/.test(each))) rmSync(`${outdir}/${name}`)

const [, ...built] = await Promise.all([
  buildJsonata(),
  build({
    ...shared,
    entryPoints: Object.entries(large).map(([name, out]) => ({ in: fileURLToPath(import.meta.resolve(name)), out })),
    chunkNames: "large-[hash]",
    plugins: [packedNgrams],
    charset: "utf8"
  }),
  build({
    ...shared,
    entryPoints: [...late].map(([name, out]) => ({
      in: name === "undici" ? name : createRequire(import.meta.url).resolve(name),
      out
    })),
    splitting: false,
    format: "cjs",
    outExtension: { ".js": ".cjs" },
    plugins: [undiciParts, quietAssertions]
  }),
  build({
    ...sources,
    entryPoints: {
      bin: "src/bin.ts",
      promise: "src/promise.ts",
      ...entries("bundled"),
      "parse-child": "src/Engine/Parse/Child.ts",
      "scrape-thread": "src/Engine/Scrape/DocumentThread.ts",
      "command-thread": "src/Engine/Browser/CommandThread.ts",
      "read-thread": "src/Engine/Jobs/ReadThread.ts",
      "fields-thread": "src/Step/Extract/PageThread.ts",
      ...Object.fromEntries(further.map((program) => program.split("=")))
    },
    chunkNames: "chunk-[hash]",
    external: installed,
    define: { ...shared.define, "process.env.SLUICE_HAS_EFFECT": '"true"' },
    banner: requireBanner
  }),
  build({
    ...sources,
    entryPoints: entries("library"),
    chunkNames: "lib-[hash]",
    define: { ...shared.define, "process.env.SLUICE_HAS_EFFECT": "undefined" },
    external: [...installed, ...effect.flatMap((name) => [name, `${name}/*`])],
    banner: requireBanner
  }),
  // Node shows the line that throws.
  build({ ...shared, minifyWhitespace: false, entryPoints: { peers: "src/Peers.ts" } }),
  // The script of the browser pages: the engine serves it.
  build({
    absWorkingDir: root,
    bundle: true,
    format: "esm",
    target: ["chrome115", "firefox121", "safari16.4"],
    minify: true,
    metafile: true,
    outdir,
    logLevel: "warning",
    jsx: "automatic",
    jsxImportSource: "preact",
    entryPoints: [
      { in: "src/Web/Live/Main.ts", out: "live-view" },
      { in: "src/Web/Live/Live.css", out: "live-view" },
      { in: "src/Web/Dashboard/Main.tsx", out: "dashboard" },
      { in: "src/Web/Dashboard/Dashboard.css", out: "dashboard" }
    ]
  })
])
// Templates, which a module reads from beside itself.
cpSync(`${root}src/Cli/Templates`, `${outdir}/Templates`, { recursive: true })
const [, , bundled, library] = built
for (const { metafile } of [bundled, library]) escapeLetters(metafile)
writeDoors(library.metafile)
writeNotices(built.map(({ metafile }) => metafile))
chmodSync(`${outdir}/bin.js`, 0o755)
