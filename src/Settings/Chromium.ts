/** Finds Chromium: from the setting, otherwise in the usual places. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Either from "effect/Either"
import { catalogue } from "../Settings.ts"

/** Instructions to install one. */
export const installCommand = `npx @puppeteer/browsers install chrome-headless-shell@stable, then set ${catalogue.chromium.env} to the path it prints`

/** No Chromium was found. */
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

/** Path of the executable. `path` is the `PATH` of the environment. */
export const find = (setting: string | undefined, path: string | undefined): Either.Either<string, Absent> => {
  if (setting !== undefined) {
    return existsSync(setting)
      ? Either.right(setting)
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
  return found === undefined ? Either.left({ found: "none found", todo: installCommand }) : Either.right(found)
}
