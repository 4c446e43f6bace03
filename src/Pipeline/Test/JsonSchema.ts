/** The JSON Schema of test files, for editors: the same schema that they are decoded with. */
import * as JSONSchema from "effect/JSONSchema"
import { TestFrame } from "./Format.ts"

/** Ids and titles of the schema library, which repeat all over the document and say nothing. */
const isNoise = (key: string, value: unknown): boolean =>
  key === "$id" || (key === "title" && typeof value === "string" && /^[a-z]/.test(value))

const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, each]) => !isNoise(key, each))
      .map(([key, each]) => [key, tidy(each)])
  )
}

/** All of a test file. */
export const testSchema = (): { readonly [key: string]: unknown } => {
  const { $schema: _, ...rest } = JSONSchema.make(TestFrame) as unknown as { readonly [key: string]: unknown }
  const schema = tidy(rest) as { readonly [key: string]: unknown }
  return { $schema: "http://json-schema.org/draft-07/schema#", title: "Sluice pipeline tests", ...schema }
}
