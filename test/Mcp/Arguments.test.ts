/** Wrong arguments of tools: what is expected is said in words, never as a schema of the library. */
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { tools } from "../../src/Mcp.ts"

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

describe("wrong arguments", () => {
  for (const tool of tools) {
    it.effect(`of ${tool.name} are described in words`, () =>
      Effect.gen(function* () {
        const names = Object.keys((tool.inputSchema.properties ?? {}) as object)
        const given = [
          ...odd.filter(
            (each) => each !== null && !(typeof each === "object" && Object.keys(each as object).length === 0)
          ),
          ...names.flatMap((name) => odd.map((value) => ({ [name]: value })))
        ]
        let seen = 0
        for (const each of given) {
          // Arguments that are right need services, which are missing here.
          const exit = yield* Effect.exit(
            // biome-ignore lint/suspicious/noExplicitAny: no service is there, whatever the type
            tool.call(each) as Effect.Effect<object, { readonly message: string }, any> as Effect.Effect<
              object,
              { readonly message: string }
            >
          )
          if (Exit.isSuccess(exit)) continue
          const failure = Cause.failureOption(exit.cause)
          if (failure._tag === "None" || !failure.value.message.startsWith("the arguments are wrong")) continue
          seen += 1
          const said = failure.value.message.replace(/got .*?(?=; |$)/gs, "")
          expect([each === undefined ? "" : JSON.stringify(each).slice(0, 80), said]).toEqual([
            expect.anything(),
            expect.not.stringMatching(raw)
          ])
        }
        expect(seen).toBeGreaterThan(5)
      })
    )
  }
})
