import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { type Element, isElement, makeElement } from "../../src/Html/Element.ts"
import { every, parseQuery, parseSelector } from "../../src/Html/Select.ts"
import { parseTree } from "../../src/Html/Tree.ts"

const idsOf = (html: string, selector: string) =>
  every(parseTree(html).root, Either.getOrThrow(parseSelector(selector)), 1_000).map(({ attributes }) => attributes.id)

const list = `<ul>text<li id=a></li><li id=b></li> <b id=x></b><li id=c></li><li id=d></li><b id=y></b></ul>`

/** Counts how often siblings are visited when every element is tested. */
const looks = (siblings: number, selector: string): number => {
  const tree = parseTree(`<ul>${"<li></li>".repeat(siblings)}${"<b></b>".repeat(siblings)}</ul>`)
  const test = Either.getOrThrow(parseSelector(selector))
  let seen = 0
  const parent = tree.body?.children.find(isElement) as Element
  const watched = new Proxy(parent.children, {
    get: (target, key) => {
      if (typeof key === "string" && /^\d+$/.test(key)) seen += 1
      return Reflect.get(target, key)
    }
  })
  const spied: Element = { ...parent, children: watched }
  for (const child of parent.children) if (isElement(child)) child.parent = spied
  for (const child of parent.children) if (isElement(child)) test(child)
  return seen
}

describe("selectors", () => {
  it("count siblings once, also under implied elements", () => {
    const root = parseTree("<i></i>".repeat(2_000)).body as Element
    const test = Either.getOrThrow(parseSelector("h1:nth-child(2)"))
    let counted = 0
    const parent: Element = { ...root, children: [] }
    Object.defineProperty(parent, "children", {
      get: () => {
        counted += 1
        return root.children
      }
    })
    for (let at = 0; at < 100; at++) expect(test(makeElement("h1", {}, parent))).toBe(false)
    expect(counted).toBe(1)
  })

  it("count positions as CSS does", () => {
    expect(idsOf(list, "li:nth-child(2)")).toEqual(["b"])
    expect(idsOf(list, "ul > :nth-child(2n)")).toEqual(["b", "c", "y"])
    expect(idsOf(list, "ul > :nth-child(odd)")).toEqual(["a", "x", "d"])
    expect(idsOf(list, "ul > :nth-child( -n + 2 )")).toEqual(["a", "b"])
    expect(idsOf(list, "ul > :nth-child(n+5)")).toEqual(["d", "y"])
    expect(idsOf(list, "ul > :nth-last-child(1)")).toEqual(["y"])
    expect(idsOf(list, "li:nth-of-type(3)")).toEqual(["c"])
    expect(idsOf(list, "li:nth-last-of-type(even)")).toEqual(["a", "c"])
    expect(idsOf(list, "body :first-of-type")).toEqual([undefined, "a", "x"])
    expect(idsOf(list, "ul > :last-of-type")).toEqual(["d", "y"])
    expect(idsOf(list, "ul > :only-of-type")).toEqual([])
    expect(idsOf("<p><i id=one></i><b></b><b></b></p>", "i:only-of-type")).toEqual(["one"])
    expect(idsOf(list, "li:not(:nth-child(-n+2))")).toEqual(["c", "d"])
  })

  it("refuse an invalid position formula", () => {
    for (const wrong of ["li:nth-child(x)", "li:nth-child(2 of .a)", "li:not(:nth-of-type(n n))"])
      expect(Either.getLeft(parseSelector(wrong))).toMatchObject({ value: expect.stringContaining(wrong) })
  })

  it.each([
    [".price >", 'nothing follows ">"'],
    [".price > , b", 'nothing follows ">"'],
    ["b +", 'nothing follows "+"'],
    ["b:not(i ~)", 'nothing follows "~"'],
    [">", 'nothing follows ">"'],
    ["> > b", "two combinators follow each other"],
    ["a,,b", "a part of its list is empty"],
    ["$('.price')", '"$" is not allowed there'],
    ["a,", "a part of its list is empty"],
    [" ", "it is empty"],
    ["article[", "a name is missing at its end"],
    ["a[x=1", 'a "]" is missing'],
    ["a:not(b", 'a ")" is missing'],
    ["p::before", "pseudo-elements cannot be used"],
    ["a || b", "column combinators cannot be used"]
  ])("say what is wrong with %s", (selector, why) => {
    const value = `"${selector}" is not a CSS selector: ${why}`
    expect(Either.getLeft(parseQuery(selector))).toMatchObject({ value: expect.stringContaining(value) })
  })

  it.each([
    "b:nth-child(2n+1)",
    ":nth-last-child(7)",
    "b:nth-of-type(3)",
    "b:nth-last-of-type(3)",
    "b:first-of-type",
    "li:last-of-type",
    "b:only-of-type"
  ])("take twice the time for twice the siblings, and no more: %s", (selector) => {
    expect(looks(2_000, selector) / looks(1_000, selector)).toBeLessThan(2.5)
  })
})
