/** Values of steps in expressions: `$steps.ID.output`. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import { partition } from "../../src/Cluster/Partition.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { diagramOf } from "../../src/Pipeline/Diagram.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { describe, expect, it, scoped } from "../It.ts"

const preview = `  - id: my-plan
    crawlPreview: { url: https://a.example/, prompt: all }
  - id: plan
    crawlPreview: { url: https://a.example/, prompt: all }
  - id: pages
    urls: [https://a.example/]
`

const checkText = (body: string) =>
  Effect.flatMap(parseText("p.yaml", "/tmp", `version: 1\nname: t\nsteps:\n${preview}${body}`), (source) =>
    check(source, { env: {}, secrets: () => undefined, inputs: {}, complete: true })
  ).pipe(Effect.provide(NodeContext.layer))

const issuesIn = (body: string) =>
  Effect.map(Effect.flip(checkText(body)), ({ issues }) =>
    issues.map(({ column, line, message }) => `${line}:${column} ${message}`)
  )

const refused = "an expression cannot contain ${{ … }}: its text would run as code. Write"

describe("values of steps in expressions", () => {
  scoped("are checked in every expression", function* () {
    const checked = yield* checkText(`  - where: $count($steps.plan.output.includePaths) > 0
  - select: { limit: "($steps.\`my-plan\`.output).limit", all: $steps.plan.output, url: url }
  - scrape: { url: { expr: "url & $steps.plan.output.limit" } }
`)
    // They are drawn, and keep a run whole, as values in \${{ }} do.
    const edges = diagramOf(checked).edges.filter(({ kind }) => kind === "value")
    expect(edges.map(({ from, to }) => `${from} -> ${to}`)).toEqual([
      "plan -> where",
      "my-plan -> select",
      "plan -> select",
      "plan -> scrape"
    ])
    const { kind, ...rest } = partition(checked, { limited: false })
    expect([kind, "why" in rest ? rest.why : ""]).toEqual([
      "whole",
      'the value of "my-plan" must be the same in all shards'
    ])
  })

  scoped("must come from a step above that has a value; errors name the nearest one and the place", function* () {
    expect(
      yield* issuesIn(`  - where: $steps.paln.output.limit > 1
  - where: $steps.my-plan.output.limit > 1
  - select:
      a: $steps.pages.output
      b: $steps.plan.limit
      c: $steps
      d: $steps.plan
      e: $steps.later.output
      f: "($s := $steps; $s.plan.output)"
      g: "$steps.plan.output & $lookup($steps, 'plan')"
      h: $steps.nothing.output
  - id: later
    crawlPreview: { url: https://a.example/, prompt: all }
`)
    ).toEqual([
      '10:12 there is no step "paln", did you mean "plan"? (character 1 of: $steps.paln.output.limit > 1)',
      '11:12 there is no step "my": write $steps.`my-plan`.output (character 1 of: $steps.my-plan.output.limit > 1)',
      '13:10 "pages" gives rows and no value: read its rows with from: pages (character 1 of: $steps.pages.output)',
      "14:10 a step has only its output: write $steps.plan.output (character 1 of: $steps.plan.limit)",
      "15:10 $steps cannot be used as a whole: write $steps.ID.output (character 1 of: $steps)",
      "16:10 a step has only its output: write $steps.plan.output (character 1 of: $steps.plan)",
      '17:10 "later" is below this step: move "later" above it (character 1 of: $steps.later.output)',
      "18:10 $steps cannot be used as a whole: write $steps.ID.output (character 8 of: ($s := $steps; $s.plan.output))",
      "19:10 $steps cannot be used as a whole: write $steps.ID.output (character 1 of: $steps.plan.output & $lookup($steps, 'plan'))",
      '20:10 there is no step "nothing": there are my-plan, plan (character 1 of: $steps.nothing.output)'
    ])
  })

  scoped("are suggested where ${{ steps… }} is refused", function* () {
    expect(
      yield* issuesIn(`  - where: url = \${{ steps.plan.output.url }}
  - select:
      a: \${{ steps.my-plan.output }}
      b: "$count(\${{ $keys(steps.plan.output) }})"
      c: "\${{ inputs.x & 'y' }}"
  - select: \${{ steps.plan.output }}
`)
    ).toEqual([
      `10:12 ${refused} $steps.plan.output.url`,
      `12:10 ${refused} $steps.\`my-plan\`.output`,
      `13:10 ${refused} $steps.ID.output`,
      `14:10 ${refused} $inputs.NAME`,
      `15:13 ${refused} every expression out, with $steps.ID.output for a value`
    ])
  })

  it.effect("may also be names of fields, and names that an expression binds", () =>
    checkText('  - where: steps.other = 1\n  - where: "($steps := { \\"a\\": 1 }; $steps.a = 1)"\n')
  )
})
