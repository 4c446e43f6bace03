/** The tokenizer beyond the standard's tests (`Standard.test.ts`): truncated pages, memory and time. */
import { describe, expect, it } from "@effect/vitest"
import { type Tokens, tokenize } from "../../src/Html/Tokenizer.ts"
import { cpuMillis } from "../CpuTime.ts"
import { skipsLong } from "../Long.ts"
import { inMemory } from "./Memory.ts"

type Token = readonly [kind: string, ...values: ReadonlyArray<unknown>]

const receiver = (found: Array<Token>): Tokens => {
  let name = ""
  const add = (kind: string, ...values: ReadonlyArray<unknown>) => {
    const last = found.at(-1)
    if (kind === "text" && last?.[0] === "text") found[found.length - 1] = ["text", `${last[1]}${values[0]}`]
    else found.push([kind, ...values])
  }
  return {
    text: (text) => add("text", text),
    open: ({ attributes, name: opened, rules, selfClosing }) => {
      name = opened
      add("open", opened, { ...attributes }, selfClosing)
      return rules.content
    },
    close: (name) => add("close", name),
    raw: (text, isClosed) => {
      if (text !== "") add("text", text)
      if (isClosed) add("close", name)
    },
    comment: () => undefined,
    doctype: () => undefined,
    isForeign: () => false
  }
}

const ours = (html: string): ReadonlyArray<Token> => {
  const found: Array<Token> = []
  tokenize(html, receiver(found))
  return found
}

describe("Tokenizer", () => {
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

  it.skipIf(skipsLong)("keeps nothing of a page in memory afterwards", () => {
    const read = (at: number) =>
      tokenize(
        Buffer.from(`<p>&anunknownname${at};${" ".repeat(2_000_000)}<x-long-name-${at} a-long-name-${at}=1>`).toString(
          "latin1"
        ),
        receiver([])
      )
    read(0)
    const before = inMemory()
    for (let at = 1; at <= 20; at++) read(at)
    expect(inMemory() - before).toBeLessThan(20_000_000)
  })

  it("takes linear time for any page", () => {
    for (const part of [
      "<",
      "</",
      "<!--",
      "<![CDATA[",
      "<a b='",
      "&",
      "&a",
      "<script></",
      "<script><!--",
      "<a b=c ",
      "</a b='",
      "<?",
      "</ ",
      "\0",
      "\r"
    ]) {
      expect(cpuMillis(() => ours(part.repeat(200_000)))).toBeLessThan(2_000)
    }
  })
})
