/** Finds Chromium, at the path in the settings or in the usual places, and playwright-core, the optional peer dependency that drives it. */
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import * as Either from "effect/Either"
import { catalogue } from "../Settings.ts"

/** Instructions to install Chromium. */
export const installCommand = `npx @puppeteer/browsers install chrome-headless-shell@stable, then set ${catalogue.chromium.env} to the path it prints`

/** Oldest supported version of playwright-core, because of how `Render/RunningBrowser.ts` connects. */
const driver = { name: "playwright-core", major: 1, minor: 65 }
const driverCommand = `npm install "${driver.name}@^${driver.major}.${driver.minor}"`

/** Chromium or its driver is missing. `found` is a clause that says what was found. */
export interface Absent {
  readonly found: string
  readonly todo: string
}

const browsers = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome-headless-shell",
  "chrome.exe"
]
const macBrowsers = ["Google Chrome.app/Contents/MacOS/Google Chrome", "Chromium.app/Contents/MacOS/Chromium"]

/** Path and version of the driver's `package.json`, resolved from this package. */
const manifestOfDriver = () =>
  Either.try(() => {
    // Never resolved from the working folder: it may belong to someone else, and its code would run.
    const path = createRequire(import.meta.url).resolve(`${driver.name}/package.json`)
    const { version } = JSON.parse(readFileSync(path, "utf8")) as { readonly version?: unknown }
    return { path, version: String(version) }
  })

/** Folder of playwright-core, which must be installed beside this package. */
export const findDriver = (): Either.Either<string, Absent> => {
  const manifest = manifestOfDriver()
  if (Either.isLeft(manifest)) {
    return Either.left({ found: `the package that drives it, ${driver.name}, is not installed`, todo: driverCommand })
  }
  const { path, version } = manifest.right
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const needed = `${driver.major}.${driver.minor}`
  return major === driver.major && minor >= driver.minor
    ? Either.right(dirname(path))
    : Either.left({
        found: `${driver.name} ${version} does not fit: ${needed} or newer is needed`,
        todo: driverCommand
      })
}

/** Loads playwright-core, which takes 60 MB of memory that most processes never need. Throws an error with the command that installs it. */
export const loadDriver = (part = "index.js"): unknown => {
  const folder = Either.getOrThrowWith(findDriver(), ({ found, todo }) => new Error(`${found}. Type: ${todo}`))
  return createRequire(import.meta.url)(join(folder, part))
}

/** Path of the Chromium executable. Fails without the driver, too. `path` is the `PATH` of the environment. */
export const find = (setting: string | undefined, path: string | undefined): Either.Either<string, Absent> => {
  if (setting !== undefined) {
    return existsSync(setting)
      ? Either.map(findDriver(), () => setting)
      : Either.left({
          found: `${catalogue.chromium.env} names ${setting}, which does not exist`,
          todo: "correct it, or unset it"
        })
  }
  const folders = (path ?? "").split(process.platform === "win32" ? ";" : ":").filter((folder) => folder !== "")
  const candidates = [
    ...folders.flatMap((folder) => browsers.map((name) => join(folder, name))),
    ...macBrowsers.map((name) => `/Applications/${name}`)
  ]
  const found = candidates.find((candidate) => existsSync(candidate))
  const driven = findDriver()
  if (found !== undefined) return Either.map(driven, () => found)
  const todo = Either.isLeft(driven) ? `${driverCommand}, then ${installCommand}` : installCommand
  return Either.left({ found: "none was found", todo })
}
