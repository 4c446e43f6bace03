import * as NodeContext from "@effect/platform-node/NodeContext"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { from } from "../../src/Pipeline/Load.ts"
import { makeRunSpec } from "../../src/Run/RunSpec.ts"

it.effect(
  "a run of a definition given as a value records its folder, and no file name that might be another file",
  () =>
    Effect.gen(function* () {
      const checked = yield* from(
        { version: 1, name: "value", steps: [{ urls: ["https://a.example/"] }] },
        {},
        "/there"
      )
      const options = { out: "/out", dataDir: "/data" }
      expect(makeRunSpec(checked, options, { id: "r1", startedAt: 1 }, { key: undefined }).file).toBe(
        '/there/pipeline "value"'
      )
    }).pipe(Effect.provide(NodeContext.layer))
)
