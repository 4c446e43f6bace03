#!/usr/bin/env node
/**
 * Checks the installed packages without a network: licences, scripts, the lock file, Node, and known bad
 * versions (.ci/advisories.json). With --online the registry is asked, too. Another project may be named: audit.mjs DIR.
 */
import { execFile } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const words = process.argv.slice(2)
const root = resolve(words.find((word) => !word.startsWith("-")) ?? fileURLToPath(new URL("..", import.meta.url)))
const read = (path) => JSON.parse(readFileSync(path, "utf8"))

/** Those that ask for no more than their notice. */
const licences = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "Python-2.0",
  "MIT-0",
  "Unlicense"
])

/** Their scripts build or choose what a package beside them already holds: .ci/package.mjs installs without any script. */
const needlessScripts = new Set(["@parcel/watcher", "esbuild", "msgpackr-extract"])

/** The oldest Node that package.json lets in. */
const oldest = "20.19.0"

const numbers = (text) =>
  (/^[v=\s]*(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(text) ?? [])
    .slice(1)
    .map((each) => (each === undefined ? undefined : Number(each)))

const compare = (a, b) => a.reduce((found, each, index) => found || each - b[index], 0)

/** The versions from the first up to, but without, the second that a comparator like ^1.2, ~1.2.3, >=1 or 1.x lets in. */
const bounds = (comparator) => {
  const [, operator, text] = /^([<>]=?|[\^~=]?)\s*(.*)$/.exec(comparator)
  const [major, minor, patch] = numbers(text)
  if (major === undefined)
    return [
      [0, 0, 0],
      [Infinity, 0, 0]
    ]
  const low = [major, minor ?? 0, patch ?? 0]
  const next = [low[0], low[1], low[2] + 1]
  const end = minor === undefined ? [major + 1, 0, 0] : patch === undefined ? [major, minor + 1, 0] : next
  switch (operator) {
    case ">=":
      return [low, [Infinity, 0, 0]]
    case ">":
      return [end, [Infinity, 0, 0]]
    case "<":
      return [[0, 0, 0], low]
    case "<=":
      return [[0, 0, 0], end]
    case "^":
      return [
        low,
        major > 0 || minor === undefined
          ? [major + 1, 0, 0]
          : minor > 0 || patch === undefined
            ? [0, minor + 1, 0]
            : next
      ]
    case "~":
      return [low, minor === undefined ? [major + 1, 0, 0] : [major, minor + 1, 0]]
    default:
      return [low, end]
  }
}

/** True if the version is in the npm range; a prerelease counts as its release. */
const satisfies = (version, range) =>
  range.split("||").some((part) =>
    part
      .trim()
      .replace(/([<>=^~])\s+/g, "$1")
      .replace(/(\S+)\s+-\s+(\S+)/g, ">=$1 <=$2")
      .split(/\s+/)
      .every((comparator) => {
        const [low, end] = bounds(comparator)
        const own = numbers(version).map((each) => each ?? 0)
        return compare(own, low) >= 0 && compare(own, end) < 0
      })
  )

const isAllowed = (licence) =>
  licence
    .replace(/[()]/g, "")
    .split(" OR ")
    .some((each) => each.split(" AND ").every((one) => licences.has(one)))

/** `name@version` of the packages whose code is in the bundles of a build. */
const notices = join(root, "dist/third-party.txt")
const bundled = new Set(
  existsSync(notices)
    ? [...readFileSync(notices, "utf8").matchAll(/^(\S+) (\d\S*) \(.+\)$/gm)].map(
        ([, name, version]) => `${name}@${version}`
      )
    : []
)

/** True for what is installed with this package, or bundled in it. */
const isShipped = ({ dev, version }, name) => dev !== true || bundled.has(`${name}@${version}`)

/** Every fault of one entry of the lock file. */
const faultsOf = ([path, entry]) => {
  const name = path.replace(/^.*node_modules\//, "")
  const called = entry.name ?? name
  const own = join(root, path, "package.json")
  const manifest = existsSync(own) ? read(own) : {}
  const runtime = isShipped(entry, called)
  // npm leaves the licence out of what this machine does not install; the version is exact all the same.
  const foreign = entry.optional === true && entry.os !== undefined && !existsSync(own)
  const licence = entry.license ?? manifest.license
  const faults = []
  if (entry.version === undefined) faults.push("the lock file does not say its version")
  const isWhole = /^sha(512|384)-/.test(entry.integrity ?? "")
  const isKnown = foreign && withoutIntegrity.has(`${called}@${entry.version}`)
  if (isWhole && isKnown) faults.push("it has an integrity now: take it out of .ci/no-integrity.json")
  if (!isWhole && !isKnown) faults.push("the lock file has no integrity for it")
  if (!isWhole && isKnown) open++
  // Without a URL, each installation downloads it from its own registry.
  if (entry.resolved !== undefined && !/^https:\/\/[^#]+\.tgz$/.test(entry.resolved)) {
    faults.push(`it comes from ${entry.resolved}, which is no registry`)
  }
  for (const { id, name: bad, range, why } of advisories) {
    if (bad === called && satisfies(entry.version ?? "0.0.0", range))
      faults.push(`${id}: ${why}; versions ${range} are affected`)
  }
  if (runtime && !foreign) {
    if (typeof licence !== "string" || !isAllowed(licence))
      faults.push(`its licence is ${licence ?? "not said"}, which is not among those allowed`)
    if (entry.hasInstallScript === true && !needlessScripts.has(called))
      faults.push("it runs a script where it is installed")
    if (entry.engines?.node !== undefined && !satisfies(oldest, entry.engines.node))
      faults.push(`it wants Node ${entry.engines.node}, and this package promises ${oldest}`)
  }
  return faults.map((fault) => `${called}@${entry.version}: ${fault}`)
}

/** Advisories of the registry; undefined when it does not answer. */
const askRegistry = () =>
  new Promise((done) =>
    execFile("npm", ["audit", "--json"], { cwd: root, timeout: 30_000, maxBuffer: 2 ** 25 }, (_, out) => {
      try {
        done(JSON.parse(out).vulnerabilities)
      } catch {
        done(undefined)
      }
    })
  )

const advisories = read(new URL("advisories.json", import.meta.url))
const entries = Object.entries(read(join(root, "package-lock.json")).packages).filter(
  ([path, { link }]) => path !== "" && link !== true
)
/** Packages of other platforms (`name@version`) whose registry did not give a hash when they were locked. */
const known = join(root, ".ci/no-integrity.json")
const withoutIntegrity = new Set(existsSync(known) ? read(known) : [])
let open = 0
const faults = entries.flatMap(faultsOf)
const locked = new Set(
  entries.map(([path, { name, version }]) => `${name ?? path.replace(/^.*node_modules\//, "")}@${version}`)
)
for (const name of withoutIntegrity)
  if (!locked.has(name)) faults.push(`${name}: the lock file does not have it: take it out of .ci/no-integrity.json`)
const runtime = entries.filter(([path, entry]) => isShipped(entry, entry.name ?? path.replace(/^.*node_modules\//, "")))
if (words.includes("--online")) {
  const known = await askRegistry()
  if (known === undefined) console.log("skipped: npm audit, the registry does not answer it")
  const shipped = new Set(runtime.map(([path]) => path.replace(/^.*node_modules\//, "")))
  for (const { name, range, severity } of Object.values(known ?? {}).filter(({ name }) => shipped.has(name)))
    faults.push(`${name} ${range}: the registry knows of a weakness (${severity}); see npm audit`)
}
for (const fault of faults.slice(0, 50)) console.error(`error: ${fault}`)
if (faults.length > 50) console.error(`error: and ${faults.length - 50} more`)
if (faults.length === 0)
  console.log(
    `audit: ${entries.length} packages, ${runtime.length} of them installed with this one: ${open === 0 ? "nothing to say" : `${open} listed in .ci/no-integrity.json ${open === 1 ? "has" : "have"} no hash, see SECURITY.md`}`
  )
process.exitCode = faults.length === 0 ? 0 : 1
