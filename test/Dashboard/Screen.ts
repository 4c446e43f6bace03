/** A dashboard with its own ledger and a folder of pipelines, and a browser that shows it. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Browser, type Page, chromium as playwright } from "playwright-core"
import * as Dashboard from "../../src/Dashboard.ts"
import { Ledger } from "../../src/Ledger.ts"
import { chromium, chromiumSandbox } from "../Engine/Render/Installed.ts"
import { ledgerIn, type Opened } from "../Ledger/Ledgers.ts"
import { tempDir } from "../Local.ts"
import { program } from "../Programs.ts"

const definition = `version: 1
name: levels
description: Levels of rivers from their gauges.
inputs:
  file: { type: path, default: levels.csv, description: CSV file of levels. }
  most: { type: integer, default: 9, minimum: 1, maximum: 20 }
  about: { type: url, description: Page about the gauges. }
schedule: { cron: "0 3 1 1 *", inputs: { most: 5 } }
steps:
  - read: { file: "\${{ inputs.file }}", columns: { level: number } }
  - check:
      - { rule: level != null, message: the gauge gave no level }
  - write: { jsonl: "out/levels.jsonl" }
`

export class Screen extends Context.Tag("sluice/test/Dashboard/Screen")<
  Screen,
  {
    readonly folder: string
    readonly dashboard: Dashboard.Dashboard
    readonly ledger: Opened
    readonly browser: Browser
  }
>() {}

const shared = globalThis as { sluiceScreen?: Promise<Browser> }

/** One for each process of tests, which it ends with. Each look has a context of its own. */
const theBrowser = Effect.promise(() => {
  shared.sluiceScreen ??= playwright.launch({
    executablePath: chromium ?? "",
    // Nobody sees it: a process that draws would take as much as the pages.
    args: ["--disable-gpu", ...(chromiumSandbox ? [] : ["--no-sandbox"])]
  })
  return shared.sluiceScreen
})

export const layer = Layer.scoped(
  Screen,
  Effect.gen(function* () {
    const folder = yield* tempDir
    const [dataDir, definitions] = [join(folder, "data"), join(folder, "pipelines")]
    mkdirSync(definitions)
    writeFileSync(join(definitions, "levels.yaml"), definition)
    writeFileSync(join(definitions, "levels.csv"), "station,level\nA,2.5\nB,\nC,7\n")
    // Runs are other processes, so they have their own connection.
    const [own, ledger] = [yield* ledgerIn(dataDir), yield* ledgerIn(dataDir)]
    const dashboard = yield* Dashboard.start({
      dataDir,
      definitions,
      out: folder,
      scope: { env: {}, secrets: () => undefined },
      service: undefined,
      command: [process.execPath, program("bin")],
      arguments: ["--data", dataDir, "--allow-path", folder],
      env: { PATH: process.env.PATH, HOME: folder }
    }).pipe(Effect.provideService(Ledger, own), Effect.provide(NodeContext.layer))
    return { folder, dashboard, ledger, browser: yield* theBrowser }
  })
)

export interface Look {
  readonly page: Page
  /** Errors of the console and of scripts, violations of the policy, opened dialogs, requests to other origins. */
  readonly problems: Array<string>
}

/** Opens the link of the dashboard in a new browser context. */
export const look = (options: Parameters<Browser["newContext"]>[0] = {}) =>
  Effect.flatMap(Screen, ({ browser, dashboard }) =>
    Effect.acquireRelease(
      Effect.promise(async (): Promise<Look> => {
        const context = await browser.newContext({
          viewport: { width: 1280, height: 800 },
          reducedMotion: "reduce",
          ...options
        })
        const page = await context.newPage()
        page.setDefaultTimeout(120_000)
        const problems: Array<string> = []
        page.on("console", (message) => {
          if (message.type() === "error" || message.type() === "warning") problems.push(message.text())
        })
        page.on("pageerror", (error) => problems.push(error.message))
        page.on("dialog", (dialog) => {
          problems.push(`dialog: ${dialog.message()}`)
          dialog.dismiss().catch(() => undefined)
        })
        page.on("request", (request) => {
          if (!request.url().startsWith(`${dashboard.baseUrl}/`)) problems.push(`request to ${request.url()}`)
        })
        await page.goto(dashboard.url)
        await page.waitForSelector("main h1")
        return { page, problems }
      }),
      ({ page }) => Effect.promise(() => page.context().close())
    )
  )

export const run = <A>(what: () => Promise<A>) => Effect.promise(what)
