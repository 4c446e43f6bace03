import { describe, expect, it } from "@effect/vitest"
import { brandOf } from "../../../src/Engine/Branding/Brand.ts"
import { readPage, readSheets } from "../../../src/Engine/Branding/BrandPage.ts"
import { luminance, parseColor, toHex } from "../../../src/Engine/Branding/Color.ts"
import { readSheet } from "../../../src/Engine/Branding/StyleSheet.ts"

const hex = (text: string) => toHex(parseColor(text))

/** The branding of a page whose styles all stand in it. */
const brand = (html: string) => {
  const page = readPage(html, "https://marsh.test/birds/")
  return brandOf(page, readSheets(page.sources.map((source) => ("text" in source ? source.text : ""))))
}

const page = `<!doctype html><html lang="en"><head><title>Marsh</title>
<meta name="theme-color" content="#123456"><meta property="og:image" content="/share.png">
<link rel="icon" href="/favicon.svg">
<style>
  @import url("more.css");
  @font-face { font-family: "Heron Sans"; font-weight: 500; src: url(heron.woff2) }
  :root { --blue: 210 100% 40%; --primary: hsl(var(--blue)); --danger: crimson; --success: rgb(0 128 0 / 50%);
    --spacing: .5rem; --muted-foreground: var(--missing, #667) }
  html { font-size: 10px }
  body { margin: 0; font: 400 1.6rem/1.5 "Heron Sans", Arial, sans-serif; color: #222; background: #fafafa url(paper.png) }
  h1, h2 { font-family: Egret, serif; line-height: 1.2 }
  h1 { font-size: 4.8rem; font-weight: bold } h2 { font-size: 2em } h3 { font-size: 150% }
  a { color: teal } nav a { color: red } a:hover { color: lime }
  code { font-family: "Stilt Mono", monospace }
  .btn { padding: 8px 16px; border-radius: 0.4rem; background: #eee; color: #111 }
  main .btn-primary { background-color: var(--primary); color: white }
  .btn.outline { background: transparent; border: 1px solid var(--primary); color: var(--primary) }
  input { border: 1px solid #ccc; border-radius: 2px; background: #fff !important }
  @media print { body { background: black } h1 { font-size: 1px } }
  @media (prefers-color-scheme: dark) { body { background: black } }
  @media (min-width: 600px) { h2 { font-size: 3.2rem } }
</style></head>
<body><header><a href="/"><img src="/img/marsh-logo.svg" alt="Marsh"></a><nav><a href="/a">A</a></nav></header>
<main><h1>Herons</h1><p>They <a href="/stand">stand</a>.</p><img src="/heron.jpg" alt="A heron">
<a class="btn outline" href="/more">More</a> <a class="btn btn-primary" href="/join">Join</a>
<input name="q" style="background: red; color: navy"></main></body></html>`

describe("branding", () => {
  it("is read out of a page's own styles", () => {
    expect(brand(page)).toEqual({
      colorScheme: "light",
      logo: "https://marsh.test/img/marsh-logo.svg",
      colors: {
        primary: "#0066CC",
        background: "#FAFAFA",
        textPrimary: "#222222",
        textSecondary: "#666677",
        link: "#008080",
        success: "#80C080",
        error: "#DC143C"
      },
      fonts: [{ family: "Heron Sans" }, { family: "Egret" }, { family: "Stilt Mono" }],
      typography: {
        fontFamilies: { primary: "Heron Sans", heading: "Egret", code: "Stilt Mono" },
        fontSizes: { h1: "48px", h2: "32px", h3: "24px", body: "16px" },
        fontWeights: { regular: 400, medium: 500, bold: 700 },
        lineHeights: { heading: "1.2", body: "1.5" }
      },
      spacing: { baseUnit: 5, borderRadius: "4px" },
      components: {
        buttonPrimary: { background: "#0066CC", textColor: "#FFFFFF", borderRadius: "4px" },
        buttonSecondary: { textColor: "#0066CC", borderColor: "#0066CC", borderRadius: "4px" },
        input: { background: "#FFFFFF", textColor: "#000080", borderColor: "#CCCCCC", borderRadius: "2px" }
      },
      images: {
        logo: "https://marsh.test/img/marsh-logo.svg",
        favicon: "https://marsh.test/favicon.svg",
        ogImage: "https://marsh.test/share.png"
      }
    })
  })

  it("leaves out what is not known", () => {
    expect(brand("<p>Hello</p>")).toEqual({ colorScheme: "light" })
  })

  it("takes the logo that a page names for machines where it shows none", () => {
    const html = `<head><script type="application/ld+json">{"@graph":[{"@type":"Organization","logo":{"url":"/l.png"}}]}</script></head><img src="/a.jpg">`
    expect(brand(html)).toMatchObject({ logo: "https://marsh.test/l.png" })
    expect(brand(`<script type="application/ld+json">{"logo":</script>`)).toEqual({ colorScheme: "light" })
  })

  it.each([
    ["a dark background", "<style>body{background:#101018;color:#eee}</style>", "dark"],
    ["a variable", "<style>:root{--background:222 47% 5%}</style>", "dark"],
    ["the page's word", `<meta name="color-scheme" content="dark">`, "dark"],
    ["a class of the page", `<html class="dark">`, "dark"],
    ["both, light first", `<meta name="color-scheme" content="light dark">`, "light"]
  ])("tells light from dark by %s", (_, html, scheme) => {
    expect(brand(html).colorScheme).toBe(scheme)
  })

  it("counts specificity, importance and order as browsers do", () => {
    const color = (css: string) => brand(`<style>${css}</style><body id=b class="x y">`).colors?.textPrimary
    expect(color("#b{color:red} body{color:blue}")).toBe("#FF0000")
    expect(color("body.x{color:red} .y{color:blue}")).toBe("#FF0000")
    expect(color(".x{color:red} .y{color:blue}")).toBe("#0000FF")
    expect(color("body{color:red!important} #b{color:blue}")).toBe("#FF0000")
    expect(color(":where(#b){color:red} body{color:blue}")).toBe("#0000FF")
    expect(color("/* x } */ body{/* ; */color:/*!*/red;;} .y{color:blue}")).toBe("#0000FF")
    // A bracket too many belongs to the selector behind it.
    expect(color("body{color:red} }} .y{color:blue}")).toBe("#FF0000")
    expect(color(".md\\:x,body:not(.z){color:red}")).toBe("#FF0000")
  })

  it("reads every notation of a colour", () => {
    expect(
      ["#abc", "#AABBCC80", "rgb(0,128,255)", "rgb(0 50% 100% / .5)", "hsl(120deg 100% 25%)", "hwb(0 0% 0%)"].map(hex)
    ).toEqual(["#AABBCC", "#D4DDE5", "#0080FF", "#80BFFF", "#008000", "#FF0000"])
    expect(hex("oklch(62.8% 0.2577 29.23)")).toBe("#FF0000")
    expect(["rebeccapurple", "0 0 255", "transparent", "rgba(0,0,0,.05)", "currentcolor", "#12345"].map(hex)).toEqual([
      "#663399",
      "#0000FF",
      undefined,
      undefined,
      undefined,
      undefined
    ])
    expect(luminance("#FFFFFF")).toBeCloseTo(1)
  })

  it("ends with variables that mean each other", () => {
    const css =
      ":root{--a:var(--b);--b:var(--a);--c:var(--d)var(--d);--d:var(--c)var(--c)}body{color:var(--a,red);background:var(--c)}"
    expect(brand(`<style>${css}</style>`)).toEqual({ colorScheme: "light", colors: { textPrimary: "#FF0000" } })
  })

  it.each([
    ["blocks in blocks", "a{".repeat(500_000)],
    ["brackets in brackets", `a{color:${"(".repeat(900_000)}`],
    ["at-rules in at-rules", "@media x{".repeat(100_000)],
    ["many rules for everything", "*{color:red}".repeat(80_000)],
    ["many selectors", `${"a,".repeat(500_000)}a{color:red}`],
    [
      "many variables",
      `:root{${Array.from({ length: 60_000 }, (_, at) => `--v${at}:var(--v${at + 1})`).join(";")}}body{color:var(--v0)}`
    ],
    [
      "variables that multiply",
      `:root{${Array.from({ length: 40 }, (_, at) => `--v${at}:var(--v${at + 1})var(--v${at + 1})`).join(";")}}body{color:var(--v0)}`
    ],
    ["long numbers", `body{font:${"1".repeat(900)};padding:${"1".repeat(900)}}`],
    ["an open string", `a{color:"${"x".repeat(900_000)}`],
    ["noise", "}{;:@\\/*\"'([".repeat(80_000)]
  ])("costs little however hostile the styles are: %s", (_, css) => {
    const read = readPage("<body><button class=btn>x</button>", "https://marsh.test/")
    const begun = process.cpuUsage()
    brandOf(read, readSheets([css]))
    const { user, system } = process.cpuUsage(begun)
    // Some 150 ms; what is not linear takes minutes.
    expect((user + system) / 1000).toBeLessThan(2_000)
  })

  it("reads what is for screens too, and what follows a long comment", () => {
    const color = (css: string) => brand(`<style>${css}</style>`).colors?.textPrimary
    expect(color("@media print, screen{body{color:red}}")).toBe("#FF0000")
    expect(color("@media print{body{color:red}}")).toBeUndefined()
    expect(color(`/*${"x".repeat(10_000)}*/ /* y */ body{color:red}`)).toBe("#FF0000")
    const linked = (media: string) =>
      readPage(`<link rel=stylesheet href=a.css media="${media}">`, "https://a.test/").sources
    expect(["screen, print", "print", "(prefers-color-scheme: dark)"].map((media) => linked(media).length)).toEqual([
      1, 0, 0
    ])
  })

  it("names what a sheet imports", () => {
    expect(readSheet(`@import "a.css"; @import url(b.css) screen; a{} @import 'c'`).imports).toEqual([
      "a.css",
      "b.css",
      "c"
    ])
  })
})
