/** Reads the `extract` steps of a definition in YAML, for their repair. */
import { type Document, isMap, isSeq, parseDocument } from "yaml"
import type { openPage } from "../../Html/Fields.ts"
import type { Extraction } from "../../Step/Extract/Repair.ts"
import { mapping } from "../../Step/Requirements.ts"

/** Path of a value in the definition. */
export type At = ReadonlyArray<string | number>

/** An `extract` step of a definition, with its options for reading values. */
export interface WrittenExtraction extends Extraction {
  readonly path: At
  /** Id that the definition gives the step. */
  readonly id: string | undefined
  readonly reading: Parameters<typeof openPage>[1]
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const orderOf = (value: unknown) => (["DMY", "MDY", "YMD"] as const).find((each) => each === value)

/** The `extract` steps of a definition, with their paths. */
const extractionsOf = (document: Document): ReadonlyArray<WrittenExtraction> => {
  const steps = document.get("steps")
  if (!isSeq(steps)) return []
  return steps.items.flatMap((step, at) => {
    if (!isMap(step) || !step.has("extract")) return []
    const { extract, id } = mapping(step.toJS(document, { maxAliasCount: -1 }))
    const { fields, locale, order, rows, timezone } = mapping(extract)
    const isOfPage = rows === undefined || typeof rows === "string"
    if (!isOfPage || fields === undefined) return []
    const reading = { locale: textOf(locale), order: orderOf(order), timezone: textOf(timezone) }
    const path = ["steps", at, "extract"]
    return [{ path, id: textOf(id), rows, fields: mapping(fields) as Extraction["fields"], reading }]
  })
}

/** The `extract` steps of a definition that can be repaired: only those of definitions in YAML. */
export const extractionsIn = (file: string, text: string): ReadonlyArray<WrittenExtraction> => {
  if (!/\.ya?ml$/.test(file)) return []
  const document = parseDocument(text.replace(/^\ufeff/, ""), { logLevel: "error" })
  return document.errors.length === 0 ? extractionsOf(document) : []
}
