/**
 * Long tests: those that take more than a second. Some 760 of 5,960 take most of the time of all. `npm test` skips them; `npm run faults`,
 * `SLUICE_LONG_TESTS=1 npm test` and `npx vitest run FILE` run them. In CI (`.ci/run`), `SLUICE_LONG_TESTS=2/4` runs those of every
 * fourth file, from the second on, and `SEED` is for these files only.
 */
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"

const isSet = (value: string | undefined): boolean => !["", "0", "false"].includes(value ?? "")

export const isCi = isSet(process.env.CI)

/** Paths of the test files of a part, such as `2/4`: each takes every fourth of the sorted files, so every folder is in all of them. */
export const filesOfPart = (part: string): ReadonlySet<string> => {
  const [number = 0, parts = 0] = part.split("/").map(Number)
  if (!(number >= 1 && number <= parts)) throw new Error(`SLUICE_LONG_TESTS=${part} is not a part such as 1/4 or 4/4`)
  const files = readdirSync(fileURLToPath(new URL(".", import.meta.url)), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .sort()
    .filter((_, index) => index % parts === number - 1)
  return new Set(files.map((name) => fileURLToPath(new URL(name, import.meta.url))))
}

const asked = process.env.SLUICE_LONG_TESTS
const part = asked?.includes("/") ? filesOfPart(asked) : undefined

/** True where they are skipped: `scoped.skipIf(skipsLong)(…)`. With a part, that changes from file to file. */
export let skipsLong = asked === undefined ? process.env.npm_lifecycle_event === "test" && !isCi : !isSet(asked)

/** Before the tests of a file are collected (`setup.ts`), as the files of a worker share this module. False outside of the part. */
export const beginFile = (file: string | undefined): boolean => {
  if (part === undefined) return true
  if (file === undefined) throw new Error("vitest does not say which file it collects")
  skipsLong = !part.has(file)
  return !skipsLong
}
