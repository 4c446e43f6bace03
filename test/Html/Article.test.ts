import { describe, expect, it } from "@effect/vitest"
import { readPageData } from "../../src/Html/Extract.ts"

const article = (html: string) => readPageData(html, "https://a.example/x", Date.UTC(2026, 0, 1)).article
const linked = (data: object) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`

describe("the title of an article", () => {
  it.each([
    { name: "the main heading, without the site's name", html: "<title>Tides - The Site</title><h1>Tides</h1>" },
    {
      name: "the heading that is like the declared title, not the site's own or a category",
      html: "<title>The tides of Brest | Site</title><h1>Site</h1><h1>Sea</h1><h2>The tides of Brest</h2>",
      title: "The tides of Brest"
    },
    {
      name: "not a heading with the name of the site",
      html: "<title>Tides – My Sea</title><h1>My Sea</h1><h2>Tides</h2>"
    },
    {
      name: "the declared title without any heading",
      html: '<meta property="og:site_name" content="The Site"><title>Tides | The Site</title>'
    },
    { name: "the headline of its data", html: linked({ "@type": "NewsArticle", headline: "Tides" }) }
  ])("is $name", ({ html, title = "Tides" }) => {
    expect(article(html).title).toBe(title)
  })
})

describe("the author of an article", () => {
  it.each([
    {
      name: "a person in its data",
      html: linked({ "@type": "Article", author: { "@type": "Person", name: "Ann Lee" } })
    },
    {
      name: "a person that its data name by an address",
      html: linked({
        "@graph": [
          { "@type": "Article", author: { "@id": "#a" } },
          { "@type": "Person", "@id": "#a", name: "Ann Lee" }
        ]
      })
    },
    {
      name: "a label of preview cards",
      html: '<meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="Ann Lee">'
    },
    { name: "a marked byline", html: '<p class="byline">By <a href="/ann">Ann Lee</a> | <time>May 2</time></p>' },
    {
      name: "a byline with a role on another line",
      html: '<div class="author-box-name"><p>By</p><a>Ann Lee</a><p>Editor</p></div>'
    },
    { name: "text that begins with a word for it", html: "<p>Von Ann Lee, 2. Mai 2024</p>" },
    { name: "the text beside a label", html: "<h3>Author</h3><p>Ann Lee</p>" },
    {
      name: "the shown name rather than a login",
      html: '<meta name="author" content="alee7"><p class="author-name">Ann Lee</p>'
    },
    {
      name: "not that of a comment or another article",
      html: '<div class="comments"><p class="author">Bob Ray</p></div><p rel="author">Ann Lee</p>'
    }
  ])("is $name", ({ html }) => {
    expect(article(html).author).toBe("Ann Lee")
  })

  it.each([
    { name: "an address", html: '<meta name="author" content="ops@a.example">' },
    { name: "a placeholder", html: '<meta name="author" content="admin">' },
    { name: "a sentence", html: "<p>By the time we had left the harbour, all of the ships had gone</p>" }
  ])("is never $name", ({ html }) => {
    expect(article(html).author).toBeUndefined()
  })
})

it("an article has its section, and the text of its main content", () => {
  const prose = "The tide comes in twice a day, and it goes out twice a day as well. ".repeat(10)
  const html = `<meta property="article:section" content="Sea"><nav>Menu</nav><main><h1>Tides</h1>
    <time datetime="2025-05-06">then</time><p>${prose}</p><p>${prose}</p></main><footer>Imprint</footer>`
  const { published, section, text } = article(html)
  expect({ published, section }).toEqual({ published: "2025-05-06", section: "Sea" })
  expect(text).toContain("The tide comes in")
  expect(text).not.toContain("Imprint")
})
