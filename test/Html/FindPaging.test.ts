/** Pagers of public systems, and things that only look like them. */
import { expect, it } from "@effect/vitest"
import { parsePage } from "../../src/Html/Fields.ts"
import { findPaging } from "../../src/Html/FindPaging.ts"

const pagingOf = (html: string, url: string) => {
  const { tree, urls } = parsePage(`<!doctype html><body>${html}`, url)
  return findPaging(tree, urls, url)
}

const shop = "https://shop.example/list"

it.each([
  {
    name: "Bootstrap",
    url: shop,
    html: '<ul class="pagination"><li class="page-item disabled"><a class="page-link" href="#">Previous</a></li><li class="page-item active"><a class="page-link" href="?page=1">1</a></li><li class="page-item"><a class="page-link" href="?page=2">2</a></li><li class="page-item"><a class="page-link" href="?page=12">12</a></li><li class="page-item"><a class="page-link" href="?page=2">Next</a></li></ul>',
    step: { next: { label: "Next" } },
    last: 12
  },
  {
    name: "WordPress, numbers",
    url: "https://blog.example/news/",
    html: '<div class="nav-links"><span class="page-numbers current">1</span><a class="page-numbers" href="https://blog.example/news/page/2/">2</a><span class="dots">…</span><a class="page-numbers" href="https://blog.example/news/page/31/">31</a><a class="next page-numbers" href="https://blog.example/news/page/2/">Next <i>»</i></a></div>',
    step: { next: "a.next" },
    last: 31
  },
  {
    name: "WordPress, older posts, on its second page",
    url: "https://blog.example/page/2/",
    html: '<div class="nav-previous"><a href="https://blog.example/page/3/">← Older posts</a></div><div class="nav-next"><a href="https://blog.example/">Newer posts →</a></div>',
    step: { next: { label: "Older posts" } },
    last: undefined
  },
  {
    name: "Django",
    url: "https://x.example/books/?q=fish&page=3",
    html: '<span class="step-links"><a href="?q=fish&amp;page=1">&laquo; first</a> <a href="?q=fish&amp;page=2">previous</a> <span>Page 3 of 9.</span> <a href="?q=fish&amp;page=4">next</a> <a href="?q=fish&amp;page=9">last &raquo;</a></span>',
    step: { next: { label: "next" } },
    last: 9
  },
  {
    name: "Rails kaminari",
    url: "https://x.example/items",
    html: '<nav class="pagination"><span class="page current">1</span><span class="page"><a rel="next" href="/items?page=2">2</a></span><span class="page"><a href="/items?page=3">3</a></span><span class="next"><a rel="next" href="/items?page=2">Next ›</a></span><span class="last"><a href="/items?page=7">Last »</a></span></nav>',
    step: { next: { rel: "next" } },
    last: 7
  },
  {
    name: "Rails will_paginate",
    url: "https://x.example/items?page=2",
    html: '<div class="pagination"><a class="previous_page" rel="prev" href="/items?page=1">← Previous</a> <a rel="prev" href="/items?page=1">1</a> <em class="current">2</em> <a rel="next" href="/items?page=3">3</a> <a class="next_page" rel="next" href="/items?page=3">Next →</a></div>',
    step: { next: { rel: "next" } },
    last: 3
  },
  {
    name: "Shopify",
    url: "https://x.example/collections/all",
    html: '<nav class="pagination"><a href="/collections/all?page=2" class="pagination__item">2</a><a href="/collections/all?page=5" class="pagination__item link">5</a><a href="/collections/all?page=2" class="pagination__item pagination__item--prev pagination__item-arrow link motion-reduce" aria-label="Next page"><svg></svg></a></nav>',
    step: { next: { label: "Next page" } },
    last: 5
  },
  {
    name: "phpBB",
    url: "https://x.example/viewforum.php?f=2",
    html: '<div class="pagination"><ul><li class="active"><span>1</span></li><li><a class="button" href="./viewforum.php?f=2&amp;start=25">2</a></li><li><a class="button" href="./viewforum.php?f=2&amp;start=50">3</a></li><li class="arrow next"><a class="button button-icon-only" href="./viewforum.php?f=2&amp;start=25" rel="next" role="button"><i></i><span>Next</span></a></li></ul></div>',
    step: { next: { rel: "next" } },
    last: 3
  },
  {
    name: "MediaWiki, history",
    url: "https://x.example/w/index.php?title=Fish&action=history",
    html: '<p>(newest | oldest) View (newer 50 | <a href="/w/index.php?title=Fish&amp;action=history&amp;offset=20200101000000%7C1" class="mw-nextlink" rel="next">older 50</a>)</p>',
    step: { next: { rel: "next" } },
    last: undefined
  },
  {
    name: "MediaWiki, a category",
    url: "https://x.example/w/index.php?title=Category:Fish",
    html: '(previous page) (<a href="/w/index.php?title=Category:Fish&amp;pagefrom=Trout#mw-pages">next page</a>)',
    step: { next: { label: "next page" } },
    last: undefined
  },
  {
    name: "Discourse",
    url: "https://x.example/latest",
    html: '<div role="navigation"><span><a rel="next" href="/latest?no_definitions=true&amp;page=1">next page →</a></span></div>',
    step: { next: { rel: "next" } },
    last: undefined
  },
  {
    name: "GOV.UK",
    url: "https://x.example/search/all?keywords=tax",
    html: '<nav class="govuk-pagination"><div class="govuk-pagination__next"><a class="govuk-link govuk-pagination__link" href="/search/all?keywords=tax&amp;page=2" rel="next"><span>Next<span class="govuk-visually-hidden"> page</span></span></a></div></nav>',
    step: { next: { rel: "next" } },
    last: undefined
  },
  {
    name: "German, in the path",
    url: "https://x.example/angebote/",
    html: '<a href="/angebote/seite-2.html" class="blaettern" title="Nächste Seite">›</a>',
    step: { next: { label: "›" } },
    last: undefined
  },
  {
    name: "French",
    url: "https://x.example/annonces?ville=lyon",
    html: '<ul><li class="pager-next"><a href="/annonces?ville=lyon&amp;page=1">Suivant ›</a></li></ul>',
    step: { next: ".pager-next > a" },
    last: undefined
  },
  {
    name: "a link in the head",
    url: shop,
    html: '<link rel="next" href="/list?p=2"><p>Text</p>',
    step: { next: { rel: "next" } },
    last: undefined
  },
  {
    name: "numbers alone",
    url: shop,
    html: '<p class="pages">Page: <b>1</b> <a href="/list?p=2">2</a> <a href="/list?p=3">3</a> <a href="/list?p=40">40</a></p>',
    step: { next: { page: { param: "p" } } },
    last: 40
  },
  {
    name: "bare numbers in the path, of a pager",
    url: "https://x.example/forum/",
    html: '<a href="/forum/2">2</a> <a href="/forum/3">3</a> <a class="fwd" href="/forum/2">next</a>',
    step: { next: { label: "next" } },
    last: 3
  },
  {
    name: "quotes.toscrape.com",
    url: "https://x.example/page/2/",
    html: '<ul class="pager"><li class="previous"><a href="/page/1/">← Previous</a></li><li class="next"><a href="/page/3/">Next →</a></li></ul>',
    step: { next: ".next > a" },
    last: undefined
  },
  {
    name: "a button that loads more",
    url: shop,
    html: '<ul><li>One</li></ul><button type="button" class="btn btn-more js-load">Load more</button>',
    step: { loadMore: "button.btn-more" },
    last: undefined
  },
  {
    name: "a German one, as a link without an address",
    url: shop,
    html: '<a href="#" id="mehr">Weitere Ergebnisse anzeigen…</a>',
    step: { loadMore: "#mehr" },
    last: undefined
  }
])("proposes what $name has", ({ html, last, step, url }) => {
  expect(pagingOf(html, url)).toEqual({ step, last })
})

it.each([
  [
    "the next article of a blog",
    "https://x.example/2026/11/28/a/",
    '<link rel="next" href="https://x.example/2026/11/29/b/"><div class="nav-next"><a rel="next" href="https://x.example/2026/11/29/b/">Next article</a></div>'
  ],
  ["the next article by its number", "https://x.example/article/1234", '<a rel="next" href="/article/1235">Next</a>'],
  [
    "the next chapter of documentation",
    "https://x.example/docs/intro.html",
    '<link rel="next" title="Install" href="install.html"><a class="next" href="install.html">Next →</a>'
  ],
  [
    "the next part of a guide of GOV.UK",
    "https://x.example/guide",
    '<nav class="govuk-pagination"><a class="govuk-link" rel="next" href="/guide/how-to-apply"><span>Next</span> : <span>How to apply</span></a></nav>'
  ],
  [
    "a calendar",
    "https://x.example/events?month=2026-11",
    '<a class="next" href="?month=2026-12" rel="next">Next</a> <a href="?day=2026-11-02">2</a> <a href="?day=2026-11-03">3</a>'
  ],
  [
    "a calendar with its months in the path",
    "https://x.example/events/2026/11",
    '<a rel="next" href="/events/2026/12">Next month</a><a href="/events/2026/11/2">2</a>'
  ],
  [
    "a carousel",
    shop,
    '<div class="carousel"><a class="carousel-control-next" href="#slides" role="button"><span>Next</span></a><button class="slick-next" aria-label="Next">Next</button></div>'
  ],
  ["a carousel whose link leads to a product", shop, '<a class="next" href="/product/7">›</a>'],
  ["another order of the list", `${shop}?sort=name`, '<a href="?sort=price">Next</a>'],
  ["another site", shop, '<a rel="next" href="https://other.example/list?page=2">Next</a>'],
  [
    "the last page of a list",
    `${shop}?page=3`,
    '<a href="?page=2">2</a> <span>3</span> <a rel="prev" href="?page=2">Previous</a>'
  ],
  ["texts that open", shop, "<button>Show more</button><button>Read more</button>"],
  [
    "several buttons, one in each record",
    shop,
    "<li><button>Load more</button></li><li><button>Load more</button></li>"
  ],
  ["footnotes", "https://x.example/essay", '<a href="#1">1</a> <a href="#2">2</a> <a href="/essay/notes">3</a>']
])("proposes nothing for %s", (_, url, html) => {
  expect(pagingOf(html, url)).toBeUndefined()
})
