import { describe, expect, it } from "@effect/vitest"
import { dataOf, dateOf, type Entry, type Feed, keyOfEntry, type Unreadable } from "../../src/Step/Feed/FeedEntry.ts"
import { feedsOf, textOf, titleText } from "../../src/Step/Feed/FeedText.ts"
import { readJson } from "../../src/Step/Feed/JsonFeed.ts"
import { pieceLength, XmlFeedReader } from "../../src/Step/Feed/XmlFeed.ts"
import { cpuMillis } from "../CpuTime.ts"

const url = "https://canal.example/blog/feed.xml"

const readXml = (text: string, limit = 1_000): Feed | Unreadable => {
  const reader = new XmlFeedReader(url, limit)
  for (let at = 0; at < text.length; at += pieceLength) if (!reader.write(text.slice(at, at + pieceLength))) break
  return reader.end()
}

const feedOf = (text: string, limit?: number): Feed => {
  const feed = text.startsWith("{") ? readJson(text, url, limit ?? 1_000) : readXml(text, limit)
  if (feed === undefined || "unreadable" in feed) throw new Error(feed?.unreadable ?? "no JSON Feed")
  return feed
}

const rowsOf = (text: string, limit?: number) => {
  const feed = feedOf(text, limit)
  return feed.entries.map((entry) => dataOf(entry, feed, url))
}

const rss = (items: string, channel = "<title>Canal</title>") =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/"><channel>${channel}${items}</channel></rss>`

const atom = (entries: string, attributes = "") =>
  `<feed xmlns="http://www.w3.org/2005/Atom" ${attributes}><title type="html">The &lt;b&gt;Canal&lt;/b&gt;</title><author><name>Ada</name></author>${entries}</feed>`

const first = {
  id: "tag:canal.example,2026:1",
  url: "https://canal.example/blog/1?a=1&b=2",
  title: "Locks & gates",
  published: "2026-01-05T08:00:00.000Z",
  updated: null,
  author: "Ada",
  summary: "All about locks.",
  content: '<p>All about <a href="https://canal.example/locks">locks</a>.</p>',
  categories: ["locks", "water"],
  enclosures: [{ url: "https://canal.example/1.mp3", type: "audio/mpeg", length: 12_345 }],
  feed: url,
  feedTitle: "Canal"
}

const html = '&lt;p>All about &lt;a href="/locks"&gt;locks&lt;/a&gt;.&lt;/p&gt;'

describe("a feed", () => {
  const parts = "<dc:creator>Ada</dc:creator><category>locks</category><category>water</category>"
  const enclosure = '<enclosure url="/1.mp3" type="audio/mpeg" length="12345"/>'
  it.each([
    [
      "RSS 2.0",
      rss(
        `<item><guid isPermaLink="false">tag:canal.example,2026:1</guid><link>/blog/1?a=1&amp;b=2</link><title>Locks &amp;amp; gates</title><pubDate>Mon, 05 Jan 2026 09:00:00 +0100</pubDate>${parts}<description>${html}</description>${enclosure}</item>`
      )
    ],
    [
      "RSS 2.0 with CDATA and bare ampersands",
      rss(
        `<item><guid>tag:canal.example,2026:1</guid><link>/blog/1?a=1&b=2</link><title>Locks & gates</title><pubDate>5 Jan 2026 08:00 GMT</pubDate>${parts}<description><![CDATA[All about <em>locks</em>.]]></description><content:encoded><![CDATA[<p>All about <a href="/locks">locks</a>.</p>]]></content:encoded>${enclosure}</item>`
      )
    ],
    [
      "RSS 1.0",
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Canal</title><items><rdf:Seq><rdf:li rdf:resource="x"/></rdf:Seq></items></channel><item rdf:about="tag:canal.example,2026:1"><link>/blog/1?a=1&amp;b=2</link><title>Locks &amp; gates</title><dc:date>2026-01-05T09:00:00+01:00</dc:date><dc:creator>Ada</dc:creator><dc:subject>locks</dc:subject><dc:subject>water</dc:subject><description>${html}</description>${enclosure}</item></rdf:RDF>`
    ],
    [
      "Atom with a prefix, xml:base and XHTML",
      `<a:feed xmlns:a="http://www.w3.org/2005/Atom" xml:base="https://canal.example/"><a:title>Canal</a:title><a:author><a:name>Ada</a:name></a:author><a:entry xml:base="blog/"><a:id>tag:canal.example,2026:1</a:id><a:link href="1?a=1&amp;b=2"/><a:link rel="edit" href="/edit"/><a:link rel="enclosure" href="../1.mp3" type="audio/mpeg" length="12345"/><a:title>Locks &amp; gates</a:title><a:published>2026-01-05T08:00:00Z</a:published><a:category term="locks"/><a:category term="w" label="water"/><a:source><a:title>Elsewhere</a:title><a:id>no</a:id></a:source><a:content type="xhtml" xml:base="../"><div xmlns="http://www.w3.org/1999/xhtml"><p>All about <a href="locks">locks</a>.</p></div></a:content><a:summary>All about locks.</a:summary></a:entry></a:feed>`
    ],
    [
      "JSON Feed",
      JSON.stringify({
        version: "https://jsonfeed.org/version/1.1",
        title: "Canal",
        authors: [{ name: "Ada" }],
        items: [
          {
            id: first.id,
            url: "1?a=1&b=2",
            title: first.title,
            date_published: "2026-01-05T09:00:00+01:00",
            summary: first.summary,
            content_html: '<p>All about <a href="/locks">locks</a>.</p>',
            tags: ["locks", "water", 7, null].slice(0, 2),
            attachments: [{ url: "/1.mp3", mime_type: "audio/mpeg", size_in_bytes: 12_345 }]
          }
        ]
      })
    ]
  ])("is read as the same row, whether it is %s", (_, text) => {
    expect(rowsOf(text)).toEqual([first])
  })

  it("has the fields of every row, also where an entry has nothing but a title", () => {
    const [row] = rowsOf(rss("<item><title>Alone</title></item>"))
    expect(row).toMatchObject({ id: null, url: null, published: null, content: null, categories: [], enclosures: [] })
    expect(Object.keys(row ?? {})).toEqual(Object.keys(first))
  })

  it.each<[string, string, Record<string, unknown>]>([
    ["an author with an address", "<author>ada@canal.example (Ada)</author>", { author: "Ada" }],
    ["a guid that is the link", "<guid>https://canal.example/7</guid>", { url: "https://canal.example/7" }],
    ["a guid that is no link", '<guid isPermaLink="false">https://canal.example/7</guid>', { url: null }],
    ["the address of a script", "<link>javascript:alert(1)</link><guid>7</guid>", { url: null, id: "7" }],
    ["text that looks like markup", "<title>List&lt;String&gt; &amp;lt; 3</title>", { title: "List<String> < 3" }],
    [
      "markup that is not escaped",
      "<description>a<br/>b <i>c</i></description>",
      { content: "a<br>b <i>c</i>", summary: "a b c" }
    ],
    [
      "a link of Atom beside that of RSS",
      '<atom:link rel="self" href="/self"/><link>/8</link>',
      { url: "https://canal.example/8" }
    ],
    [
      "media in a group",
      '<media:group><media:content url="/v.mp4" type="video/mp4"/></media:group>',
      { enclosures: [{ url: "https://canal.example/v.mp4", type: "video/mp4", length: null }] }
    ],
    ["an element of another namespace", '<title xmlns="urn:other">No</title><title>Yes</title>', { title: "Yes" }]
  ])("reads %s", (_, item, expected) => {
    expect(
      rowsOf(
        rss(
          `<item><guid>x</guid>${item}</item>`
            .replace("<guid>x</guid><guid", "<guid")
            .replace(/<guid>x<\/guid>(?=.*<guid)/, "")
        )
      )
    ).toMatchObject([expected])
  })

  it("has titles and summaries without soft hyphens", () => {
    const item = "<item><title>Donau&amp;shy;dampf</title><description>Ab&#173;fahrt</description></item>"
    expect(rowsOf(rss(item))).toMatchObject([{ title: "Donaudampf", summary: "Abfahrt" }])
    const json = { version: "https://jsonfeed.org/version/1.1", items: [{ id: "1", title: "Donau\u00addampf" }] }
    expect(rowsOf(JSON.stringify(json))).toMatchObject([{ title: "Donaudampf" }])
  })

  it("takes the text of Atom as it is, and its HTML as HTML", () => {
    const rows = rowsOf(
      atom(`<entry><id>1</id><title>a &lt;b&gt; c</title><content>1 &lt; 2</content></entry>
<entry><id>2</id><title type="html">a &lt;b&gt;c&lt;/b&gt;</title><content type="html">1 &amp;lt; 2</content><author><name>Eve</name></author></entry>`)
    )
    expect(rows.map(({ author, content, feedTitle, title }) => [title, content, author, feedTitle])).toEqual([
      ["a <b> c", "1 &lt; 2", "Ada", "The Canal"],
      ["a c", "1 &lt; 2", "Eve", "The Canal"]
    ])
  })

  it("is read up to its last whole entry when its end is missing, and says so", () => {
    const cut = "<rss><channel><item><title>A</title></item><item><title>B"
    expect(feedOf(cut)).toMatchObject({ isDamaged: true, entries: [{ title: "A" }] })
    expect(feedOf(`${cut}</title></item></channel></rss>`)).toMatchObject({ isDamaged: false, entries: { length: 2 } })
  })

  it("gives no more entries than were asked for, and says so", () => {
    const text = rss("<item><title>A</title></item>".repeat(5))
    expect(feedOf(text, 3)).toMatchObject({ isCut: true, entries: { length: 3 } })
    expect(feedOf(text, 5)).toMatchObject({ isCut: false, entries: { length: 5 } })
  })
})

describe("a hostile feed", () => {
  it("does not expand entities beyond a bound, and loads nothing", () => {
    const names = "abcdefghij".split("")
    const bomb = names
      .map((name, at) => `<!ENTITY ${name} "${at === 0 ? "ha" : `&${names[at - 1]};`.repeat(10)}">`)
      .join("")
    const text = `<!DOCTYPE rss [${bomb}<!ENTITY x SYSTEM "file:///etc/passwd">]>${rss("<item><title>&j; &x;</title></item>")}`
    expect(rowsOf(text)).toMatchObject([{ title: "&j; &x;" }])
  })

  it.each<[string, () => Feed | Unreadable, string | undefined]>([
    ["is nested deeply", () => readXml(rss(`<item>${"<a>".repeat(600_000)}`)), "nested deeper than 256"],
    [
      "has an element of 200,000 attributes",
      () => readXml(`<rss ${Array.from({ length: 200_000 }, (_, at) => `a${at}="1"`).join(" ")}>`),
      "attributes"
    ],
    ["has 200,000 empty entries", () => readXml(rss("<item/>".repeat(200_000))), undefined],
    ["has tags that never end", () => readXml(rss(`<item><title>${"<".repeat(400_000)}`)), undefined],
    ["has entities that never end", () => readXml(rss(`<item><title>${"&".repeat(400_000)}`)), undefined],
    ["has comments that never end", () => readXml(rss("<!--".repeat(200_000))), undefined]
  ])("takes linear time when it %s", (_, read, why) => {
    let made: Feed | Unreadable | undefined
    expect(cpuMillis(() => (made = read()))).toBeLessThan(10_000)
    if (why !== undefined) expect(made).toMatchObject({ unreadable: expect.stringContaining(why) })
    else expect(made).toBeDefined()
  })

  it("cannot have a base of a million characters repeated in every entry", () => {
    const text = atom(
      '<entry><id>urn:a</id><link href="x"/></entry>'.repeat(2),
      `xml:base="https://canal.example/${"a/".repeat(500_000)}"`
    )
    const link = "https://canal.example/blog/x"
    expect(rowsOf(text).map(({ url }) => url)).toEqual([link, link])
  })

  it("has text and links read in linear time", () => {
    const took = cpuMillis(() => {
      titleText("<b".repeat(100_000))
      textOf("<a href='&amp;".repeat(50_000))
      feedsOf("<link rel=alternate ".repeat(50_000), url)
      rowsOf(rss(`<item><description>${`&lt;a href="x"&gt;`.repeat(25_000)}</description></item>`))
    })
    expect(took).toBeLessThan(10_000)
  })
})

describe("an entry", () => {
  const entry: Entry = {
    id: undefined,
    url: undefined,
    title: "T",
    published: undefined,
    updated: undefined,
    authors: [],
    summary: undefined,
    content: undefined,
    categories: [],
    enclosures: [],
    base: url
  }
  const keyOf = (more: Partial<Entry>, feed = url) => keyOfEntry({ ...entry, ...more }, feed)

  it("is known by its id, then by its address, then by its title and date", () => {
    expect(keyOf({ id: "urn:uuid:1", url: "https://canal.example/1" })).toBe("urn:uuid:1")
    expect(keyOf({ id: "https://canal.example/1#Part-2" })).toBe("https://canal.example/1#Part-2")
    expect(keyOf({ id: "17" })).toBe(`${url}#17`)
    expect(keyOf({ id: "17" }, "https://other.example/f")).toBe("https://other.example/f#17")
    expect(keyOf({ url: "https://canal.example/1/?utm_source=feed" })).toBe("https://canal.example/1")
    expect(keyOf({})).not.toBe(keyOf({ published: "2026-01-01T00:00:00.000Z" }))
    expect(keyOf({ id: `urn:${"x".repeat(5_000)}` }).length).toBeLessThan(200)
  })

  it.each([
    ["Mon, 05 Jan 2026 09:00:00 +0100", "2026-01-05T08:00:00.000Z"],
    ["Tue, 05 Jan 2026 08:00:00 GMT", "2026-01-05T08:00:00.000Z"],
    ["Lun, 05 Jan 2026 08:00:00 UT", "2026-01-05T08:00:00.000Z"],
    ["5 Jan 26 03:00 EST", "2026-01-05T08:00:00.000Z"],
    ["05 Jan 2026 08:00:00", "2026-01-05T08:00:00.000Z"],
    ["2026-01-05T09:00:00+01", "2026-01-05T08:00:00.000Z"],
    ["2026-01-05 08:00:00", "2026-01-05T08:00:00.000Z"],
    ["2026-01-05 09:00:00 +0100", "2026-01-05T08:00:00.000Z"],
    ["2026-01-05", "2026-01-05T00:00:00.000Z"],
    ["January 5, 2026", "2026-01-05T00:00:00.000Z"],
    ["20260105T080000Z", "2026-01-05T08:00:00.000Z"],
    ["2026-01", "2026-01-01T00:00:00.000Z"],
    ["Mon, 05 Jan 2026 09:00:00 CET", "2026-01-05T08:00:00.000Z"],
    ["lun., 5 janv. 2026 09:00:00 +0100", "2026-01-05T08:00:00.000Z"],
    ["01/05/2026", undefined],
    ["5 January", undefined],
    ["yesterday", undefined],
    ["", undefined]
  ])("has the date %s", (text, expected) => {
    expect(dateOf(text)).toBe(expected)
  })
})

describe("an HTML page", () => {
  it("names its feeds in its links, in order", () => {
    const page = `<!doctype html><base href="/blog/"><link rel=stylesheet href=x.css><link rel="alternate" hreflang="de" href="/de">
<link href='feed.xml?a=1&amp;b=2' rel='alternate' type='application/rss+xml'><LINK REL=Alternate TYPE=application/atom+xml HREF=/atom>
<script>"<link rel=alternate type=application/rss+xml href=/no>"</script><link rel=alternate type="application/feed+json" href="//x.example/f.json">
<link rel=alternate type="application/rss+xml" href="javascript:1">`
    expect(feedsOf(page, "https://canal.example/news/1")).toEqual([
      "https://canal.example/blog/feed.xml?a=1&b=2",
      "https://canal.example/atom",
      "https://x.example/f.json"
    ])
  })
})
