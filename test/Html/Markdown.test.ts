import { describe, expect, it } from "@effect/vitest"
import { extract } from "../../src/Html/Extract.ts"

const markdown = (html: string) =>
  extract(html, {
    wanted: new Set(["markdown"]),
    url: "http://site.test/a/b",
    onlyMainContent: false,
    removeBase64Images: true,
    blockAds: false
  }).markdown

const cases: ReadonlyArray<readonly [name: string, html: string, expected: string]> = [
  ["headings on lines of their own", "<h1>One</h1>text<h3>Three\n more</h3>", "# One\n\ntext\n\n### Three more"],
  ["paragraphs and white space", "<p>a\n  b</p>\n\n<p> c&nbsp;d </p>", "a b\n\nc\u00a0d"],
  ["emphasis with the space outside", "a <b> bold </b>and <em>it</em> <del>no</del>", "a **bold** and _it_ ~~no~~"],
  ["spaces that do not break beside marks", "a&nbsp;<b>bold</b>&nbsp;and&nbsp;<em>it</em>", "a **bold** and _it_"],
  ["nested emphasis once", "<b><strong>x</strong></b><i></i>", "**x**"],
  ["emphasis that spans blocks", "<b><p>one</p><p>two</p></b>", "**one**\n\n**two**"],
  ["line breaks", "one<br>two<br><br>three", "one  \ntwo\n\nthree"],
  ["a rule", "a<hr>b", "a\n\n---\n\nb"],
  ["links made absolute", `<a href="../c?x=1&amp;y=2">see</a>`, "[see](http://site.test/c?x=1&y=2)"],
  ["links with brackets and spaces", `<a href="/a (b)">[x] y</a>`, "[[x] y](http://site.test/a%20%28b%29)"],
  ["lone brackets in links", `<a href="/x">1] a [b</a>`, "[1\\] a \\[b](http://site.test/x)"],
  ["links that lead nowhere as text", `<a href="javascript:x()">a</a> <a href="#top">b</a> <a>c</a>`, "a b c"],
  [
    "cards by their heading",
    `<a href="/c"><div><h2>Title</h2><p>Text</p></div></a>`,
    "## [Title](http://site.test/c)\n\nText"
  ],
  ["images", `<img src="i.png" alt="An [image]">`, "![An \\[image\\]](http://site.test/a/i.png)"],
  [
    "pictures in links",
    `<a href="/c"><img src="/i.png" alt="i"></a>`,
    "[![i](http://site.test/i.png)](http://site.test/c)"
  ],
  ["late images", `<img src="data:image/gif;base64,R0" data-src="/i.png">`, "![](http://site.test/i.png)"],
  [
    "pictures whose address is only in the sources before the image",
    `<picture><source type="text/html" srcset="/no.html"><source data-srcset="/a.jpg 800w, /s.jpg 400w"><img alt="Harbour" class="lazy"></picture>
     <picture><source srcset="data:image/gif;base64,R0"><source srcset="/c.webp" type="image/webp"><img src="data:image/gif;base64,R0" alt="c"></picture>
     <picture><source srcset="/no.jpg"><img src="/d.jpg" alt="d"></picture><picture><img><source srcset="/no.jpg"></picture>`,
    "![Harbour](http://site.test/a.jpg) ![c](http://site.test/c.webp) ![d](http://site.test/d.jpg)"
  ],
  ["inlined images", `<img src="data:image/gif;base64,R0" alt="x">`, "![x](<Base64-Image-Removed>)"],
  [
    "words without soft hyphens, except in code",
    `<h1>Donau&shy;dampf</h1><p>a&shy;b <b>c&shy;</b> &shy; d <img src="/i.png" alt="x&shy;y"> <code>e&shy;f</code></p><pre>g&shy;h</pre>`,
    "# Donaudampf\n\nab **c** d ![xy](http://site.test/i.png) `e\u00adf`\n\n```\ng\u00adh\n```"
  ],
  ["code in a line", "use <code>a  `b`</code>.", "use `` a `b` ``."],
  [
    "code in a block, with its language",
    `<pre><code class="language-ts">const a = 1\n  <span>if</span> (a &lt; 2)\n</code></pre>`,
    "```ts\nconst a = 1\n  if (a < 2)\n```"
  ],
  ["code that holds a fence", "<pre>```\nx</pre>", "````\n```\nx\n````"],
  ["the language of code by its attributes", `<pre data-lang="bash"><code>ls</code></pre>`, "```bash\nls\n```"],
  [
    "the language of code by the element around it",
    `<div class="highlight-python3 notranslate"><div class="highlight"><pre>x</pre></div></div><div data-language="ts"><pre>y</pre></div>`,
    "```python\nx\n```\n\n```ts\ny\n```"
  ],
  ["no language for code that is marked as text", `<div class="highlight-default"><pre>x</pre></div>`, "```\nx\n```"],
  [
    "no numbers of lines beside code, but tables of numbers",
    `<table><tr><td><pre>1\n2</pre></td><td><div><pre>a\nb</pre></div></td></tr></table><pre>1\n2</pre>`,
    "```\na\nb\n```\n\n```\n1\n2\n```"
  ],
  [
    "powers and numbers of footnotes apart from the text before them",
    `10<sup>3</sup> m<sup>-2</sup>, the 4<sup>th</sup> heron<sup><a href="#f1">1</a></sup> <sup><a href="#f2">[2]</a></sup>`,
    "10³ m⁻², the 4th heron[1] [2]"
  ],
  ["headings that are declared by their role", `<div role="heading" aria-level="3">A</div>b`, "### A\n\nb"],
  [
    "formulas as TeX, from their annotation or their elements",
    `a <math><semantics><mi>E</mi><annotation encoding="application/x-tex">E = mc^2</annotation></semantics></math> b
     <math><mfrac><mi>a</mi><msup><mi>b</mi><mn>2</mn></msup></mfrac></math><math display="block"><msqrt><mi>x</mi></msqrt></math>`,
    "a $E = mc^2$ b $\\frac{a}{b^2}$\n\n$$\\sqrt{x}$$"
  ],
  [
    "formulas without the drawing beside them",
    `<span><span><math><mi>x</mi></math></span><span aria-hidden="true">𝑥</span></span>`,
    "$x$"
  ],
  [
    "the picture of a formula that is hidden",
    `<span><span style="display: none"><math><mi>x</mi></math></span><img aria-hidden="true" src="/x.png" alt="x"></span>`,
    "![x](http://site.test/x.png)"
  ],
  ["lists", "<ul><li>a</li><li>b<li>c</ul>", "- a\n- b\n- c"],
  ["numbered lists from their start", `<ol start="9"><li>a</li><li>b</li></ol>`, "9. a\n10. b"],
  ["nested lists", "<ul><li>a<ol><li>b<ul><li>c</li></ul></li></ol></li><li>d</li></ul>", "- a\n  1. b\n     - c\n- d"],
  ["paragraphs in items", "<ul><li><p>a</p><p>b</p></li><li>c</li></ul>", "- a\n\n  b\n\n- c"],
  ["items without text", "<ul><li></li><li>a</li></ul>", "- a"],
  ["check boxes", `<ul><li><input type="checkbox" checked> done</li></ul>`, "- [x] done"],
  [
    "quotations, nested, with their paragraphs",
    "<blockquote><p>a</p><blockquote>b</blockquote></blockquote>",
    "> a\n>\n> > b"
  ],
  ["code in a list", "<ul><li>a<pre>x\ny</pre></li></ul>", "- a\n\n  ```\n  x\n  y\n  ```"],
  [
    "tables",
    "<table><tr><th>A</th><th>B</th></tr><tr><td>1 | 2</td><td>x<br>y</td></tr></table>",
    "| A | B |\n| --- | --- |\n| 1 \\| 2 | x<br>y |"
  ],
  [
    "spans in tables",
    "<table><tr><th colspan=2>A</th><th rowspan=2>B</th></tr><tr><td>1</td><td>2</td></tr></table>",
    "| A |  | B |\n| --- | --- | --- |\n| 1 | 2 |  |"
  ],
  [
    "spans that end with their row group",
    "<table><thead><tr><th rowspan=2>Name<th>Age</thead><tbody><tr><td>Ann<td>5</table>",
    "| Name | Age |\n| --- | --- |\n| Ann | 5 |"
  ],
  [
    "a rowspan of 0 down to the end of its row group",
    "<table><tr><th>A<th>B<tr><td rowspan=0>1<td>2<tr><td>3<tr><td>4<tbody><tr><td>5<td>6</table>",
    "| A | B |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |\n|  | 4 |\n| 5 | 6 |"
  ],
  [
    "spans beside a row that is too short, and over a row without cells",
    "<table><tr><th>A<th>B<th>C<tr><td>1<td>2<td rowspan=2>3<tr><td>4<tr><td rowspan=2>5<td>6<td>7<tr></tr><tr><td>8</table>",
    "| A | B | C |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| 4 |  |  |\n| 5 | 6 | 7 |\n| 8 |  |  |"
  ],
  [
    "a caption before its table",
    "<table><caption>Cap</caption><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>",
    "Cap\n\n| 1 | 2 |\n| --- | --- |\n| 3 | 4 |"
  ],
  ["tables that only arrange", "<table><tr><td><h2>A</h2><p>b</p></td><td>c</td></tr></table>", "## A\n\nb\n\nc"],
  [
    "old pages whose tables arrange paragraphs",
    "<table><tr><td>Site</td></tr><tr><td>menu</td><td><p>a</p><p>b</p></td></tr></table>",
    "Site\n\nmenu\n\na\n\nb"
  ],
  ["definitions", "<dl><dt>a</dt><dd>b</dd><dt>c</dt><dd>d</dd></dl>", "a\n\nb\n\nc\n\nd"],
  [
    "escapes for Markdown characters",
    "<p># 1*2 a_b _c_ `d` &lt;b> [e](f)</p>",
    "\\# 1\\*2 a_b \\_c\\_ \\`d\\` \\<b> [e\\](f)"
  ],
  [
    "backslashes before punctuation",
    `<a href="/x">C:\\</a><b>\\</b> x<img src="/i.png" alt="\\">`,
    "[C:\\\\](http://site.test/x)**\\\\** x![\\\\](http://site.test/i.png)"
  ],
  ["tildes that would strike out", "<p>~5</p><p>~5~ ~6</p><del>a ~ b</del>", "~5\n\n\\~5\\~ \\~6\n\n~~a \\~ b~~"],
  ["rows of underscores", "<p>___x a__b __</p>", "\\_\\_\\_x a__b \\_\\_"],
  ["signs of number at the end of headings", "<h1>C# and F #</h1><h2>#</h2>", "# C# and F \\#\n\n## \\#"],
  ["text that would be a sign", "<p>&amp;lt; AT&amp;T", "\\&lt; AT&T"],
  ["a line that would make a heading of the one before", "a<br>=", "a  \n\\="],
  [
    "escapes for lines that would begin a block",
    "<p>1. a</p><p>- b</p><p>> c</p><p>2024 d</p>",
    "1\\. a\n\n\\- b\n\n\\> c\n\n2024 d"
  ],
  [
    "nothing of scripts and styles",
    "<style>a{}</style><script>b()</script><noscript>c</noscript><template>d</template>e",
    "e"
  ],
  ["nothing hidden", `<p hidden>a</p><p style="color:red; display : none">b</p><!-- c -->d`, "d"],
  ["tags that are never closed or never opened", "</div><p>a<p>b</i><div>c", "a\n\nb\n\nc"],
  ["text outside of the body", "<html><body>a</body></html>b", "ab"]
]

describe("Markdown", () => {
  for (const [name, html, expected] of cases) {
    it(`writes ${name}`, () => {
      expect(markdown(html)).toBe(expected)
    })
  }

  it("is stable: converting its rendered output gives the same Markdown", () => {
    const once = markdown("<p>1. a * b [c](d) `e` &lt;f></p>") ?? ""
    expect(once.replaceAll("\\", "")).toBe("1. a * b [c](d) `e` <f>")
  })
})
