/** The Chromium of this machine, for the tests that need one. */
import * as Layer from "effect/Layer"
import * as Renderer from "../../../src/Engine/Render/Renderer.ts"
import { equal, Teams } from "../../../src/Engine/Teams/FairQueue.ts"
import { chromium } from "../../Needs.ts"
import { alone } from "../Alone.ts"
import { guard } from "../Scrape/Site.ts"

/** Without Chromium these tests are skipped; in CI the run has failed before. */
export const isMissing = chromium === undefined

/** No sandbox: tests may run as root, and their pages are trusted. */
export const chromiumSandbox = process.env.SLUICE_CHROMIUM_NO_SANDBOX === undefined && process.getuid?.() !== 0

export { chromium }

/** A renderer that may reach loopback, and no other private address. */
export const layerFor = (teams: number) =>
  Renderer.layer({ chromium, chromiumSandbox }).pipe(
    Layer.provide([guard("127.0.0.0/8"), alone, Layer.succeed(Teams, { teams, weights: equal })])
  )

export const layer = layerFor(1)
