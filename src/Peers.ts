/**
 * Checks the peer dependencies. Entry points that share Effect with the program run it before they load anything else: with another major
 * version of Effect the modules cannot even be linked, and Node would name a missing file inside that package.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"

/** Holds how many project modules are being loaded. On `globalThis`, because the entry points and the executable share no module. */
const mark = Symbol.for("sluice/loads code")

const loaded = (): number => {
  const count: unknown = Reflect.get(globalThis, mark)
  return typeof count === "number" ? count : 0
}

/** Counts the project modules that are being loaded by a copy of Sluice with Effect bundled (`Step/ProjectCode.ts`). */
export const loading = (more: 1 | -1): void => {
  Reflect.set(globalThis, mark, loaded() + more)
}

/** True while such a copy loads a project module: the module's import of Sluice gets that copy. */
export const isLoadedBySluice = (): boolean => loaded() > 0

/** The major, minor and patch numbers of a version or a caret range. */
const numbersOf = (version: string): ReadonlyArray<number> => (version.match(/\d+/g) ?? []).slice(0, 3).map(Number)

/** True if a version is in a caret range, which fixes the major version, and below 1.0.0 the minor version, too. */
const isInRange = (version: string, range: string): boolean => {
  const [found, wanted] = [numbersOf(version), numbersOf(range)]
  const fixed = wanted[0] === 0 ? 2 : 1
  const at = wanted.findIndex((each, index) => each !== found[index])
  return at === -1 || (at >= fixed && (found[at] ?? 0) > (wanted[at] ?? 0))
}

/** Describes the wrong peer versions, with the command to fix them. Undefined if every version is in its range or cannot be read. */
export const peerFault = (
  wanted: Readonly<Record<string, string>>,
  versionOf: (name: string) => string | undefined
): string | undefined => {
  const wrong = Object.entries(wanted).flatMap(([name, range]) => {
    const found = versionOf(name)
    return found === undefined || (found !== "" && isInRange(found, range)) ? [] : [{ found, name, range }]
  })
  if (wrong.length === 0) return undefined
  const said = wrong.map(({ found, name, range }) => `${name} ${range} (${found === "" ? "not" : found} installed)`)
  const all = Object.entries(wanted).map(([name, range]) => `"${name}@${range}"`)
  return `"sluice" and "sluice/cluster" need ${said.join(" and ")}. Run: npm install ${all.join(" ")}, or import "sluice/promise", which needs no Effect`
}

/** Version of a package as resolved from this one; empty if the package is not installed, undefined if its version cannot be read. */
const installedVersion = (name: string): string | undefined => {
  try {
    const file = createRequire(import.meta.url).resolve(`${name}/package.json`)
    return (JSON.parse(readFileSync(file, "utf8")) as { readonly version?: string }).version
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND" ? "" : undefined
  }
}

/** Throws if the program has another version of a peer dependency. Reads the `package.json` of each. */
export const checkPeers = (wanted: Readonly<Record<string, string>>): void => {
  const fault = peerFault(wanted, installedVersion)
  if (fault === undefined) return
  const error = new Error(fault)
  // The stack would only point to this file.
  error.stack = `Error: ${fault}`
  throw error
}
