import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { open, referencedSteps, type Scope, settle } from "../../src/Pipeline/Interpolate.ts"
import { describe, expect, it, scoped } from "../It.ts"

const scope: Scope = {
  inputs: { depth: 3 },
  env: {},
  secrets: (name) => (name === "TOKEN" ? Redacted.make("hush") : undefined),
  run: {},
  steps: { "my-plan": { output: { pages: 7 } }, plan: { output: { pages: 5 } } }
}

describe("${{ }}", () => {
  it("finds the steps that strings of a value name, however deep", () => {
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

  scoped("reads an id with a dash as one name", function* () {
    const settled = yield* settle(
      scope,
      ["${{ steps.my-plan.output.pages }}", "${{ steps.my-plan.output.pages-steps.plan.output.pages }}"],
      []
    )
    expect(settled.issues).toEqual([])
    expect(settled.value).toEqual([7, 2])
  })

  scoped("lists the alternatives for a name without a value", function* () {
    const said = (text: string) => Effect.map(settle(scope, text, ["steps", 0]), ({ issues }) => issues[0]?.message)
    expect(yield* said("${{ steps.plan.output.limit }}")).toBe(
      '${{ steps.plan.output.limit }} has no value: the output of "plan" has pages'
    )
    expect(yield* said("${{ steps.my-pan.output }}")).toContain('did you mean "my-plan"?')
    expect(yield* said("${{ inputs.site }}")).toBe("${{ inputs.site }} has no value: there are depth")
    expect(yield* said("${{ inputs.depth.more }}")).toBe("${{ inputs.depth.more }} has no value")
  })

  scoped("says how to declare an input where a definition has none", function* () {
    const { issues } = yield* settle({ ...scope, inputs: {} }, "https://${{ inputs.shop }}.example/", ["steps", 0])
    expect(issues.map(({ message }) => message)).toEqual([
      'there is no input "shop": declare it beside steps: inputs: { shop: { type: string } }'
    ])
  })

  scoped("takes a secret that is empty as missing, as a CI service gives it", function* () {
    const empty = { ...scope, headers: ["headers"], secrets: () => Redacted.make("") }
    const path = ["steps", 0, "scrape", "headers", "Authorization"]
    const message = 'secret "TOKEN" is empty: set the environment variable TOKEN'
    expect((yield* settle(empty, "Bearer ${{ secrets.TOKEN }}", path)).issues).toEqual([{ path, message }])
    const warnings: Array<unknown> = []
    const warn = (warning: unknown) => void warnings.push(warning)
    expect((yield* settle({ ...empty, warn }, "${{ secrets.TOKEN }}", path)).issues).toEqual([])
    expect(warnings).toEqual([{ path, message }])
  })

  scoped("has the clock of the run, which is not known before the run", function* () {
    const run = { startedAt: "2026-03-01T09:00:00.000Z" }
    expect((yield* settle({ ...scope, run }, "at ${{ $now() }}", ["steps", 0])).value).toBe(`at ${run.startedAt}`)
    const before = yield* settle({ ...scope, run: { startedAt: open } }, ["${{ $millis() }}", "${{ 1 + 1 }}"], [])
    expect(before).toMatchObject({ value: [open, 2], issues: [], open: [[0]] })
  })
})
