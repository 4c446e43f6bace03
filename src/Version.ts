/** Version of this package: the build inserts it; when running from source, it is read from `package.json`. */
import { readFileSync } from "node:fs"

const fromPackage = (): string => {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8")
  return String((JSON.parse(text) as { readonly version?: unknown }).version)
}

export const version: string = process.env.SLUICE_VERSION ?? fromPackage()
