import { describe, expect, it } from "@effect/vitest"
import { extract } from "../../src/Html/Extract.ts"

const main = (html: string, onlyMainContent = true) =>
  extract(html, {
    wanted: new Set(["markdown"]),
    url: "http://site.test/a",
    onlyMainContent,
    removeBase64Images: true,
    blockAds: true
  }).markdown ?? ""

const prose = (subject: string) =>
  `<p>${subject} live near water, in marshes and along rivers, where they wait for fish, frogs and, at times, a careless mouse.</p>`

describe("content that only scripts would show", () => {
  const article = prose("Herons") + prose("Egrets") + prose("Bitterns")

  it("is read from noscript, if the page shows next to nothing else", () => {
    const page = `<div id="app"></div><noscript><h1>Birds</h1>${article}</noscript><script>start()</script>`
    for (const whole of [true, false]) expect(main(page, !whole)).toContain("Egrets live near water")
    expect(main(`<main>${article.repeat(3)}</main><noscript>Please enable JavaScript.</noscript>`)).not.toContain(
      "enable"
    )
  })

  it("is read from streamed parts and from tabs, but not from other hidden elements", () => {
    const page = `<div id="B:0">Loading</div><div hidden id="S:0"><h1>Birds</h1>${article}</div>`
    expect(main(page)).toContain("Bitterns live near water")
    const tabs = `<h1>Heron</h1>${article}<div role="tabpanel" hidden>${prose("Storks")}</div><div hidden>${prose("Ducks")}</div>`
    expect(main(tabs)).toContain("Storks live")
    expect(main(tabs)).not.toContain("Ducks live")
  })

  it("is read from the folded answers of a list of questions, but not from menus, dialogs and the like", () => {
    const fold = (subject: string, label = "panel-body", body = prose(subject)) =>
      `<div><button>Where do ${subject} live?</button><div class="${label}" style="display: none">${body}</div></div>`
    const birds = ["Storks", "Cranes", "Ducks"]
    const page = (folds: string) => main(`<main><h1>Birds</h1>${article.repeat(2)}<section>${folds}</section></main>`)
    for (const bird of birds) expect(page(birds.map((each) => fold(each)).join(""))).toContain(`${bird} live near`)
    const links = `<ul>${"<li><a href=/a>Everything about a bird of the marshes</a></li>".repeat(5)}</ul>`
    const inNav = `<nav>${birds.map((each) => fold(each)).join("")}</nav>`
    for (const folds of [
      birds
        .slice(1)
        .map((each) => fold(each))
        .join(""),
      birds.map((each) => fold(each, "cookie-consent")).join(""),
      birds.map((each) => fold(each, "list", links)).join(""),
      inNav
    ]) {
      expect(page(folds)).not.toMatch(/Ducks live near|Everything about/)
    }
  })

  it("is read from the data of scripts, as text or HTML", () => {
    const text = "Herons wait. They eat fish, frogs and mice! Do they sleep? They do, and for many hours. ".repeat(5)
    const data = { type: "Article", 'a"b': "\\", articleBody: text, other: "x".repeat(400) }
    const linked = `<div id="root"></div><script type="application/ld+json">${JSON.stringify(data)}</script>`
    expect(main(linked)).toContain("They eat fish, frogs and mice!")
    const state = `<div id="root"></div><script>window.__STATE__ = {"html": ${JSON.stringify(`<h2>Birds</h2><p>${text}</p>`)}}</script>`
    expect(main(state)).toMatch(/^## Birds\n\nHerons wait\./)
    const code = `<p>Hello</p><script>var a = "${"if (x) { y(1); } ".repeat(40)}"</script>`
    expect(main(code)).toBe("Hello")
    expect(main(`<main>${article.repeat(3)}</main>${state}`)).not.toContain("## Birds")
  })
})

describe("content that is there", () => {
  const article = prose("Herons").repeat(12)

  it("is kept in an accordion that is marked as a list of tabs; a list of tabs alone is not", () => {
    const panels = `<div role="tablist" class="panel-group"><h4>Food</h4><div>${prose("Storks")}${prose("Cranes")}</div></div>`
    const tabs = `<div role="tablist"><button>Food</button><a href="#b">Nests</a></div>`
    const shown = main(`<main><h1>Birds</h1>${article}${tabs}${panels}</main>`)
    expect(shown).toContain("Storks live near")
    expect(shown).not.toContain("Nests")
  })

  it("does not include a section that leads elsewhere, also where it is a neighbour of the content", () => {
    const page = `<body><div class="post">${article}</div><h2>Recently viewed</h2><div class="post">${prose("Ducks")}</div></body>`
    expect(main(page)).not.toMatch(/Recently viewed|Ducks/)
  })

  it("includes the headings of folded sections, which are buttons, but no other buttons", () => {
    const fold = (button: string) => `<section>${button}<div>${prose("Storks")}</div></section>`
    const folds = [
      fold("<h3><button>Food</button></h3>"),
      fold("<h3><span><button>Nests</button></span></h3>"),
      fold('<button aria-expanded="false">Where do storks live?</button>')
    ]
    const others = `<h2>Young storks <button>Copy link</button></h2><button aria-expanded="false" aria-haspopup="true">Everything about birds</button><button aria-expanded="false">More</button>`
    const shown = main(`<main><h1>Birds</h1>${article}${folds.join("")}${others}${prose("Cranes")}</main>`)
    for (const heading of ["### Food", "### Nests", "Where do storks live?", "## Young storks"])
      expect(shown).toContain(heading)
    expect(shown).not.toMatch(/Copy link|Everything about birds|More/)
  })

  it("includes the texts of cards that are one link each", () => {
    const card = (subject: string) => `<a href="/${subject}"><h3>${subject}</h3>${prose(subject)}</a>`
    const names = ["Storks", "Cranes", "Ducks", "Geese"]
    const grid = (name: string) => `<div class="${name}">${names.map(card).join("")}</div>`
    const shown = main(`<main><h1>Birds</h1>${grid("grid")}</main><p>${"We know about birds. ".repeat(6)}</p>`)
    for (const name of names) expect(shown).toContain(`${name} live near`)
  })

  it("is not replaced by hidden dialogs or by texts of scripts", () => {
    const dialog = `<div class="cookie-consent" style="display:none">${prose("Cookies").repeat(40)}</div><div hidden id="terms">${prose("Terms").repeat(40)}</div>`
    for (const whole of [true, false]) {
      expect(main(`<body><article>${article}</article>${dialog}</body>`, whole)).not.toMatch(/Cookies live|Terms live/)
      const short = `<h1>Blue kettle</h1><p>Price: $49.00. In stock.</p><script type="application/ld+json">${JSON.stringify({ description: "It boils. It sings. It is blue, and it lasts for years. ".repeat(6) })}</script>`
      expect(main(short, whole)).toMatch(/# Blue kettle\n\nPrice: \$49\.00\. In stock\.\n\nIt boils\./)
    }
  })

  it("obeys the options of the request also where it comes from scripts", () => {
    const html = `<p class="secret">The code is 1234.</p><p>${"Herons wait. They eat fish! ".repeat(12)}</p>`
    const page = `<div id="root"></div><script>var page = {"html": ${JSON.stringify(html)}}</script>`
    const found = extract(page, {
      wanted: new Set(["markdown", "html"]),
      onlyMainContent: true,
      removeBase64Images: true,
      blockAds: true,
      exclude: [(element) => element.attributes.class === "secret"]
    })
    expect(found.markdown).toContain("They eat fish!")
    expect(found.markdown).not.toContain("1234")
    expect(found.html).not.toContain("#root")
  })

  it("keeps sections about the subject whose headings sound like others", () => {
    const section = (title: string) => `<section><h2>${title}</h2>${prose(title.split(" ")[0] ?? "")}</section>`
    const titles = [
      "Privacy considerations",
      "Cookies",
      "Related work",
      "JOIN syntax",
      "People who should not take it",
      "Reviews"
    ]
    const found = main(`<body><article><h1>Herons</h1>${article}${titles.map(section).join("")}
      <div><h3>Recommended dosage</h3><p>Two fish each day.</p><h3>Overdose</h3><p>Too many fish.</p></div></article></body>`)
    for (const kept of [...titles, "Two fish each day.", "Too many fish."]) expect(found).toContain(kept)
  })

  it("keeps what is repeated on purpose, and blocks that only begin alike", () => {
    const style = `<style>${".a { color: red } ".repeat(500)}</style>`
    const found = main(
      `<body><article>${article}${prose("Choruses")}${prose("Verses")}${prose("Choruses")}<section>${style}${prose("Ibises")}</section><section>${style}${prose("Storks")}</section></article></body>`
    )
    expect(found.match(/Choruses live/g)).toHaveLength(2)
    expect(found).toContain("Storks live")
  })
})

describe("sections beside the content", () => {
  it("are left out by their headings, with what belongs to them", () => {
    const found = main(`<main><h1>Herons</h1>${prose("Herons").repeat(4)}
      <div class="box"><div><h3>You may also like</h3></div><div class="cards">${prose("Ducks")}</div></div>
      <h2>Related articles</h2><ul><li>Geese in winter</li></ul>
      <h2>Related to weather</h2>${prose("Egrets")}</main>`)
    for (const gone of ["also like", "Ducks", "Geese"]) expect(found).not.toContain(gone)
    for (const kept of ["# Herons", "Egrets live"]) expect(found).toContain(kept)
  })

  it("are left out if they repeat an earlier block of prose", () => {
    const copy = `<div class="wide">${prose("Herons")}${prose("Egrets")}</div>`
    const found = main(
      `<main><h1>Birds</h1>${copy}<div class="small">${prose("Herons")}${prose("Egrets")}</div></main>`
    )
    expect(found.match(/Egrets live/g)).toHaveLength(1)
  })

  it("keeps cards whose links are titles, and drops short links", () => {
    const card = (at: number) =>
      `<div class="card"><a href="/${at}">How herons number ${at} spend a whole winter beside the frozen lake</a></div>`
    const tiles = Array.from({ length: 8 }, (_, at) => card(at)).join("")
    expect(main(`<main><h1>News</h1>${prose("Herons").repeat(2)}<div>${tiles}</div></main>`)).toContain(
      "herons number 7"
    )
    const pager = '<div><a href="/p">Previous</a> <a href="/n">Next</a></div>'
    expect(
      main(`<body><nav>Menu</nav><div><article>${prose("Herons").repeat(6)}${pager}</article></div></body>`)
    ).not.toContain("Previous")
    // The link around the image of a card has no text.
    const illustrated =
      '<div class="card"><a href="/h"><img src="/h.png" alt=""></a><a href="/h">Herons of frozen lakes and rivers</a></div>'
    const page = `<article>${prose("Egrets").repeat(6)}${illustrated}${prose("Storks")}</article>`
    expect(main(`<body><nav>Menu</nav><div>${page}</div></body>`)).toContain("Herons of frozen lakes")
  })
})

describe("text around the content", () => {
  const article = `<p>${"Herons live near water, where they wait for fish. ".repeat(6)}</p>`.repeat(5)
  const card = (at: number) =>
    `<div><a href="/${at}">How egrets number ${at} spend the winter beside the lake</a></div>`
  const cards = `<div>${[1, 2, 3].map(card).join("")}</div>`
  const isArticle = '<meta property="og:type" content="article">'

  it("is left out above the title, but for images and paragraphs", () => {
    const lead =
      "Birds that wait for hours beside the water are patient hunters, and they have been seen in every county this year."
    const above = (box: string) => main(`<body><main>${box}<h1>Herons</h1>${article}</main></body>`)
    const gone = above(
      '<div><p>Free delivery today</p><a href="/b">Birds</a></div><div><img src="/h.png" alt="Heron"><p>1 of 4</p></div>'
    )
    expect(gone).toMatch(/^!\[Heron\]\(\S+\)\n\n# Herons\n\nHerons live/)
    expect(above(`<div><p>${lead}</p></div>`)).toContain("patient hunters")
    // A long list above the title is the content.
    expect(above(`<ul>${"<li>Grey heron, seen twice</li>".repeat(60)}</ul>`)).toContain("Grey heron")
  })

  it("is left out below the last paragraph of an article: links and the author, but no lists and tables", () => {
    const author = `<div class="author-box"><p>${"Ann Egret writes about water birds. ".repeat(6)}</p></div>`
    const list =
      "<ul><li>Bring binoculars</li><li>Bring tea</li></ul><table><tr><td>Heron</td><td>grey</td></tr><tr><td>Egret</td><td>white</td></tr></table>"
    const page = (head: string, below: string) =>
      main(`<head>${head}</head><body><main><h1>Herons</h1>${article}${below}</main></body>`)
    const ended = page(isArticle, `${list}${author}${cards}`)
    for (const kept of ["Bring tea", "| Egret | white |"]) expect(ended).toContain(kept)
    for (const gone of ["Ann Egret", "egrets number 2"]) expect(ended).not.toContain(gone)
    // Links before the last paragraph, and on pages that do not say that they are articles.
    expect(page(isArticle, `${cards}${article}`)).toContain("egrets number 2")
    expect(page("", cards)).toContain("egrets number 2")
    const linked = `<script type="application/ld+json">{"@type":"NewsArticle"}</script>`
    expect(page(linked, cards)).not.toContain("egrets number 2")
  })

  it("is left out around the named text of an article: its author and date, and other articles", () => {
    const around = (name: string, head = isArticle) =>
      main(
        `<head>${head}</head><body><main><h1>Herons</h1><div>By Ann Egret, 3 May</div><p>${"How they hunt, and why they wait. ".repeat(4)}</p>` +
          `<div ${name}>${article}</div><div><p>Read on: <a href="/birds">${"More birds of the lake. ".repeat(9)}</a></p></div></main></body>`
      )
    for (const name of ['class="post-content"', 'class="articleBody"', 'itemprop="articleBody"']) {
      expect(around(name)).toMatch(/^# Herons\n\nHow they hunt/)
      expect(around(name)).not.toContain("birds of the lake")
    }
    for (const page of [around('class="wide"'), around('class="post-content"', "")]) expect(page).toContain("Ann Egret")
  })

  it("is left out if it is an article after the one that the page is about, beside or inside it", () => {
    const other = `<article><h2><a href="/storks">Storks</a></h2><p>${"Storks nest on chimneys, high above the village. ".repeat(5)}</p></article>`
    const page = (below: string, head = isArticle) => main(`<head>${head}</head><body>${below}</body>`)
    const beside = `<article><h1>Herons</h1>${article}</article>${other.repeat(3)}`
    const inside = `<article><h1>Herons</h1>${article}${other.repeat(3)}</article>`
    for (const below of [beside, inside]) {
      expect(page(below)).not.toContain("Storks nest")
      expect(page(below, "")).toContain("Storks nest")
    }
    // Its heading is no h1, and names the page in its head.
    const byTitle = `<article><h2>How herons hunt</h2>${article}</article>${other.repeat(3)}`
    for (const title of [
      "<title>How herons hunt | Lake</title>",
      '<meta property="og:title" content="How herons  hunt - Lake">'
    ]) {
      expect(page(byTitle, title + isArticle)).toMatch(/^## How herons hunt/)
      expect(page(byTitle, title + isArticle)).not.toContain("Storks nest")
    }
    expect(page(byTitle, `<title>The lake</title>${isArticle}`)).toContain("Storks nest")
    // A page of equal articles.
    expect(
      page(
        `<h1>Birds</h1>${`<article>${article}</article>`}<article>${article.replaceAll("Herons", "Storks")}</article>`
      )
    ).toContain("Storks live")
  })

  it("is left out if it is a caption or a line about the article; images stay", () => {
    const figure = '<figure><img src="/h.png" alt="Heron"><figcaption>A heron, by Ann Egret</figcaption></figure>'
    const body = `<h1>Herons</h1>${article}${figure}<div class="photo-credit">Agency of birds</div><div class="entry-meta">3 May</div>${article}`
    const told = main(`<head>${isArticle}</head><body>${body}</body>`)
    expect(told).toContain("![Heron](http://site.test/h.png)")
    for (const gone of ["by Ann Egret", "Agency of birds", "3 May"]) expect(told).not.toContain(gone)
    expect(main(`<body>${body}</body>`)).toContain("by Ann Egret")
  })

  it("stays on a page that says that it is an article, wherever it may be text of its own", () => {
    const page = (below: string) => main(`<head>${isArticle}</head><body><main><h1>Herons</h1>${below}</main></body>`)
    const named = `<div class="article-body">${article}</div>`
    for (const [kept, below] of [
      [
        "in the second text",
        `${named}<div class="article-body"><p>Egrets live in the second text.</p>${article}</div>`
      ],
      ["sum of it", `${named}<h2>Summary</h2><p>Here is the sum of it.</p>`],
      ["Correction", `${named}<div class="box"><p>Correction: there were ten herons.</p></div>`],
      [
        "Lamp 3",
        `<article>${article}${[1, 2, 3].map((at) => `<article class="product"><h2>Lamp ${at}</h2><p>It is bright.</p></article>`).join("")}</article>`
      ],
      ["It grows", `${article}<section id="time-complexity"><h2>Time</h2><p>It grows with the square.</p></section>`],
      ["1941", `${article}<div class="date"><h3>1941</h3></div>${article}`],
      ["Length", `${article}<table class="infobox meta"><tr><th>Length</th><td>90 cm</td></tr></table>`],
      [
        "Herons at dawn",
        Array.from(
          { length: 9 },
          () =>
            `<figure><img src="/h.png"><figcaption>${"Herons at dawn, above the lake. ".repeat(7)}</figcaption></figure>`
        ).join("")
      ]
    ] as const)
      expect(page(below), kept).toContain(kept)
  })

  it("is left out if its class names a control of the page; ids are names of subjects, too", () => {
    const box = (attribute: string) =>
      main(`<main><h1>Herons</h1>${article}<div ${attribute}><p>Show grey birds only</p></div></main>`)
    for (const name of ["filters", "sort-by", "cta", "hero-cta", "has-tooltip tooltip", "wp-block-buttons"])
      expect(box(`class="${name}"`)).not.toContain("grey birds")
    for (const attribute of ['id="functions-filter-table"', 'id="sorting"', 'class="content filters"'])
      expect(box(attribute)).toContain("grey birds")
  })

  it("is left out if it is hidden from screen readers, but for images and paragraphs", () => {
    const hidden = (content: string) =>
      main(
        `<main><h1>Herons</h1>${article}<div><span>Seen</span> <span aria-hidden="true">${content}</span></div></main>`
      )
    expect(hidden("★★★☆☆")).not.toContain("★")
    expect(hidden('<img src="/formula.png" alt="E = mc²">')).toContain("E = mc²")
    expect(hidden(prose("Storks"))).toContain("Storks live")
  })

  it("is left out however long it is, if enough remains: comments, menus, consent to cookies", () => {
    const long = article.repeat(3)
    const comments = `<div id="comments">${`<div class="comment">${prose("Ducks")}</div>`.repeat(120)}</div>`
    expect(main(`<body><article><h1>Herons</h1>${long}</article>${comments}</body>`)).not.toContain("Ducks live")
    const options = `<select>${"<option>A project about birds</option>".repeat(400)}</select>`
    const links = `<div class="dropdown-menu">${'<a href="/l">A language</a> '.repeat(900)}</div>`
    for (const menu of [options, links])
      expect(main(`<body><h1>Herons</h1><div>${long}</div><form>${menu}</form></body>`)).not.toMatch(
        /A project|A language/
      )
    const consent = `<div id="site-consent-sdk"><div><h2>Your choices</h2>${prose("Cookies").repeat(40)}</div></div>`
    const page = `<main><h1>Herons</h1>${cards}</main>${consent}`
    for (const whole of [true, false]) expect(main(page, whole)).not.toContain("Cookies live")
    expect(main(page)).toContain("egrets number 2")
    expect(main(`<div class="cookie-banner"><h1>Herons</h1>${article}</div>`)).toContain("Herons live")
  })
})

describe("pages of a manual", () => {
  it("have all sections and paragraphs around the longest part", () => {
    const section = (title: string, text: string) => `<div class="part"><h2>${title}</h2>${text}</div>`
    const options = `<div class="variablelist"><div><dl>${`<dt>fish</dt><dd>${prose("Herons")}</dd>`.repeat(30)}</dl></div></div>`
    const parts =
      section("Description", prose("Egrets")) + section("Parameters", options) + section("Notes", prose("Storks"))
    for (const page of [
      `<div class="entry"><h1>HERON</h1>${parts}</div>`,
      `<div class="entry"><h1>HERON</h1>${prose("Egrets")}<div class="table">${options}</div>${prose("Storks")}</div>`
    ]) {
      const markdown = main(`<table><tr><td><a href="/b">Next</a></td></tr></table>${page}`)
      for (const bird of ["Egrets", "Herons", "Storks"]) expect(markdown).toContain(`${bird} live near water`)
      expect(markdown).not.toContain("Next")
    }
  })

  it("have the sections whose anchors sound like boxes beside the content", () => {
    const section = (id: string, href = `#${id}`) =>
      `<section id="${id}"><h2>Editing and navigation<a href="${href}">#</a></h2>${prose("Storks")}</section>`
    const page = (part: string) => main(`<main><h1>Birds</h1>${prose("Egrets").repeat(4)}${part}</main>`)
    expect(page(section("editing-and-navigation"))).toContain("Storks live near water")
    expect(page(section("editing-and-navigation", "/other"))).not.toContain("Storks live near water")
    const term = `<dl><dt id="client.Cookies-add_cookie">add_cookie(bird) <a href="#client.Cookies-add_cookie">#</a></dt><dd>${prose("Ducks")}</dd></dl>`
    expect(page(term)).toContain("add_cookie(bird)")
  })
})

describe("products", () => {
  const product = (description: string) =>
    `<script type="application/ld+json">${JSON.stringify({ "@graph": [{ "@type": "Product", name: "Perch", description }] })}</script>`
  const described = "<p>A perch of oak for herons &amp; egrets.</p> ".repeat(8)
  const page = (head: string, body = "") =>
    main(`<head>${head}</head><body><main><h1>Perch</h1>${prose("Tortoises").repeat(2)}${body}</main></body>`)

  it("have the description that the page says in its data, if nothing else does", () => {
    for (const one of [described, described.replace(/</g, "&lt;").replace(/>/g, "&gt;")])
      expect(page(product(one)).match(/A perch of oak for herons & egrets\./g)).toHaveLength(8)
    expect(page(product(described), described).match(/A perch of oak/g)).toHaveLength(8)
    expect(page(product("A short one."))).not.toContain("short one")
    // A list of products.
    expect(page(product(described) + product("Another"))).not.toContain("oak")
  })

  it("are short: what surrounds them is left out, although little remains", () => {
    const short =
      "<p>A perch of oak for herons, two metres high, with room for three birds and their young. It stands in water of up to one metre. Oiled twice, made in Norfolk.</p>"
    const beside = `<div class="reviews">${prose("Buyers").repeat(9)}</div><div class="comments">${prose("Others").repeat(9)}</div>`
    const shop = (head: string) => main(`<head>${head}</head><body><main><h1>Perch</h1>${short}</main>${beside}</body>`)
    for (const head of [product("A perch."), '<meta property="og:type" content="product">']) {
      expect(shop(head)).toContain("Oiled twice")
      expect(shop(head)).not.toMatch(/Buyers live|Others live/)
    }
    expect(shop("")).toContain("Buyers live")
  })

  it("have no terms of delivery, and no tables that compare them with others", () => {
    const beside = `<div class="shipping-info">${prose("Parcels")}</div><div id="compare">${prose("Poles")}</div>`
    expect(page(product("A perch."), beside)).not.toMatch(/Parcels live|Poles live/)
    expect(page("", beside)).toMatch(/Parcels live[\s\S]*Poles live/)
  })
})

describe("discussions", () => {
  const post = (author: string, text: string) =>
    `<div class="post" id="post-${author}"><div class="user-info">${author}<br>Member since 2016</div><div class="content">${text}</div>
     <div class="signature">Sent by my heron</div><ul><li class="reply"><a class="button" href="/r">Reply with quote</a></li></ul></div>`

  it("keeps links inside sentences, and short answers", () => {
    const text = '<p>Please <a href="/d">read this</a> and <a class="mention" href="/b">@bob</a> said so.</p>'
    const page = Array.from({ length: 4 }, (_, at) => post(`p${at}`, text)).join("") + post("q", "Thanks!").repeat(3)
    const found = main(`<body><main><h1>Why?</h1>${page}</main></body>`)
    expect(found.match(/Please \[read this\]\(\S+\) and \[@bob\]\(\S+\) said so\./g)).toHaveLength(4)
    expect(found.match(/Thanks!/g)).toHaveLength(3)
  })

  it("are the texts of their posts", () => {
    const found = main(
      `<nav>Menu</nav><h1>Where do herons live?</h1>${post("ann", prose("Herons"))}${post("ben", "<p>Thanks!</p>")}${post("cid", prose("Egrets"))}${post("dan", "<p>Thanks!</p>")}${post("eve", "<p>Thanks!</p>")}`
    )
    for (const kept of ["# Where do herons live?", "Herons live near", "Egrets live near", "Thanks!"])
      expect(found).toContain(kept)
    for (const gone of ["Member since", "Sent by my heron", "Reply with quote"]) expect(found).not.toContain(gone)
  })

  it("have no authors and signatures whose names are written as one word or with underscores", () => {
    const answer = (text: string) =>
      `<div class="MessageCard"><div class="post_author">Member since 2016</div><div class="messageText">${text}</div>
       <div class="extraUserInfo">Likes: 1,046</div><div class="postsignature">Sent by my heron</div></div>`
    const found = main(`<h1>Birds</h1>${["Herons", "Egrets", "Storks"].map((bird) => answer(prose(bird))).join("")}`)
    for (const bird of ["Herons", "Egrets", "Storks"]) expect(found).toContain(`${bird} live near`)
    for (const gone of ["Member since", "Likes", "Sent by my heron"]) expect(found).not.toContain(gone)
  })

  it("have no quotations of earlier posts on the page, but all others", () => {
    const quote = (text: string) => `<blockquote><b>ann said:</b> ${text}</blockquote><p>I agree with that.</p>`
    const said = "Herons wait for fish, frogs and, at times, a careless mouse."
    const found = main(
      `<h1>Birds</h1>${post("ann", `<p>${said}</p>`)}${post("ben", quote(said))}${post("cid", quote("From a book that nobody here has read."))}`
    )
    expect(found.match(/Herons wait/g)).toHaveLength(1)
    expect(found).toContain("From a book")
    expect(found.match(/I agree/g)).toHaveLength(2)
  })

  it("are found by the type that the page declares: in forms, under the name of comments, among instructions", () => {
    const declared = `<script type="application/ld+json">{"@type":"DiscussionForumPosting"}</script>`
    const around = `<h1>Where do herons live?</h1><div class="help">${prose("How to install: Tortoises").repeat(2)}</div>`
    const entry = (text: string) => `<article class="entry entry--post"><div>${text}</div></article>`
    const thread = `<div id="comments"><form action="/moderate">${entry(prose("Herons"))}${entry("<p>In trees.</p>")}</form></div>`
    const found = main(`<body>${declared}${around}${thread}</body>`)
    for (const kept of ["# Where do herons live?", "Herons live near", "In trees."]) expect(found).toContain(kept)
    expect(found).not.toContain("Tortoises")
    // An article with comments.
    const article = `<article>${prose("Storks").repeat(5)}</article>`
    expect(main(`<body><h1>Storks</h1>${article}${thread}</body>`)).not.toContain("In trees.")
    // The first post is elsewhere.
    const opening = `<meta name="description" content="${prose("Cranes").slice(3, 100)}">`
    const first = `<div class="first">${prose("Cranes")}</div>`
    expect(main(`<head>${opening}</head><body>${declared}<h1>Cranes</h1>${first}${thread}</body>`)).toContain(
      "Cranes live near"
    )
  })

  it("have posts in boxes with the names of profiles", () => {
    const boxed = (text: string) =>
      `<div class="postprofile_container post-profile"><div class="post"><div class="post_content">${text}</div></div></div>`
    const posts = ["Herons", "Egrets", "Bitterns", "Storks", "Cranes", "Ducks"].map(prose)
    const found = main(
      `<body><main><h1>Birds</h1><div class="post">${posts[0]}</div><div class="post">${posts[1]}${boxed(posts[5] ?? "")}</div></main></body>`
    )
    for (const bird of ["Herons", "Egrets", "Ducks"]) expect(found).toContain(`${bird} live near`)
  })
})

describe("hostile pages", () => {
  const limit = 4_000

  it.each([
    ["nested boxes with the same text", `${"<div>a".repeat(500)}${"word ".repeat(60)}`.repeat(60)],
    ["many headings of other sections", `<main>${"<div><h3>Related</h3></div>".repeat(20_000)}</main>`],
    ["many quotation marks in scripts", `<script>${'"\\'.repeat(900_000)}</script>`],
    ["long data without an end", `<script>"${"a. ".repeat(600_000)}</script>`],
    ["many posts", `<div class="post">Reply</div>`.repeat(60_000)]
  ])("are converted in time: %s", (_, html) => {
    const before = process.cpuUsage()
    main(html)
    const { system, user } = process.cpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(limit)
  })
})
