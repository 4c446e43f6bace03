/** Rows that a test gives in place of a step's own. */
import type { Row as Written } from "../../Pipeline/Test/Format.ts"
import type { Test } from "../../Pipeline/Test.ts"
import type { Data, Row } from "../../Row.ts"

const isData = (value: unknown): value is Data => typeof value === "object" && value !== null && !Array.isArray(value)

/** `$key` and `$source` among the fields are what they are in expressions. */
const toRow = (written: Written, position: number): Row => {
  const { $key, $source, ...data } = written
  return {
    data,
    position,
    ...(typeof $key === "string" ? { key: $key } : {}),
    ...(isData($source) ? { source: $source } : {})
  }
}

/**
 * The rows of every step that has some in the test; and none for the steps before them whose rows nobody else reads, so
 * that they ask for nothing.
 */
export const insteadOf = ({ checked, expect, instead }: Test): ReadonlyMap<string, ReadonlyArray<Row>> => {
  const given = new Map([...instead].map(([id, rows]) => [id, rows.map(toRow)] as const))
  const flowing = checked.nodes.filter(({ step }) => step.behaviour.kind !== "value")
  for (const { id, step } of flowing.toReversed()) {
    const readers = flowing.filter(({ inputs }) => inputs.includes(id))
    const isWatched = expect.rows?.[id] !== undefined || step.key === "write" || readers.length === 0
    if (!isWatched && !given.has(id) && readers.every((reader) => given.has(reader.id))) given.set(id, [])
  }
  return given
}
