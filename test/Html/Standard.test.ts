/**
 * The standard's own parser tests (html5lib-tests), all of them. A case that fails has a line with its reason below.
 *
 * Left out: fragments (only whole pages are parsed), and cases for browsers without scripts, where `<noscript>` is markup of the page. Ours is
 * the tree of a browser with scripts, and the content of a `<noscript>` is parsed apart, so that it can be read without changing the page.
 */
import { describe, expect, it } from "@effect/vitest"
import { parseTree } from "../../src/Html/Tree.ts"
import { tokenCases, treeCases } from "../html5lib/Cases.ts"
import { dump, expected } from "../html5lib/Dump.ts"
import { expectedTokens, tokensOf } from "../html5lib/Tokens.ts"

/** Cases that fail, with the reason. */
const failing: ReadonlyMap<string, string> = new Map([
  ["domjs.test: lowercase endtags", "a script that ends with </xmp>: only the test starts the tokenizer so"]
])

const failuresOf = <A extends { readonly name: string }>(cases: ReadonlyArray<A>, passes: (each: A) => boolean) =>
  cases.filter((each) => !passes(each)).map(({ name }) => name)

describe("The standard's tests", () => {
  it("give the same trees", () => {
    const cases = treeCases().filter(({ isFragment, scripting }) => !isFragment && scripting !== "off")
    expect(cases.length).toBe(1525)
    expect(failuresOf(cases, ({ data, document }) => dump(parseTree(data)) === expected(document))).toEqual([])
  })

  it("give the same tokens, attributes and character references", () => {
    const cases = tokenCases()
    expect(cases.length).toBe(7032)
    const failures = failuresOf(
      cases,
      (each) => JSON.stringify(tokensOf(each)) === JSON.stringify(expectedTokens(each))
    )
    expect(failures).toEqual([...failing.keys()])
  })
})
