/**
 * Programs beside Node that some tests need. Where one is missing they are skipped, and the run says so in one line; in CI, where every test
 * has to run, it fails instead. Set-up of the whole run (`vitest.config.ts`).
 */
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import * as Either from "effect/Either"
import { find } from "../src/Settings/Chromium.ts"
import { isCi, skipsLong } from "./Long.ts"

/** The executable. */
export const chromium = Either.getOrUndefined(find(process.env.SLUICE_CHROMIUM, process.env.PATH))

const versions = "/usr/lib/postgresql"

/** The folder of `initdb` and `postgres`. */
export const postgres = [
  process.env.SLUICE_TEST_POSTGRES_BIN ?? "",
  ...(process.env.PATH ?? "").split(":"),
  ...(existsSync(versions) ? readdirSync(versions).map((version) => join(versions, version, "bin")) : [])
].find((folder) => folder !== "" && ["initdb", "postgres"].every((name) => existsSync(join(folder, name))))

/** What is missing here, with the package of Debian that has it. */
export const missing = [
  { name: "Chromium", found: chromium, debian: "chromium" },
  { name: "Postgres", found: postgres, debian: "postgresql" }
].flatMap(({ debian, found, name }) =>
  found === undefined ? [`tests that need ${name} are skipped: install the Debian package ${debian}`] : []
)

export default () => {
  if (isCi && missing.length > 0) throw new Error(`In CI no test may be skipped, and ${missing.join("; ")}`)
  for (const line of missing) console.warn(line)
  if (skipsLong) console.warn("tests of more than a second are skipped: SLUICE_LONG_TESTS=1 npm test runs them, too")
}
