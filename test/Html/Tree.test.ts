/** The tree beyond the standard's tests: what selectors from a browser's inspector find, embedded pages, and hostile markup. */

import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { type Element, isElement, textOf } from "../../src/Html/Element.ts"
import { every, parseSelector } from "../../src/Html/Select.ts"
import { parseTree } from "../../src/Html/Tree.ts"
import { cpuMillis } from "../CpuTime.ts"
import { skipsLong } from "../Long.ts"

const found = (html: string, selector: string): ReadonlyArray<string> =>
  every(parseTree(html).root, Either.getOrThrow(parseSelector(selector)), 1_000).map(textOf)

describe("selectors of the browser's inspector", () => {
  it("find cells through a tbody that the source does not have", () => {
    expect(found("<table><tr><td>a<td>b</table>", "table > tbody > tr > td:nth-child(2)")).toEqual(["b"])
  })

  it("find the link in a heading that ends the paragraph in which the link was opened", () => {
    expect(found("<!doctype html><p><a href=/x><h3>T</h3></a>", "body > h3 > a[href]")).toEqual(["T"])
  })

  it("find what a table cannot hold before the table", () => {
    expect(found("<table><b>x</b><tr><td>y</table>", "body > b:first-child")).toEqual(["x"])
  })

  it("find SVG by its names and attributes", () => {
    const html = "<svg viewBox='0 0 1 1'><linearGradient id=g><stop/></linearGradient><foreignObject><p>x</svg>"
    expect(found(html, "svg[viewBox] > linearGradient > stop")).toHaveLength(1)
    expect(found(html, "foreignObject p")).toEqual(["x"])
    expect(found(html, "[constructor]")).toEqual([])
  })

  it("count the same children with a noscript in the head, as browsers run scripts", () => {
    const html = "<head><noscript><img src=/pixel></noscript><title>T</title></head><body><p>a<p>b"
    expect(found(html, "head > title")).toEqual(["T"])
    expect(found(html, "body > p:nth-child(2)")).toEqual(["b"])
    expect(parseTree(html).images).toHaveLength(1)
  })
})

describe("embedded markup", () => {
  it("of a noscript, an iframe or a shadow root is content of its element", () => {
    expect(found("<p>a<noscript></td><div>b</noscript>c", "p")).toEqual(["abc"])
    expect(found(`<table><tr><td><iframe srcdoc="</td><p>b"></iframe>c</table>`, "td > iframe > p")).toEqual(["b"])
    expect(found("<x-a><template shadowrootmode=open><p>b</template></x-a>", "x-a > template > p")).toEqual(["b"])
  })

  it("has no part in the head of the page", () => {
    const { metas, titles } = parseTree(`<title>T</title><iframe srcdoc="<title>U</title><meta name=robots>"></iframe>`)
    expect(titles.map(textOf)).toEqual(["T"])
    expect(metas).toEqual([])
  })
})

const depthOf = (element: Element): number => {
  let [depth, level]: [number, ReadonlyArray<Element>] = [0, [element]]
  while (level.length > 0) {
    depth++
    level = level.flatMap(({ children }) => children.filter(isElement))
  }
  return depth
}

/** Markup that makes browsers copy, move or search elements, by number of repetitions. */
const hostile: Readonly<Record<string, (count: number) => string>> = {
  "formatting elements over blocks": (count) => `${"<b><i><u><div>".repeat(count)}${"</b></i></u>".repeat(count)}`,
  "adoption at every end tag": (count) => `<b>${"<i>".repeat(100)}${"<div>".repeat(100)}${"</b>".repeat(count)}`,
  "different formatting elements": (count) => Array.from({ length: count }, (_, at) => `<font id=${at}><p>x`).join(""),
  "links in links": (count) => "<a href=/x><section>".repeat(count),
  "content before tables": (count) => `<table>${"<b>x<tr>y".repeat(count)}`,
  "tables in tables": (count) => "<table><tr><td><table>x".repeat(count),
  "unclosed templates": (count) => "<template><tr>".repeat(count),
  "end tags that reach nothing": (count) => `<y><object>${"<x-a>".repeat(500)}${"</y></p></z>".repeat(count)}`,
  "end tags in SVG": (count) => `<svg>${"<g>".repeat(500)}${"</x></svg-a>".repeat(count)}`,
  "noscript in noscript": (count) => "<noscript><p>".repeat(count),
  "many choices": (count) => "<div><select><option>".repeat(count),
  "cells without rows": (count) => "<td><caption><colgroup><table>".repeat(count),
  "many attributes": (count) =>
    `<b ${Array.from({ length: 900 }, (_, at) => `a${at}`).join(" ")}>`.repeat(Math.ceil(count / 100))
}

describe("hostile markup", () => {
  for (const [name, make] of Object.entries(hostile)) {
    it.skipIf(skipsLong)(`stays shallow and takes linear time: ${name}`, () => {
      expect(depthOf(parseTree(make(2_000)).root)).toBeLessThan(530)
      const cost = (count: number) => cpuMillis(() => parseTree(make(count)))
      cost(1_500)
      const [small, large] = [cost(1_500), cost(12_000)]
      // Eight times the length: quadratic cost would be sixty-four times.
      expect(large).toBeLessThan(Math.max(small, 20) * 32)
    })
  }
})
