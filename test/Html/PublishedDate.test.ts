import { assert, describe, it } from "@effect/vitest"
import { publishedDate } from "../../src/Html/PublishedDate.ts"
import { parseTree } from "../../src/Html/Tree.ts"

const now = Date.parse("2026-11-28T12:00:00Z")

interface Case {
  readonly name: string
  readonly html: string
  readonly url?: string
  readonly published?: string
  readonly modified?: string
}

const linked = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`

const cases: ReadonlyArray<Case> = [
  {
    name: "JSON-LD of the article before everything else, and not that of its comments",
    html: `<head><meta name="date" content="2023-01-01">${linked({
      "@graph": [
        { "@type": "Comment", datePublished: "2023-05-09" },
        { "@type": "NewsArticle", datePublished: "2023-05-06T10:00:00+02:00", dateModified: "2023-05-08" }
      ]
    })}</head><p>7 May 2023</p>`,
    published: "2023-05-06",
    modified: "2023-05-08"
  },
  {
    name: "meta elements by their many names",
    html: '<head><meta property="article:modified_time" content="2023-05-08"><meta name="DC.date.issued" content="6.5.2023"></head>',
    published: "2023-05-06",
    modified: "2023-05-08"
  },
  {
    name: "microdata, with the date in an attribute",
    html: '<p>1 May 2023</p><abbr itemprop="datePublished" title="2023-05-06T10:52:00+02:00">10:52</abbr>',
    published: "2023-05-06"
  },
  {
    name: "the address, also the canonical one",
    html: '<head><link rel="canonical" href="https://a.example/2023/05/06/title"></head><p>9 May 2023</p>',
    published: "2023-05-06"
  },
  {
    name: "the day of the address, where the statement is the same night in UTC",
    html: `<head>${linked({ "@type": "Article", datePublished: "2023-05-07T02:30:00Z" })}</head>`,
    url: "https://a.example/2023/05/06/title",
    published: "2023-05-06"
  },
  {
    name: "a time element of the article before those beside it",
    html: '<aside><time datetime="2023-05-09">9 May</time></aside><article><time datetime="2023-05-06T10:00">6 May</time></article>',
    published: "2023-05-06"
  },
  {
    name: "the class of an element, in the language of the page",
    html: '<html lang="de"><body><p>Seit 1. Januar 2020</p><span class="entry-date">6. Mai 2023, 10:00 Uhr bis 11:00 Uhr</span></body></html>',
    published: "2023-05-06"
  },
  {
    name: "text behind words for the publication, and for a change",
    html: '<html lang="fr"><body><p>Le 1er mai 2023</p><p>Publié le 6 mai 2023</p><p>Mis à jour le 8 mai 2023</p></body></html>',
    published: "2023-05-06",
    modified: "2023-05-08"
  },
  {
    name: "the first complete date of the text",
    html: '<html lang="es"><body><p>Madrid, 6 de mayo de 2023</p><p>El 7 de mayo de 2023</p></body></html>',
    published: "2023-05-06"
  },
  {
    name: "a date in a script, where nothing else has one",
    html: '<script>var page = { "createdAt": "2023-05-06T10:00:00Z" }</script><p>No date</p>',
    published: "2023-05-06"
  },
  {
    name: "the change, before a date that is only somewhere in the text",
    html: '<p>1 May 2023</p><span class="updated" title="2023-05-08"></span>',
    published: "2023-05-08",
    modified: "2023-05-08"
  },
  {
    name: "nothing for days that cannot be, before the web, or after today",
    html: '<head><meta name="date" content="2023-02-31"></head><time datetime="1966-05-06"></time><time datetime="2031-05-06"></time><p>May 2023, 12:30</p>'
  }
]

describe("Html/PublishedDate", () => {
  for (const { name, html, url, published, modified } of cases) {
    it(`reads ${name}`, () => assert.deepStrictEqual(publishedDate(parseTree(html), url, now), { published, modified }))
  }
})
