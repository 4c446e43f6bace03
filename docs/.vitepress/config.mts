/** The static site of these pages: `npm run docs` builds it into `dist-docs`, with an offline search and checked links. */
import { defineConfig, type MarkdownRenderer } from "vitepress"

type Token = ReturnType<MarkdownRenderer["parse"]>[number]

/** Whether a link leads to a file of the repository that is not a page of the site. */
const isFile = (href: string): boolean =>
  /^(\.\.\/)*(README|SECURITY|CHANGELOG|pipelines|config|compose|deploy|examples|integrations)\b/.test(href)

/** Inline tokens in which a link to such a file is plain text. */
const withoutFileLinks = (tokens: ReadonlyArray<Token>): Array<Token> => {
  let isDropped = false
  return tokens.filter((token) => {
    if (token.type === "link_open") isDropped = isFile(String(token.attrGet("href")))
    const drop = isDropped && (token.type === "link_open" || token.type === "link_close")
    if (token.type === "link_close") isDropped = false
    return !drop
  })
}

const page = (text: string, link: string) => ({ text, link: `/${link}` })

export default defineConfig({
  title: "Sluice",
  description: "Web-data pipelines on Effect: exactly once, on a schedule, without an account.",
  cleanUrls: false,
  outDir: "../dist-docs",
  cacheDir: "../node_modules/.cache/vitepress",
  rewrites: { "README.md": "index.md" },
  // Braces, angle brackets and `${{ … }}` are text in these pages, never attributes, HTML or a template.
  markdown: {
    html: false,
    attrs: { disable: true },
    config: (markdown) => {
      markdown.core.ruler.push("files-of-the-repository", ({ tokens }) => {
        for (const token of tokens) token.children = token.children === null ? null : withoutFileLinks(token.children)
      })
    }
  },
  vue: { template: { compilerOptions: { delimiters: ["[%", "%]"] } } },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    sidebar: [
      {
        text: "Learn it",
        items: [
          page("Tutorial", "tutorial"),
          page("Get fields out of a page", "how-to/get-fields"),
          page("Coming from Firecrawl", "coming-from-firecrawl"),
          page("Coming from Scrapy or Crawlee", "coming-from-scrapy-or-crawlee"),
          page("Coming from dlt", "coming-from-dlt")
        ]
      },
      {
        text: "Get something done",
        items: [
          page("Compare with yesterday", "how-to/compare-with-yesterday"),
          page("Watch a page", "how-to/watch-a-page"),
          page("Log in", "how-to/log-in"),
          page("Test a pipeline", "how-to/test-a-pipeline"),
          page("Schedule in CI", "how-to/schedule-in-ci"),
          page("Embed in a data repository", "how-to/embed-in-a-repo"),
          page("Embed the local engine", "how-to/embed-the-engine"),
          page("Use a hosted service", "how-to/hosted-service"),
          page("Run on many machines", "how-to/run-on-a-cluster"),
          page("Run in shards", "how-to/run-in-shards"),
          page("Write a step", "how-to/write-a-step"),
          page("Write a sink", "how-to/write-a-sink"),
          page("Run other people's definitions", "how-to/other-peoples-definitions"),
          page("Use it from an agent", "how-to/use-from-an-agent"),
          page("Notice when a site has changed", "how-to/trust-the-data"),
          page("Several outputs and health", "how-to/several-outputs"),
          page("From a list to its details", "how-to/list-to-detail"),
          page("Read a JSON API", "how-to/json-apis"),
          page("Follow a feed", "how-to/follow-a-feed"),
          page("Crawl again at the price of change", "how-to/crawl-again"),
          page("Read numbers, prices and dates of pages", "how-to/read-values"),
          page("Recover from failure", "how-to/recover"),
          page("Keep a contract", "contract"),
          page("Schedule pipelines", "schedule"),
          page("Run pipelines from a program", "embedding")
        ]
      },
      {
        text: "Copy a recipe",
        items: [
          page("A shop", "recipes/shop-changes"),
          page("A job board", "recipes/job-board"),
          page("News, every hour", "recipes/hourly-news"),
          page("Events", "recipes/events"),
          page("A public register", "recipes/public-register"),
          page("Price lists", "recipes/price-list"),
          page("A JSON API", "recipes/json-api"),
          page("A documentation site", "recipes/docs-changes"),
          page("A portal behind a login", "recipes/member-portal"),
          page("A competitor", "recipes/competitor-watch")
        ]
      },
      {
        text: "Look something up",
        items: [
          page("Reference", "reference"),
          page("The local engine", "engine"),
          page("A hosted service", "hosted"),
          page("Dashboard", "dashboard"),
          page("Telemetry", "telemetry"),
          page("Dependencies", "dependencies"),
          page("Glossary", "glossary")
        ]
      },
      {
        text: "Understand it",
        items: [
          page("What is delivered, and how often", "delivery"),
          page("Many machines", "cluster"),
          page("What is written by hand", "decisions"),
          page("How good the results are", "quality"),
          page("Change Sluice itself", "contributing")
        ]
      }
    ]
  }
})
