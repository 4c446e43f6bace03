import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2"
import { tokenize } from "../../src/Html/Tokenizer.ts"
import { cpuMillis } from "../CpuTime.ts"
import { inMemory } from "./Memory.ts"

type Token = readonly [kind: string, ...values: ReadonlyArray<unknown>]

/** Joins adjacent pieces of text. */
const joined = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  const found: Array<Token> = []
  for (const token of tokens) {
    const last = found.at(-1)
    if (token[0] === "text" && last?.[0] === "text") found[found.length - 1] = ["text", `${last[1]}${token[1]}`]
    else found.push(token)
  }
  return found
}

const ours = (html: string): ReadonlyArray<Token> => {
  const found: Array<Token> = []
  tokenize(html, {
    text: (text) => found.push(["text", text]),
    open: ({ attributes, name, selfClosing }) => found.push(["open", name, { ...attributes }, selfClosing]),
    close: (name) => found.push(["close", name]),
    section: (text) => found.push(["section", text])
  })
  return joined(found)
}

/** Tokens of a reference implementation that reads every character. */
const theirs = (html: string): ReadonlyArray<Token> => {
  const found: Array<Token> = []
  let name = ""
  let attribute = ""
  let value = ""
  let attributes: Record<string, string> = {}
  const open = (selfClosing: boolean) => found.push(["open", name, attributes, selfClosing])
  const nothing = () => undefined
  const callbacks: TokenizerCallbacks = {
    ontext: (start, end) => found.push(["text", html.slice(start, end)]),
    ontextentity: (code) => found.push(["text", String.fromCodePoint(code)]),
    onopentagname: (start, end) => {
      name = html.slice(start, end).toLowerCase()
      attributes = {}
    },
    onattribname: (start, end) => {
      attribute = html.slice(start, end).toLowerCase()
      value = ""
    },
    onattribdata: (start, end) => {
      value += html.slice(start, end)
    },
    onattribentity: (code) => {
      value += String.fromCodePoint(code)
    },
    onattribend: () => {
      if (!Object.hasOwn(attributes, attribute)) attributes[attribute] = value
    },
    onopentagend: () => open(false),
    onselfclosingtag: () => open(true),
    // A slash ends the name.
    onclosetag: (start, end) => found.push(["close", (html.slice(start, end).split("/")[0] ?? "").toLowerCase()]),
    oncdata: (start, end, offset) => found.push(["section", html.slice(start, end - offset)]),
    oncomment: nothing,
    ondeclaration: nothing,
    onprocessinginstruction: nothing,
    onend: nothing
  }
  const tokenizer = new Tokenizer({ decodeEntities: true }, callbacks)
  tokenizer.write(html)
  tokenizer.end()
  return joined(found)
}

const pieces = fc.constantFrom(
  ..."< > / = \" ' & ; # ! ? - a b p x 1 é".split(" "),
  " ",
  "\n",
  "<p>",
  "</p>",
  "<A Href='x&amp;y'>",
  '<img alt="1 &lt; 2" SRC=a.png/>',
  "<br / >",
  "<input disabled value=&quot;>",
  "<!-- a > b -->",
  "<!---->",
  "<![CDATA[ <x> ]]>",
  "<!doctype html>",
  "<?xml version='1'?>",
  "<script>",
  "</script>",
  "</Script >",
  "<style>a > b{}</style>",
  "<title>a &lt; b</titles></title>",
  "<textarea>",
  "</textarea>",
  "<svg/>",
  "&amp;",
  "&ampx",
  "&notit;",
  "&copy",
  "&copy=",
  "&eacute;",
  "&#233;",
  "&#x1F600;",
  "&#0;",
  "&#128;",
  "&unknown;",
  "&NotEqualTilde;"
)

describe("Tokenizer", () => {
  it("finds the same tags, attributes and text as the reference implementation", () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 24 }), (parts) => {
        // Left out: `</>`, `<!>`, a comment or quotation without its end. There the other is no model, and this one keeps to the standard.
        const html = `${parts.join("").replace(/<(?:[/!?]|!-)>/g, " ")}-->]]></script></title></textarea><end>`
        expect(ours(html)).toEqual(theirs(html))
      }),
      { numRuns: 2000 }
    )
  })

  it("keeps the rest of the page after an unclosed CDATA section", () => {
    expect(ours("<p>a<![CDATA[ b>c</p>")).toEqual([
      ["open", "p", {}, false],
      ["text", "ac"],
      ["close", "p"]
    ])
  })

  it("keeps all text of a truncated page", () => {
    expect(ours("<p>one</p> two <b")).toEqual([
      ["open", "p", {}, false],
      ["text", "one"],
      ["close", "p"],
      ["text", " two "]
    ])
    expect(ours("1 < 2 <")).toEqual([["text", "1 < 2 <"]])
    expect(ours("<script>a </scripts>")).toEqual([
      ["open", "script", {}, false],
      ["text", "a </scripts>"]
    ])
    expect(ours('a<p title="never ends>b')).toEqual([["text", "a"]])
  })

  it("ends comments, scripts and elements where browsers end them", () => {
    expect(ours("<!-- a --!>b<!--->c<!-->d<!--!>e-->f")).toEqual([["text", "bcdf"]])
    expect(ours("<script>a</script/>b<p>c</p/>d")).toEqual([
      ["open", "script", {}, false],
      ["text", "a"],
      ["close", "script"],
      ["text", "b"],
      ["open", "p", {}, false],
      ["text", "c"],
      ["close", "p"],
      ["text", "d"]
    ])
  })

  it("keeps nothing of a page in memory afterwards", () => {
    const read = (at: number) =>
      tokenize(
        Buffer.from(`<p>&anunknownname${at};${" ".repeat(2_000_000)}<x-long-name-${at} a-long-name-${at}=1>`).toString(
          "latin1"
        ),
        {
          text: () => {},
          open: () => {},
          close: () => {},
          section: () => {}
        }
      )
    read(0)
    const before = inMemory()
    for (let at = 1; at <= 20; at++) read(at)
    expect(inMemory() - before).toBeLessThan(20_000_000)
  })

  it("takes linear time for any page", () => {
    for (const part of ["<", "</", "<!--", "<![CDATA[", "<a b='", "&", "&a", "<script></", "<a b=c ", "<?", "</ "]) {
      expect(cpuMillis(() => ours(part.repeat(200_000)))).toBeLessThan(2_000)
    }
  })
})
