/** The JSON Schema of definitions for editors, made from the schemas that `check` decodes with. */

import * as JSONSchema from "effect/JSONSchema"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { Common, Frame, frameFields } from "./Definition.ts"
import { withKeyDescriptions } from "./Expectation.ts"
import { builtIn } from "./Extensions.ts"
import type { Steps } from "./Node.ts"

type Json = { readonly [key: string]: unknown }

const settled: Json = { type: "string", pattern: "\\$\\{\\{[\\s\\S]*\\}\\}", description: "filled in before the run" }

/** Allows `${{ … }}` in place of any field. Removes ids that repeat throughout the document, because they add no information. */
const interpolable = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(interpolable)
  if (!Predicate.isReadonlyRecord(schema)) return schema
  const inner: Json = Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== "$id")
      .map(([key, value]) => {
        if (key === "properties" || key === "$defs" || key === "patternProperties") {
          return [
            key,
            Predicate.isReadonlyRecord(value)
              ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, interpolable(each)]))
              : value
          ]
        }
        return [
          key,
          ["items", "anyOf", "oneOf", "allOf", "additionalProperties"].includes(key) ? interpolable(value) : value
        ]
      })
  )
  const closed = typeof schema.type === "string" && schema.type !== "string"
  return closed || (schema.type === "string" && ("enum" in schema || "pattern" in schema || "format" in schema))
    ? { anyOf: [inner, settled] }
    : inner
}

const draft = (schema: Schema.Schema.All): Json => {
  const { $schema: _, ...rest } = JSONSchema.make(Schema.make(withKeyDescriptions(schema.ast)))
  return rest
}

/** JSON Schema of the whole language, with the steps' summaries and examples. */
export const pipelineSchema = (steps: Steps = builtIn): Json => {
  const defs: Record<string, unknown> = {}
  const gather = (schema: Json): Json => {
    const { $defs, ...rest } = schema
    if (Predicate.isReadonlyRecord($defs))
      for (const [name, each] of Object.entries($defs)) defs[name] = interpolable(each)
    return interpolable(rest) as Json
  }
  const common = gather(draft(Common))
  const commonProperties = Predicate.isReadonlyRecord(common.properties) ? common.properties : unwrapProperties(common)
  // A single list of keys, so that an editor marks the wrong key and not every step that could have been meant.
  const item = {
    type: "object",
    properties: {
      ...Object.fromEntries(
        steps.map((step) => [
          step.key,
          { ...gather(draft(step.config)), description: `${step.summary}\n\n${step.example}` }
        ])
      ),
      ...commonProperties
    },
    additionalProperties: false,
    oneOf: steps.map((step) => ({ required: [step.key] }))
  }
  const frame = gather(draft(Schema.Struct(frameFields)))
  const frameProperties = Predicate.isReadonlyRecord(frame.properties) ? frame.properties : unwrapProperties(frame)
  const stepsKey = AST.getPropertySignatures(Frame.ast).find(({ name }) => name === "steps")
  const description = Option.getOrUndefined(Option.flatMap(Option.fromNullable(stepsKey), AST.getDescriptionAnnotation))
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Sluice pipeline",
    type: "object",
    required: ["version", "name", "steps"],
    properties: {
      ...frameProperties,
      steps: { type: "array", description, minItems: 1, items: item }
    },
    additionalProperties: false,
    $defs: defs
  }
}

const unwrapProperties = (schema: Json): Json => {
  const member = Array.isArray(schema.anyOf)
    ? schema.anyOf.find((each) => Predicate.isReadonlyRecord(each) && Predicate.isReadonlyRecord(each.properties))
    : undefined
  return Predicate.isReadonlyRecord(member) && Predicate.isReadonlyRecord(member.properties) ? member.properties : {}
}
