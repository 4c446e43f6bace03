/**
 * Changes single values in the text of a YAML definition: everything else stays byte for byte, including comments, line ends and a byte
 * order mark.
 */
import { isDeepStrictEqual } from "node:util"
import * as Either from "effect/Either"
import { type Document, isMap, isNode, isScalar, parseDocument, stringify } from "yaml"

type At = ReadonlyArray<string | number>

/** A new value, and its path in the definition. */
export interface Edit {
  readonly path: At
  readonly value: unknown
}

interface Cut {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** The value in YAML on a single line; `isInFlow`: inside a flow collection. */
const written = (value: unknown, isInFlow: boolean): string => {
  const [inFlow = ""] = stringify([value], { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: true })
    .trim()
    .match(/^\[ (.*) \]$/s)
    ?.slice(1) ?? [undefined]
  return isInFlow || typeof value !== "string" ? inFlow : stringify(value, { lineWidth: 0 }).trim()
}

/** Range of the text that holds the value; undefined if the value comes from an alias or a merge key. */
const cutOf = (document: Document, text: string, { path, value }: Edit): Cut | undefined => {
  const parent = document.getIn(path.slice(0, -1), true)
  const pair = isMap(parent)
    ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(path.at(-1)))
    : undefined
  if (pair === undefined || !isNode(pair.value) || !isNode(pair.key)) return undefined
  const [, keyEnd = 0] = pair.key.range ?? []
  const [start = 0, end = 0] = pair.value.range ?? []
  // The parser's range of a block value extends beyond its last line.
  const length = text.slice(start, end).trimEnd().length
  const isOnlyColon = /^\s*:\s*$/.test(text.slice(keyEnd, start))
  const put = written(value, isMap(parent) && parent.flow === true)
  return isOnlyColon
    ? { from: keyEnd, to: start + length, text: `: ${put}` }
    : { from: start, to: start + length, text: put }
}

/** The text with the new values; the left side is the path of a value that must be changed by hand. */
export const editYaml = (text: string, edits: ReadonlyArray<Edit>): Either.Either<string, string> => {
  const mark = text.startsWith("\ufeff") ? "\ufeff" : ""
  let now = text.slice(mark.length)
  for (const edit of edits) {
    const document = parseDocument(now, { logLevel: "error" })
    const byHand = Either.left(edit.path.join("."))
    const cut = cutOf(document, now, edit)
    if (cut === undefined) return byHand
    now = `${now.slice(0, cut.from)}${cut.text}${now.slice(cut.to)}`
    document.setIn(edit.path, edit.value)
    const changed = parseDocument(now, { logLevel: "error" })
    // Removing an anchor leaves its aliases without a value.
    const isSame = Either.try(() => isDeepStrictEqual(changed.toJS(), document.toJS()))
    if (changed.errors.length > 0 || !Either.getOrElse(isSame, () => false)) return byHand
  }
  return Either.right(`${mark}${now}`)
}
