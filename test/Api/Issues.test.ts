import * as HttpApi from "@effect/platform/HttpApi"
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { strict } from "../../src/Api/Field.ts"
import { maxIssues, maxQuoted } from "../../src/Api/Issues.ts"
import { Upload } from "../../src/Api/Upload.ts"
import { Api } from "../../src/Api.ts"

const Item = Schema.Union(
  Schema.Literal("a", "b"),
  Schema.Struct({ type: Schema.Literal("c"), size: Schema.Int.pipe(Schema.positive()) })
)
const fields = {
  items: Schema.Array(Item).pipe(Schema.maxItems(3)),
  at: Schema.NumberFromString,
  name: Schema.String
}
const annotations = { identifier: "Body", ...strict }
const Bounded = Schema.Struct(fields).annotations(annotations)
const Unbounded = Schema.Struct(fields).annotations({ ...annotations, decodingFallback: Either.left })

const issuesOf = <A, I>(schema: Schema.Schema<A, I>, value: unknown) =>
  Either.match(Schema.decodeUnknownEither(schema)(value), {
    onLeft: (error) => ParseResult.ArrayFormatter.formatErrorSync(error),
    onRight: () => []
  })

const beginning = ({ _tag, message, path }: ParseResult.ArrayFormatterIssue) => ({
  _tag,
  path,
  message: message.slice(0, maxQuoted)
})

describe("the issues of a body", () => {
  it("are those of the schema, up to a number of issues and of quoted characters", () => {
    const large = { a: ["x".repeat(10_000), { b: Array.from({ length: 10_000 }, (_, at) => at) }] }
    const values: ReadonlyArray<unknown> = [
      undefined,
      "x".repeat(1_000_000),
      new Uint8Array(3),
      Array.from({ length: 10_000 }, () => null),
      large,
      { items: large, at: large, name: large, more: large },
      { items: ["a", "a", "a", "a"], at: "x", name: "" },
      { items: Array.from({ length: 500 }, (_, at) => (at % 2 === 0 ? at : { type: "c", size: -at })), at: {} },
      JSON.parse('{"items":[{"__proto__":{"a":1}}],"constructor":{"name":"y"},"name":{"toString":1}}')
    ]
    for (const value of values) {
      const all = issuesOf(Unbounded, value)
      expect(all.length).toBeGreaterThan(0)
      const bounded = issuesOf(Bounded, value)
      expect(bounded.map(beginning)).toEqual(all.slice(0, maxIssues).map(beginning))
      for (const { message } of bounded) expect(message.length).toBeLessThan(10 * maxQuoted)
    }
  })

  it("are bounded in every endpoint that decodes one", () => {
    const unbounded: Array<string> = []
    HttpApi.reflect(Api, {
      onGroup: () => undefined,
      onEndpoint: ({ endpoint: { method, path, payloadSchema } }) => {
        // An upload is no JSON: its part `options` is decoded by the handler.
        const isOpen = Option.exists(
          payloadSchema,
          ({ ast }) => ast !== Upload.ast && Option.isNone(AST.getDecodingFallbackAnnotation(ast))
        )
        if (isOpen) unbounded.push(`${method} ${path}`)
      }
    })
    expect(unbounded).toEqual([])
  })
})
