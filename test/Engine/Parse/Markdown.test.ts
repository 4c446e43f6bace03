import { describe, expect, it } from "@effect/vitest"
import { toMarkdown } from "../../../src/Engine/Parse/Markdown.ts"
import { toHtml } from "../../../src/Engine/Parse/Markup.ts"
import {
  addresses,
  type Block,
  blockText,
  type Cell,
  type Inline,
  paragraph,
  text
} from "../../../src/Engine/Parse/Tree.ts"

const tree = (...blocks: ReadonlyArray<Block>) => ({ blocks, metadata: {}, warnings: [] })
const markdown = (...blocks: ReadonlyArray<Block>) => toMarkdown(tree(...blocks))
const line = (...content: ReadonlyArray<Inline>): Block => ({ kind: "paragraph", content })
const cell = (...blocks: ReadonlyArray<Block>): Cell => ({ blocks, colSpan: 1, rowSpan: 1 })

const nested: Block = {
  kind: "list",
  ordered: true,
  start: 3,
  items: [
    {
      blocks: [paragraph("three"), { kind: "list", ordered: false, start: 1, items: [{ blocks: [paragraph("dot")] }] }]
    },
    { blocks: [paragraph("done"), paragraph("more of it")], checked: true },
    { blocks: [paragraph("odd")], label: "1-a)" }
  ]
}

describe("Markdown of a tree", () => {
  it("escapes text that looks like a tag or an entity", () => {
    expect(markdown(paragraph("x < y, <p class='a'>, &amp; and AT&T"))).toBe(
      "x < y, &lt;p class='a'>, &amp;amp; and AT&T"
    )
  })

  it("escapes text that looks like Markdown", () => {
    expect(markdown(paragraph("2 * 3 * 4 and snake_case but _this_ <b> a[1](x)"))).toBe(
      "2 \\* 3 \\* 4 and snake_case but \\_this\\_ &lt;b> a[1\\](x)"
    )
    for (const start of ["# one", "- one", "+ one", "> one", "| one", "===", "[1]: one", "[^1]: one"]) {
      expect(markdown(paragraph(start))).toBe(`\\${start}`)
    }
    expect(markdown(line(text("a [1]: b"), { kind: "break" }, text("[1]: one")))).toBe("a [1]: b  \n\\[1]: one")
    expect(markdown(paragraph("12. one"))).toBe("12\\. one")
    expect(markdown(paragraph("~5 of ~~6~~"))).toBe("~5 of \\~\\~6\\~\\~")
    const titled = ["C# and F #", "#"].map((words): Block => ({ kind: "heading", level: 2, content: [text(words)] }))
    expect(markdown(...titled)).toBe("## C# and F \\#\n\n## \\#")
  })

  it("joins runs of one style and keeps spaces outside of the emphasis", () => {
    const bold = { bold: true }
    expect(markdown(line(text("a"), text(" b", bold), text("c ", bold), text("d")))).toBe("a **bc** d")
    expect(markdown(line(text("x", { bold: true, italic: true, strike: true })))).toBe("~~***x***~~")
    expect(markdown(line(text("a`b", { code: true })))).toBe("``a`b``")
    expect(markdown(line(text("``a` ", { code: true })))).toBe("``` ``a` ```")
  })

  it("moves punctuation out of emphasis where CommonMark would not recognise the marks", () => {
    const [bold, italic] = [{ bold: true }, { italic: true }]
    const both = { ...bold, ...italic }
    expect(markdown(line(text("注意：", bold), text("请阅读")))).toBe("**注意**：请阅读")
    expect(markdown(line(text("见"), text("（附件）", italic), text("。")))).toBe("见（*附件）*。")
    expect(markdown(line(text("a"), text("(b)", both), text("c")))).toBe("a(***b***)c")
    expect(markdown(line(text("x"), text("!!", bold), text("y")))).toBe("x!!y")
    expect(markdown(line(text("x"), text("</b>", bold), text("y")))).toBe("x&lt;/**b**>y")
    expect(markdown(line(text("x"), text("&lt;", bold), text("y")))).toBe("x&amp;**lt**;y")
    expect(markdown(line(text("Note:", bold), text(" read (")))).toBe("**Note:** read (")
    expect(markdown(line(text("a", both), text("b", bold)))).toBe("***a*b**")
  })

  it("writes links and images, and drops links without text", () => {
    const to = (href: string, ...content: ReadonlyArray<Inline>): Inline => ({ kind: "link", href, content })
    expect(markdown(line(to("https://e.org/a (b)", text("there"))))).toBe("[there](https://e.org/a%20%28b%29)")
    expect(markdown(line(to("https://e.org/", text("1] a [b"))))).toBe("[1\\] a \\[b](https://e.org/)")
    expect(markdown(line(text("x"), to("https://e.org/")))).toBe("x")
    expect(markdown(line(to("", text("nowhere"))))).toBe("nowhere")
    expect(toHtml(tree(line(to("", text("nowhere")))))).toContain("<p>nowhere</p>")
    expect(addresses([line(to("", text("nowhere")))]).links).toEqual([])
    expect(markdown(line({ kind: "image", src: "a.png", alt: "A [b]" }, { kind: "break" }, text("below")))).toBe(
      "![A [b]](a.png)  \nbelow"
    )
  })

  it("nests lists, keeps numbers and custom labels", () => {
    expect(markdown(nested)).toBe("3. three\n   - dot\n4. [x] done\n\n   more of it\n- 1-a) odd")
  })

  it("writes all content of a cell on one line", () => {
    const inner: Block = {
      kind: "table",
      headerRows: 0,
      rows: [
        [cell(paragraph("p")), cell(paragraph("q"))],
        [cell(), undefined]
      ]
    }
    const holder: Block = {
      kind: "table",
      headerRows: 0,
      rows: [
        [cell(nested), cell(inner)],
        [cell({ kind: "quote", blocks: [paragraph("said")] }), cell({ kind: "code", text: "a\n|b" }, { kind: "rule" })],
        [cell({ kind: "grid", rows: [["g", "h"]] })]
      ]
    }
    expect(markdown(holder)).toBe(
      [
        "|  |  |",
        "| --- | --- |",
        "| 3. three<br>- dot<br>4. done<br>more of it<br>1-a) odd | p q<br>  |",
        "| said | a<br>\\|b |",
        "| g h |  |"
      ].join("\n")
    )
  })

  it("writes quotes, code, rules and notes", () => {
    expect(
      markdown(
        { kind: "quote", blocks: [paragraph("one"), paragraph("two")] },
        { kind: "code", text: "let a = 1\n" },
        { kind: "code", text: "````" },
        { kind: "rule" },
        { kind: "heading", level: 2, content: [] },
        { kind: "note", note: 1, blocks: [paragraph("a"), paragraph("b")] }
      )
    ).toBe("> one\n> \n> two\n\n```\nlet a = 1\n```\n\n`````\n````\n`````\n\n---\n\n[^1]: a\n\n    b")
  })
})

describe("hostile white space", () => {
  it("takes linear time", () => {
    const cost = (size: number) => {
      const blank = " ".repeat(size)
      const before = process.cpuUsage()
      markdown(
        line(text(`a${blank}b`, { bold: true })),
        line(text("a"), ...Array.from({ length: size / 4 }, (): Inline => ({ kind: "break" })), text("b")),
        { kind: "grid", rows: [[`a${blank}b\nc`]] }
      )
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }
    cost(1_000)
    const [small, large] = [cost(5_000), cost(40_000)]
    expect(large).toBeLessThan(Math.max(small, 10) * 32)
  })
})

describe("HTML of a tree", () => {
  it("has the same content, escaped", () => {
    const html = toHtml(
      tree(
        nested,
        { kind: "quote", blocks: [paragraph("<said>")] },
        { kind: "code", text: "a < b" },
        { kind: "rule" },
        { kind: "grid", rows: [["h"], ["v & w"]] },
        { kind: "table", headerRows: 1, rows: [[{ ...cell(paragraph("wide")), colSpan: 2, rowSpan: 3 }, undefined]] },
        line(text("s", { strike: true, italic: true, code: true }), { kind: "break" }, { kind: "call", note: 4 })
      )
    )
    for (const part of [
      '<ol start="3">',
      '<input type="checkbox" disabled checked>',
      "<li>1-a) odd</li>",
      "<p>&lt;said&gt;</p>",
      "<pre><code>a &lt; b</code></pre>",
      "<hr>",
      "<tr><th>h</th></tr>\n<tr><td>v &amp; w</td></tr>",
      '<th colspan="2" rowspan="3">wide</th>',
      "<del><em><code>s</code></em></del><br>",
      '<a href="#note-4">4</a>'
    ]) {
      expect(html).toContain(part)
    }
  })
})

describe("text and addresses of a tree", () => {
  it("are found at any depth", () => {
    const linked = line({ kind: "link", href: "https://e.org/", content: [{ kind: "image", src: "i.png", alt: "" }] })
    const inside = line({ kind: "link", href: "#here", content: [text("here")] }, { kind: "break" }, text("end"))
    const deep: Block = {
      kind: "list",
      ordered: false,
      start: 1,
      items: [{ blocks: [{ kind: "quote", blocks: [linked] }] }]
    }
    const table: Block = { kind: "table", headerRows: 0, rows: [[cell(deep), undefined, cell(inside)]] }
    expect(addresses([table])).toEqual({ links: ["https://e.org/"], images: ["i.png"] })
    expect(
      blockText([table, { kind: "grid", rows: [["a", "b"]] }, { kind: "code", text: "c" }, { kind: "rule" }])
    ).toBe("\t\there\nend\na\tb\nc")
  })
})
