/** Fingerprints of elements, and the nearest element of a page. */
import { describe, expect, it } from "@effect/vitest"
import { descendantsOf, type Element } from "../../src/Html/Element.ts"
import { fingerprintOf, nearestTo, nearText } from "../../src/Html/Fingerprint.ts"
import { parseTree } from "../../src/Html/Tree.ts"

const found = (html: string, test: (element: Element) => boolean): Element => {
  const element = descendantsOf(parseTree(html).root).find(test)
  if (element === undefined) throw new Error("no such element")
  return element
}

/** What is nearest on the second page to the element with `id="x"` of the first one. */
const nearest = (before: string, after: string): string =>
  nearText(
    nearestTo(
      parseTree(after).root,
      fingerprintOf(found(before, ({ attributes }) => attributes.id === "x" || attributes.title === "x"))
    )
  )

describe("a fingerprint", () => {
  it("stays below 2 kB whatever the page has", () => {
    const wild = '\u0001€\ud800"\\'.repeat(4000)
    const attributes = ["id", "itemprop", "property", "name", "role", "data-a", "data-b", "class"].map(
      (name) => `${name}='${wild}'`
    )
    const html = `<main class='${"€-".repeat(3000)}'><p>${wild}</p><b ${attributes.join(" ")}>${wild}</b></main>`
    const fingerprint = fingerprintOf(found(html, ({ name }) => name === "b"))
    expect(Buffer.byteLength(JSON.stringify(fingerprint))).toBeLessThan(2048)
  })

  it.each([
    [
      "a price under another class",
      `<p><b title=x class=price>7,50 €</b></p>`,
      `<p>2 kg</p><div><s>9,99 €</s><span class=amount>281,35 €</span></div>`,
      'span.amount "281,35 €"'
    ],
    [
      "a weight beside its label",
      `<dl><dt>Weight</dt><dd title=x>2 kg</dd></dl>`,
      `<table><tr><td>Size<td>3 cm<tr><td>Weight<td>5 kg</table>`,
      'td "5 kg"'
    ],
    [
      "a date among numbers",
      `<p>Updated <time title=x>2026-03-01</time></p>`,
      `<p>17</p><p>Updated <i>2026-04-02</i></p>`,
      'i "2026-04-02"'
    ],
    [
      "a heading with its attribute",
      `<h2 title=x itemprop=name>Blue kettle</h2>`,
      `<h1>Shop</h1><div itemprop=name>Red pot</div>`,
      'div "Red pot"'
    ],
    [
      "an image",
      `<img title=x class=main src=/a.jpg>`,
      `<img src=/logo.png><img class="main wide" src=/b.jpg>`,
      'img.main "/b.jpg"'
    ],
    [
      "nothing, where no price is left",
      `<b title=x class=price>7,50 €</b>`,
      `<b class=weight>2 kg</b><p>On request</p><i>7</i>`,
      "none"
    ],
    ["nothing, on an empty page", `<h1 title=x>Kettle</h1>`, ``, "none"]
  ])("finds %s", (_, before, after, wanted) => {
    expect(nearest(before, after)).toBe(wanted)
  })

  it("takes little time on a large page", () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => `<tr><td>${at},50 €<td>${at} kg`).join("")
    const begun = performance.now()
    expect(nearest("<b title=x class=price>7,50 €</b>", `<table>${rows}</table>`)).toContain("€")
    expect(performance.now() - begun).toBeLessThan(3000)
  })
})
