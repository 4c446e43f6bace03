import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { referencedSteps, type Scope, settle } from "../../src/Pipeline/Interpolate.ts"

const scope: Scope = {
  inputs: { depth: 3 },
  env: {},
  secrets: (name) => (name === "TOKEN" ? Redacted.make("hush") : undefined),
  run: {},
  steps: { "my-plan": { output: { pages: 7 } }, plan: { output: { pages: 5 } } }
}

describe("${{ }}", () => {
  it("finds the steps that the texts of a value name, however deep", () => {
    const value = {
      a: "${{ steps.plan.output.pages }}",
      b: ["x ${{ 1 + steps.my-plan.output.pages }}", { c: "${{ steps.`other-one`.output }}" }],
      d: "steps.none.output and { steps.neither }",
      e: '${{ "steps.said.output" & inputs.steps.x }}',
      f: 7
    }
    expect([...referencedSteps(value)]).toEqual(["plan", "my-plan", "other-one"])
    expect(referencedSteps(undefined).size).toBe(0)
  })

  it.effect("takes an id with a dash for one name", () =>
    Effect.gen(function* () {
      const settled = yield* settle(
        scope,
        ["${{ steps.my-plan.output.pages }}", "${{ steps.my-plan.output.pages-steps.plan.output.pages }}"],
        []
      )
      expect(settled.mistakes).toEqual([])
      expect(settled.value).toEqual([7, 2])
    })
  )
})
