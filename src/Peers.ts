/**
 * Check of the peer dependencies, which the entry points of the package make before they load anything else. With another major version of
 * Effect the modules cannot even be linked, and Node would name a missing file inside that package.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"

/** Parts of a version that a caret range fixes: the major version, and below 1.0 the minor one, too. */
const lineOf = (version: string): string => (/^(?:0\.\d+|\d+)/.exec(version.replace(/^\^/, "")) ?? [version])[0]

/** Error about the installed versions, with the command that mends them. Undefined when each is of the wanted line, or is hidden by its package manager. */
export const peerFault = (
  wanted: Readonly<Record<string, string>>,
  versionOf: (name: string) => string | undefined
): string | undefined => {
  const wrong = Object.entries(wanted).flatMap(([name, range]) => {
    const found = versionOf(name)
    return found === undefined || lineOf(found) === lineOf(range) ? [] : [{ found, name, range }]
  })
  if (wrong.length === 0) return undefined
  const said = wrong.map(({ found, name, range }) =>
    found === "" ? `${name} ${range}, which is not installed` : `${name} ${range}, and ${found} is installed`
  )
  const all = Object.entries(wanted).map(([name, range]) => `"${name}@${range}"`)
  return `sluice needs ${said.join("; and ")}. Type: npm install ${all.join(" ")}`
}

/** Version of a package as this one finds it; empty if it finds none, undefined if the package does not tell. */
const installedVersion = (name: string): string | undefined => {
  try {
    const file = createRequire(import.meta.url).resolve(`${name}/package.json`)
    return (JSON.parse(readFileSync(file, "utf8")) as { readonly version?: string }).version
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND" ? "" : undefined
  }
}

/** Throws when the program has another line of a peer dependency. Reads the `package.json` of each. */
export const checkPeers = (wanted: Readonly<Record<string, string>>): void => {
  const fault = peerFault(wanted, installedVersion)
  if (fault === undefined) return
  const error = new Error(fault)
  // The stack would show this file only.
  error.stack = `Error: ${fault}`
  throw error
}
