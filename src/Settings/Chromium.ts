/** Finds Chromium, from the setting or in the usual places, and the package that drives it, which is an optional peer dependency. */
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import * as Either from "effect/Either"
import { catalogue } from "../Settings.ts"

/** Instructions to install one. */
export const installCommand = `npx @puppeteer/browsers install chrome-headless-shell@stable, then set ${catalogue.chromium.env} to the path it prints`

/** Oldest version of playwright-core that connects as `Render/RunningBrowser.ts` does. */
const driver = { name: "playwright-core", major: 1, minor: 65 }
const driverCommand = `npm install ${driver.name}@^${driver.major}.${driver.minor}`

/** No Chromium was found, or nothing to drive it with. `found` is a clause. */
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

const manifestOf = (name: string): string | undefined => {
  for (const from of [import.meta.url, join(process.cwd(), "index.js")]) {
    try {
      return createRequire(from).resolve(`${name}/package.json`)
    } catch {
      // `npx` installs this package far from the project that has the other one.
    }
  }
  return undefined
}

/** Folder of playwright-core: beside this package, else in the project of the working folder. */
export const findDriver = (): Either.Either<string, Absent> => {
  const manifest = manifestOf(driver.name)
  if (manifest === undefined) {
    return Either.left({ found: `the package that drives it, ${driver.name}, is not installed`, todo: driverCommand })
  }
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string }
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major === driver.major && minor >= driver.minor
    ? Either.right(dirname(manifest))
    : Either.left({ found: `the package that drives it, ${driver.name}, is ${version}`, todo: driverCommand })
}

/** Loads playwright-core: 60 MB of memory that most processes never need. Throws a sentence where it is missing. */
export const loadDriver = (part = "index.js"): unknown => {
  const folder = Either.getOrThrowWith(findDriver(), ({ found, todo }) => new Error(`${found}. Type: ${todo}`))
  return createRequire(import.meta.url)(join(folder, part))
}

/** Path of the executable, where there is also something to drive it with. `path` is the `PATH` of the environment. */
export const find = (setting: string | undefined, path: string | undefined): Either.Either<string, Absent> => {
  if (setting !== undefined) {
    return existsSync(setting)
      ? Either.map(findDriver(), () => setting)
      : Either.left({
          found: `${catalogue.chromium.env} names ${setting}, which is not there`,
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
