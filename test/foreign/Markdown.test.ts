/** Cases from outside: what HTML shows, as Markdown that reads back, from public bug reports and their neighbours. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "fast-check"
import MarkdownIt from "markdown-it"
import { extract } from "../../src/Html/Extract.ts"
import { type Case, input } from "./Case.ts"

const markdownOf = (html: string): string =>
  extract(html, {
    wanted: new Set(["markdown"]),
    url: "http://site.test/a/b",
    onlyMainContent: false,
    removeBase64Images: true,
    blockAds: false
  }).markdown ?? ""

interface MarkdownCase extends Case {
  /** HTML, or the path of a file below `inputs/pages`. */
  readonly html: string
  readonly expects: ReadonlyArray<string>
  readonly excludes?: ReadonlyArray<string>
}

const suite = (cases: ReadonlyArray<MarkdownCase>) => {
  for (const { excludes = [], expects, html, name, source } of cases) {
    it(`${name} (${source})`, () => {
      const written = markdownOf(html.startsWith("<") ? html : readFileSync(input(`pages/${html}`), "utf8"))
      for (const part of expects) expect(written).toContain(part)
      for (const part of excludes) expect(written).not.toContain(part)
    })
  }
}

describe("what browsers show is read as they build it", () => {
  suite([
    {
      name: "a declarative shadow root is text of the page",
      source: "whatwg/html#5465, whatwg/dom#831",
      html: "06-embedded/dsd.html",
      expects: ["# Nine bells", "All of the text of this page stands in a declarative shadow root"]
    },
    {
      name: "a page in the srcdoc of an iframe is content, and its scripts are not",
      source: "own",
      html: `<p>Before</p><iframe srcdoc="<title>T</title><h2>Log</h2><p>Low &amp;amp; high <a href='/tide'>tide</a>.<script>no()</script>"></iframe><p>After</p>`,
      expects: ["Before\n\n## Log\n\nLow & high [tide](http://site.test/tide).\n\nAfter"],
      excludes: ["no()"]
    },
    {
      name: "a heading in a link that was opened in a paragraph is linked",
      source: "own",
      html: "05-inline/link-heading.html",
      expects: ["### [Card title](http://site.test/card)", "[Card text](http://site.test/card)"]
    },
    {
      name: "bold and links that are left open go on in the next block",
      source: "own",
      html: "<p>One <b>two <a href=/x>three</p><p>four</a> five</b> six</p>",
      expects: ["One **two [three](http://site.test/x)**", "**[four](http://site.test/x) five** six"]
    },
    {
      name: "what a table cannot hold stands before it",
      source: "own",
      html: "<table><tr><th>Port<th>Depth<p>Note</p></tr>Stray<tr><td>Linz<td>3</table>",
      expects: ["Stray\n\n| Port | Depth<br>Note |\n| --- | --- |\n| Linz | 3 |"]
    }
  ])
})

describe("code is lines, wherever the markup ends them", () => {
  suite([
    {
      name: "line breaks and blocks in code without pre make a block",
      source: "turbohtml#395, html-to-markdown#487, markdownify#27",
      html: "04-code/b.html",
      expects: [
        "```\ngit add .\ngit commit\ngit push\n```",
        "```\none\ntwo\n```",
        "```\nalpha\nbeta\n```",
        "```\nlet a = 1;\nlet b = 2;\n```",
        "```\na:\n  b: 1\n```"
      ]
    },
    {
      name: "gists, SyntaxHighlighter, CodeMirror and tables of lines are code without the numbers",
      source: "html-to-markdown#185",
      html: "04-code/b.html",
      expects: [
        "```\ndef f():\n    return 1\n```",
        "```java\nclass A {\n  int x; }\n```",
        "```\ndef g():\n    return 2\n```",
        "```js\nif (x) {\n    go();\n}\n```",
        "```\ndef f():\n    pass\n```",
        "```\na\nb\n```"
      ]
    },
    {
      name: "the language is read from the classes and attributes of all highlighters",
      source: "own",
      html: "04-code/b.html",
      expects: [
        "```python\nx=1",
        "```python\ny=2",
        "```ruby\nputs",
        "```shell\nls",
        "```php\necho",
        "```java\nz",
        "```\nn"
      ]
    },
    {
      name: "blocks with kept white space, blank lines and lines that highlighters mark are code",
      source: "turndown#338",
      html: "04-code/a.html",
      expects: [
        "```\nfor i in x:\n    go(i)\n```",
        "```\n\ntwo blank before\n   indented\n```",
        "```sh\na=1\n  b=2\n\nc=3\n```",
        "```\nint a;\n  int b;\n```",
        "```\nmkdir x\ncd x\nls\n```"
      ]
    },
    {
      name: "gists with indented markup have no lines more",
      source: "own",
      html: `<table class="highlight">
        <tr>
          <td id="L1" class="blob-num" data-line-number="1"></td>
          <td id="LC1" class="blob-code">a</td>
        </tr>
        <tr>
          <td id="L2" class="blob-num" data-line-number="2"></td>
          <td id="LC2" class="blob-code"></td>
        </tr>
        <tr>
          <td id="L3" class="blob-num" data-line-number="3"></td>
          <td id="LC3" class="blob-code">  42</td>
        </tr>
      </table>`,
      expects: ["```\na\n\n  42\n```"]
    },
    {
      name: "code of several lines is one line in a link and in a heading",
      source: "own",
      html: `<h2><code>a<br>b</code></h2><p><a href="/x"><code>c<br>d</code></a></p>`,
      expects: ["## `a b`", "[`c d`](http://site.test/x)"]
    },
    {
      name: "blocks of lines with line ends between them are not doubled",
      source: "own",
      html: `<pre><div class="line">a</div>\n<div class="line">  b</div>\n<div class="line"><br></div>\n<div class="line">c</div></pre>`,
      expects: ["```\na\n  b\n\nc\n```"]
    }
  ])
})

describe("tables", () => {
  suite([
    {
      name: "the head is first and the foot is last, whatever their order in the source",
      source: "markitdown#2536",
      html: "02-tables/a.html",
      expects: ["| Item | Cost |  |\n| --- | --- | --- |\n| Wax |  |  |\n| Oil | 20 | extra |\n| Sum | 30 |  |"]
    },
    {
      name: "the foot between head and body is last",
      source: "markitdown#2536",
      html: "02-tables/b.html",
      expects: ["| Item | Cost |\n| --- | --- |\n| Wax | 10 |\n| Oil | 20 |\n| Sum | 30 |"]
    },
    {
      name: "bars in the addresses of links and pictures do not end the cell",
      source: "turbohtml#765",
      html: "02-tables/b.html",
      expects: [
        "[red or blue](https://shop.example/list?f=red%7Cblue)",
        "[https://shop.example/x\\|y](https://shop.example/x%7Cy)",
        "![a\\|b](http://site.test/i%7Cj.png)"
      ]
    },
    {
      name: "code in cells keeps its lines and their indentation",
      source: "html-to-markdown#456, mdream#147",
      html: "02-tables/b.html",
      expects: ["| `for x in y:`<br>`    print(x)`<br>`done()` | `a`<br>`b` |", "| `first line second line` | n |"]
    },
    {
      name: "columns are aligned as their first cells say",
      source: "own",
      html: "02-tables/a.html",
      expects: ["| 1 | 2 |\n| ---: | :---: |\n| 3 | 4 |"]
    },
    {
      name: "rows that each begin with a th have no header, so none of them becomes it",
      source: "markdownify, pandoc: row headers",
      html: "02-tables/a.html",
      expects: ["|  |  |\n| --- | --- |\n| Tools: | Awl and [thread](http://site.test/thread). |\n| Results: |"]
    },
    {
      name: "rows without cells change nothing, and neither does a title above rows that begin with a th",
      source: "own",
      html: `<table>
        <tr><th colspan="2">Berlin</th></tr>
        <tr></tr>
        <tr><th>Area</th><td>891</td></tr>
        <tr><th>Mayor</th><td>Wegner</td></tr>
      </table>`,
      expects: ["Berlin\n\n|  |  |\n| --- | --- |\n| Area | 891 |\n| Mayor | Wegner |"]
    },
    {
      name: "a row that spans the table above the header is its title",
      source: "own",
      html: `<table>
        <tr><th colspan="2">Prices of May</th></tr>
        <tr><th>Item</th><th>Price</th></tr>
        <tr><td>Wax</td><td>10</td></tr>
      </table>`,
      expects: ["Prices of May\n\n| Item | Price |\n| --- | --- |\n| Wax | 10 |"]
    },
    {
      name: "the first of two header rows stays the header, and so does a first row without th",
      source: "own",
      html: "02-tables/b.html",
      expects: [
        "|  | Group |  |\n| --- | --- | --- |\n| Name | Low | High |\n| Wax | 1 | 2 |",
        "|  | Mon | Tue |\n| --- |"
      ]
    },
    {
      name: "a table in a cell is lines of that cell, and the outer table stays one",
      source: "own",
      html: "02-tables/a.html",
      expects: ["| Shelf | Content |\n| --- | --- |\n| A | wax 3<br>oil 4 |\n| B | empty |"]
    },
    {
      name: "a row of a table in a cell is one line",
      source: "own",
      html: "02-tables/b.html",
      expects: [
        "| Product | Sizes | Price |\n| --- | --- | --- |\n| Halter | S M | 12.00 |\n| Rope | one size | 4.00 |"
      ]
    },
    {
      name: "tables beside each other in a layout stay tables",
      source: "own",
      html: "02-tables/a.html",
      expects: ["| L |\n| --- |\n| l1 |", "| R |\n| --- |\n| r1 |"]
    },
    {
      name: "a table around the page stays its layout, also with a th",
      source: "own",
      html: `<table><tr><th>Menu</th><th>Page</th></tr><tr><td>a</td><td><h2>Head</h2>
        <table><tr><th>K</th><th>V</th></tr><tr><td>k</td><td>v</td></tr></table></td></tr></table>`,
      expects: ["## Head", "| K | V |\n| --- | --- |\n| k | v |"]
    }
  ])
})

describe("lists", () => {
  suite([
    {
      name: "a list directly in a list belongs to the item before it",
      source: "markdownify#236, turbohtml#384",
      html: "03-lists/a.html",
      expects: ["- a\n- b\n  - c\n  - d\n- e"]
    },
    {
      name: "items have the numbers that are shown",
      source: "turbohtml#388, markdownify#263, wordpress-activitypub#321",
      html: "03-lists/a.html",
      expects: [
        "7. seven\n10. ten\n11. eleven",
        "3) three\n2) two\n1) one",
        "- a. alpha\n- b. beta",
        "0. zero",
        "- -1. minus"
      ]
    },
    {
      name: "letters and Roman numbers go on behind their last one",
      source: "own",
      html: `<ol type="A" start="26"><li>x</li><li>y</li></ol><p>-</p><ol style="list-style-type: lower-roman" start="9"><li>n</li><li value="14">f</li></ol>`,
      expects: ["- Z. x\n- AA. y", "- ix. n\n- xiv. f"]
    },
    {
      name: "lists side by side stay two",
      source: "own",
      html: "03-lists/a.html",
      expects: ["- one\n\n* two\n\n1. x\n\n1) y"]
    }
  ])
})

describe("text between markup", () => {
  suite([
    {
      name: "emphasis in a word has asterisks, the same emphasis side by side is one, punctuation that hides its end stands outside",
      source: "turndown#441, turndown#269",
      html: "05-inline/b.html",
      expects: [
        "un*believ*able and *H*2 and *foo*bar and foo*bar* and _ab_ and **ab** and _a_’s and _f_(_x_) and **Note**:text",
        "日本*語*です",
        "**重要**。次"
      ]
    },
    {
      name: "headings are without their permalinks",
      source: "Python-Markdown#245",
      html: "05-inline/b.html",
      expects: ["## Permalinks\n", "### Second\n", "### Third\n", "### Fourth\n", "### Fifth\n", "### Sixth\n"]
    },
    {
      name: "headings keep links to other places, and titles that are signs",
      source: "own",
      html: `<h2><a href="/c#x">C</a></h2><h2><a href="#s">Section</a> <a href="/p">§ 5</a></h2><h3>#</h3>`,
      expects: ["## [C](http://site.test/c#x)", "## Section [§ 5](http://site.test/p)", "### \\#"]
    },
    {
      name: "text that looks like a definition of a link or note, or a picture, stays text",
      source: "showdown#510",
      html: "05-inline/b.html",
      expects: ["\\[^1]: note", "\\[ref]: http://x.example", "\\![img?](http://site.test/x)"]
    },
    {
      name: "text that is markup only across elements stays text",
      source: "own",
      html: "<p><span>1</span><span>. a</span></p><p>[b]<span>(c)</span></p><p><span>-</span> d</p><p>e | f<br>--- | ---</p>",
      expects: ["1\\. a", "[b\\](c)", "\\- d", "\\--- | ---"]
    }
  ])
})

describe("embedded elements", () => {
  suite([
    {
      name: "pictures that are loaded late have their own address, and that for the widest screen",
      source: "readability#544",
      html: "06-embedded/a.html",
      expects: [
        "![data-lazy-src](http://site.test/lazy.jpg)",
        "![only data-srcset](http://site.test/a-1280.jpg)",
        "![srcset only](http://site.test/s1.png)",
        "![INLINE svg](<Base64-Image-Removed>)"
      ]
    },
    {
      name: "dialogs and popovers show what is open",
      source: "own",
      html: "06-embedded/a.html",
      expects: ["DIALOG open"],
      excludes: ["DIALOG closed", "POPOVER"]
    }
  ])
})

type Token = ReturnType<MarkdownIt["parse"]>[number]

const reader = new MarkdownIt("commonmark").enable(["table", "strikethrough"])

const types = (tokens: ReadonlyArray<Token>): ReadonlyArray<string> => tokens.map(({ type }) => type)

/** The text of a line as it is shown, without emphasis, with code and links in brackets. */
const shown = (line: Token | undefined): string =>
  (line?.children ?? [])
    .map(({ content, type }) => {
      if (type === "code_inline") return `‹${content}›`
      if (type === "link_open") return "{"
      if (type === "link_close") return "}"
      return type === "softbreak" || type === "hardbreak" ? "\n" : type === "text" ? content : ""
    })
    .join("")
    .replaceAll("›‹", "")

/** Links of a line. */
const targets = (line: Token | undefined): ReadonlyArray<string> =>
  (line?.children ?? []).filter(({ type }) => type === "link_open").map((token) => token.attrGet("href") ?? "")

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

const words = FastCheck.array(
  FastCheck.constantFrom(
    "a",
    "b",
    "1",
    "。",
    "語",
    "(",
    ")",
    "[",
    "]",
    "*",
    "_",
    "`",
    "~",
    "!",
    "#",
    "-",
    ".",
    ":",
    "|",
    "<",
    "&",
    "\\",
    '"',
    "+",
    ">",
    "="
  ),
  { minLength: 1, maxLength: 4 }
).map((parts) => parts.join(""))

interface Part {
  readonly html: string
  readonly reads: string
}

const text = words.map((word): Part => ({ html: escaped(word), reads: word }))
const separate = FastCheck.constant<Part>({ html: " ", reads: " " })
const code = words.map((word): Part => ({ html: `<code>${escaped(word)}</code>`, reads: `‹${word}›` }))
const link = words.map(
  (word): Part => ({ html: `<a href="http://s.test/x|y">${escaped(word)}</a>`, reads: `{${word}}` })
)
const emphasis = FastCheck.tuple(FastCheck.constantFrom("b", "i"), FastCheck.oneof(text, code)).map(
  ([name, part]): Part => ({ html: `<${name}>${part.html}</${name}>`, reads: part.reads })
)
const line = FastCheck.array(FastCheck.oneof(text, separate, code, link, emphasis), { minLength: 1, maxLength: 7 })

const joined = (parts: ReadonlyArray<Part>) => ({
  html: parts.map(({ html }) => html).join(""),
  reads: parts
    .map(({ reads }) => reads)
    .join("")
    .replace(/ +/g, " ")
    .replaceAll("›‹", "")
    .trim()
})

const runs = { numRuns: 400 }

describe("Markdown reads back", () => {
  const readsAs = (block: "paragraph" | "heading", tag: string) =>
    FastCheck.assert(
      FastCheck.property(line, (parts) => {
        const { html, reads } = joined(parts)
        if (reads === "") return
        const markdown = markdownOf(`<${tag}>${html}</${tag}>`)
        const tokens = reader.parse(markdown, {})
        expect(types(tokens), markdown).toEqual([`${block}_open`, "inline", `${block}_close`])
        expect(shown(tokens[1]), markdown).toBe(reads)
        const expected = html.includes("<a") ? ["http://s.test/x%7Cy"] : []
        expect([...new Set(targets(tokens[1]))], markdown).toEqual(expected)
      }),
      runs
    )

  it("a paragraph has its text, code and links", () => readsAs("paragraph", "p"))

  it("a heading has its text, code and links", () => readsAs("heading", "h2"))

  it("each letter has the emphasis that it is shown with", () => {
    const letters = FastCheck.tuple(
      FastCheck.constantFrom("a", "bc", "d e", " f", "g ", "h"),
      FastCheck.constantFrom([], ["b"], ["i"], ["del"])
    )
    const kinds: Readonly<Record<string, string>> = { strong: "b", em: "i", s: "del" }
    const marked = (letter: string, names: Iterable<string>) => `${letter}${[...names].sort().join("")}`
    FastCheck.assert(
      FastCheck.property(FastCheck.array(letters, { minLength: 1, maxLength: 6 }), (parts) => {
        const html = parts.map(
          ([content, names]) =>
            names.map((name) => `<${name}>`).join("") +
            content +
            [...names]
              .reverse()
              .map((name) => `</${name}>`)
              .join("")
        )
        const expected = parts.flatMap(([content, names]) =>
          [...content.replaceAll(" ", "")].map((letter) => marked(letter, names))
        )
        const markdown = markdownOf(`<p>${html.join("")}</p>`)
        const open = new Set<string>()
        const read = (reader.parse(markdown, {})[1]?.children ?? []).flatMap(({ content, type }) => {
          const [name = "", side] = type.split("_")
          if (side === "open") open.add(kinds[name] ?? "")
          if (side === "close") open.delete(kinds[name] ?? "")
          return [...content.replaceAll(" ", "")].map((letter) => marked(letter, open))
        })
        expect(read, markdown).toEqual(expected)
      }),
      runs
    )
  })

  it("a table has its cells", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(line, { minLength: 4, maxLength: 4 }), (cells) => {
        const given = cells.map(joined)
        const [a, b, c, d] = given.map(({ html }) => html)
        const markdown = markdownOf(`<table><tr><th>${a}<th>${b}<tr><td>${c}<td>${d}</table>`)
        const read = reader
          .parse(markdown, {})
          .filter(({ type }) => type === "inline")
          .map(shown)
        expect(read, markdown).toEqual(given.map(({ reads }) => reads))
      }),
      runs
    )
  })

  it("code has its lines, in text, in blocks and in cells", () => {
    const row = FastCheck.array(FastCheck.constantFrom("a", " ", "`", "|", "<", "*", "\t", "&"), {
      minLength: 1,
      maxLength: 6
    })
    const lines = FastCheck.array(
      row.map((characters) => `${characters.join("")}x`),
      { minLength: 2, maxLength: 4 }
    )
    FastCheck.assert(
      FastCheck.property(lines, FastCheck.constantFrom("br", "div", "span", "\n"), (given, kind) => {
        const one = (content: string) =>
          kind === "br" || kind === "\n"
            ? content
            : kind === "div"
              ? `<div>${content}</div>`
              : `<span style="display:block">${content}</span>`
        const html = given.map((each) => one(escaped(each))).join(kind === "br" ? "<br>" : kind === "\n" ? "\n" : "")
        const [block] = reader.parse(markdownOf(`<pre>${html}</pre>`), {})
        expect(block).toMatchObject({ type: "fence", content: `${given.join("\n")}\n` })
        const table = reader.parse(markdownOf(`<table><tr><th>a<th>b<tr><td><pre>${html}</pre><td>c</table>`), {})
        const cell = table.filter(({ type }) => type === "inline")[2]
        const spans = (cell?.children ?? []).filter(({ type }) => type === "code_inline")
        expect(spans.map(({ content }) => content.trim())).toEqual(given.map((each) => each.trim()))
      }),
      runs
    )
  })
})
