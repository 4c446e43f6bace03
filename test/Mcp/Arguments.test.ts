/** Wrong arguments of tools: what is expected is said in words, never as a schema of the library. */

import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { tools } from "../../src/Mcp.ts"
import { describe, expect, it, scoped } from "../It.ts"

/** Names of schemas, types and filters of the library. */
const raw =
  /readonly |ReadonlyArray|Array<|Record<|\b(?:minLength|maxLength|itemsCount|between|positive|pattern)\(|\bInt\b|NonEmpty|└─|├─|\{ |Predicate refinement|Transformation/

const odd: ReadonlyArray<unknown> = [
  null,
  true,
  -1,
  1.5,
  1e12,
  "",
  "\n",
  "x".repeat(70_000),
  [],
  [[]],
  [null],
  {},
  { "1 x": {} },
  { a: [] },
  [{ a: 1 }]
]

/** What wrong arguments are refused with; undefined if they are right: such a call needs services, which are missing here. */
const refusalOf = (tool: (typeof tools)[number], given: unknown) =>
  Effect.map(
    Effect.exit(
      // biome-ignore lint/suspicious/noExplicitAny: no service is there, whatever the type
      tool.call(given) as Effect.Effect<object, { readonly message: string }, any> as Effect.Effect<
        object,
        { readonly message: string }
      >
    ),
    (exit) => {
      const failure = Exit.isFailure(exit) ? Cause.failureOption(exit.cause) : Option.none()
      const message = Option.isSome(failure) ? failure.value.message : ""
      return message.startsWith("the arguments are wrong") ? message : undefined
    }
  )

describe("arguments that are null", () => {
  it.effect.each(tools.map((tool) => [tool.name, tool] as const))("of %s are left out", function* ([, tool]) {
    const names = Object.keys((tool.inputSchema.properties ?? {}) as object)
    const nulls = Object.fromEntries(names.map((name) => [name, null]))
    const refusal = yield* refusalOf(tool, nulls)
    expect(refusal).toBe(yield* refusalOf(tool, {}))
    const required = (tool.inputSchema.required ?? []) as ReadonlyArray<string>
    for (const name of required) expect(refusal).toContain(`${name}: is missing`)
    expect(refusal === undefined).toBe(required.length === 0)
    expect(yield* refusalOf(tool, { ...nulls, sonde: null })).toContain("sonde: there is no such argument")
  })

  scoped("are left out of an object, too", function* () {
    const draft = tools.find(({ name }) => name === "draft")
    if (draft === undefined) throw new Error("there is no draft")
    const given = { name: "daily", schedule: { cron: null, timezone: "UTC" } }
    expect(yield* refusalOf(draft, given)).toBe("the arguments are wrong: schedule.cron: is missing")
  })
})

describe("wrong arguments", () => {
  for (const tool of tools) {
    scoped(`of ${tool.name} are described in words`, function* () {
      const names = Object.keys((tool.inputSchema.properties ?? {}) as object)
      const given = [
        ...odd.filter(
          (each) => each !== null && !(typeof each === "object" && Object.keys(each as object).length === 0)
        ),
        ...names.flatMap((name) => odd.map((value) => ({ [name]: value })))
      ]
      let seen = 0
      for (const each of given) {
        const refusal = yield* refusalOf(tool, each)
        if (refusal === undefined) continue
        seen += 1
        const said = refusal.replace(/got .*?(?=; |$)/gs, "")
        expect([each === undefined ? "" : JSON.stringify(each).slice(0, 80), said]).toEqual([
          expect.anything(),
          expect.not.stringMatching(raw)
        ])
      }
      expect(seen).toBeGreaterThan(5)
    })
  }
})
