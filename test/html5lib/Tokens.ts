/** Tokens of our tokenizer in the notation of the standard's tests. */
import { readDoctype } from "../../src/Html/Doctype.ts"
import type { Content } from "../../src/Html/Tags.ts"
import { tokenize } from "../../src/Html/Tokenizer.ts"
import type { TokenCase } from "./Cases.ts"

type Token = ReadonlyArray<unknown>

const contents: Readonly<Record<string, Content>> = {
  "RCDATA state": "references",
  "RAWTEXT state": "raw",
  "Script data state": "script",
  "PLAINTEXT state": "rest"
}

/** Adjacent texts are one. */
const joined = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  const found: Array<Token> = []
  for (const token of tokens) {
    const last = found.at(-1)
    if (token[0] === "Character" && token[1] === "") continue
    if (token[0] === "Character" && last?.[0] === "Character")
      found[found.length - 1] = ["Character", `${last[1]}${token[1]}`]
    else found.push(token)
  }
  return found
}

/** A case that begins inside an element gets its start tag first. */
export const tokensOf = ({ input, lastStartTag, state }: TokenCase): ReadonlyArray<Token> => {
  const content = contents[state]
  const name = lastStartTag === "" ? "xmp" : lastStartTag
  const start = content !== undefined ? `<${name}>` : state === "CDATA section state" ? "<![CDATA[" : ""
  const html = `${start}${input}`.replace(/\r\n?/g, "\n")
  const found: Array<Token> = []
  let isFirst = content !== undefined
  let opened = name
  tokenize(html, {
    text: (text) => found.push(["Character", text]),
    open: ({ attributes, name, selfClosing }) => {
      if (isFirst) {
        isFirst = false
        return content ?? "markup"
      }
      opened = name
      found.push(["StartTag", name, { ...attributes }, ...(selfClosing ? [true] : [])])
      return "markup"
    },
    close: (name) => found.push(["EndTag", name]),
    raw: (text, isClosed) => {
      found.push(["Character", text])
      if (isClosed) found.push(["EndTag", opened])
    },
    comment: (from, to) => found.push(["Comment", html.slice(from, to).replaceAll("\0", "\ufffd")]),
    doctype: (source, isOpen) => {
      const { isBroken, name, publicId, systemId } = readDoctype(source, isOpen)
      found.push(["DOCTYPE", name ?? null, publicId ?? null, systemId ?? null, !isBroken])
    },
    isForeign: () => state === "CDATA section state"
  })
  return joined(found)
}

export const expectedTokens = ({ output }: TokenCase): ReadonlyArray<Token> => joined(output)
