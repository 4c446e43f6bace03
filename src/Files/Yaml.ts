/** Parses YAML and checks for duplicate keys in linear time: the parser itself compares each key with all keys before it. */
import { type Document, isScalar, type LineCounter, type ParsedNode, parseDocument, visit, YAMLParseError } from "yaml"

/** The parsed document, with its errors in the order of their positions. */
export const parseYaml = (text: string, lineCounter: LineCounter): Document.Parsed<ParsedNode> => {
  const document = parseDocument(text, {
    lineCounter,
    prettyErrors: false,
    strict: true,
    uniqueKeys: false,
    logLevel: "error"
  })
  const twice: Array<YAMLParseError> = []
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        const start = key.range?.[0] ?? 0
        // Objects have strings as keys: `1` and `"1"` are one.
        const name = String(key.value)
        if (seen.has(name)) {
          twice.push(new YAMLParseError([start, start + 1], "DUPLICATE_KEY", "Map keys must be unique"))
        }
        seen.add(name)
      }
    }
  })
  if (twice.length > 0) {
    document.errors.push(...twice.slice(0, 1_000))
    document.errors.sort((one, other) => one.pos[0] - other.pos[0])
  }
  return document
}
