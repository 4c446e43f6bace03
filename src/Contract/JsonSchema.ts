/** JSON Schema (draft 2020-12) of the rows of an output, as JSONL has them. */
import type { ColumnType } from "./ColumnType.ts"
import type { Column, Columns } from "./Contract.ts"

const types: Readonly<Record<ColumnType, Readonly<Record<string, unknown>>>> = {
  string: { type: "string" },
  integer: { type: "integer" },
  number: { type: "number" },
  decimal: { type: "string", pattern: "^-?\\d+(\\.\\d+)?$" },
  boolean: { type: "boolean" },
  date: { type: "string", format: "date" },
  timestamp: { type: "string", format: "date-time" },
  json: {}
}

const propertyOf = ({ description, enum: values, examples, nullable, type, unit }: Column) => {
  const { type: name, ...rest } = types[type]
  return {
    ...(name === undefined ? {} : { type: nullable ? [name, "null"] : name }),
    ...rest,
    ...(values === undefined ? {} : { enum: nullable ? [...values, null] : values }),
    ...(description === undefined ? {} : { description }),
    ...(unit === undefined ? {} : { $comment: `unit: ${unit}` }),
    ...(examples === undefined ? {} : { examples })
  }
}

/** `isOpen`: rows may have fields that are no columns yet. */
export const jsonSchema = (title: string, columns: Columns, isOpen: boolean) => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title,
  type: "object",
  properties: Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, propertyOf(column)])),
  required: Object.entries(columns).flatMap(([name, { nullable }]) => (nullable ? [] : [name])),
  additionalProperties: isOpen
})
