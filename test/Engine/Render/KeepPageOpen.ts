/** A program that keeps one page open for a long time. Its argument is the URL. */
import * as Effect from "effect/Effect"
import { Renderer } from "../../../src/Engine/Render/Renderer.ts"
import * as Rendering from "../../../src/Engine/Render/Rendering.ts"
import { layer } from "./Installed.ts"

const show = Effect.flatMap(Renderer, (renderer) =>
  renderer.render({
    url: process.argv[2] ?? "",
    team: "t",
    rendering: { ...Rendering.scriptsOnly, waitFor: 60_000 },
    userAgent: undefined,
    headers: undefined,
    headersFor: undefined,
    acceptLanguage: undefined,
    timeout: 120_000,
    skipTlsVerification: false,
    blockAds: true
  })
)

void Effect.runPromise(Effect.provide(show, layer))
