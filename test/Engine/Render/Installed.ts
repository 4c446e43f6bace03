/** The Chromium of this machine, for the tests that need one. */
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Renderer from "../../../src/Engine/Render/Renderer.ts"
import { equal, Teams } from "../../../src/Engine/Teams/FairQueue.ts"
import * as Chromium from "../../../src/Settings/Chromium.ts"
import { alone } from "../Alone.ts"
import { guard } from "../Scrape/Site.ts"

const found = Chromium.find(process.env.SLUICE_CHROMIUM, process.env.PATH)

/** Without Chromium these tests are skipped, except in CI. */
export const isMissing = Either.isLeft(found) && process.env.CI === undefined

/** No sandbox: tests may run as root, and their pages are trusted. */
export const chromiumSandbox = process.env.SLUICE_CHROMIUM_NO_SANDBOX === undefined && process.getuid?.() !== 0

export const chromium = Either.getOrUndefined(found)

/** A renderer that may reach loopback, and no other private address. */
export const layerFor = (teams: number) =>
  Renderer.layer({ chromium, chromiumSandbox }).pipe(
    Layer.provide([guard("127.0.0.0/8"), alone, Layer.succeed(Teams, { teams, weights: equal })])
  )

export const layer = layerFor(1)
