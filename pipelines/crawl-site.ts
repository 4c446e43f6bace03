/** crawl-site.yaml in TypeScript: the same value, with the compiler reading along. */
import { definePipeline } from "sluice/promise"

export default definePipeline({
  version: 1,
  name: "crawl-site",
  description: "Crawl a site and write its pages to JSONL.",
  inputs: {
    site: { type: "url", description: "Where the crawl begins; it stays below this address." },
    limit: { type: "integer", description: "Pages at most.", default: 200, minimum: 1, maximum: 10_000 }
  },
  steps: [
    {
      crawl: {
        url: "${{ inputs.site }}",
        limit: "${{ inputs.limit }}",
        scrapeOptions: { formats: ["markdown"], onlyMainContent: true }
      }
    },
    { where: "metadata.statusCode = 200" },
    { dedupe: { key: "$canonicalUrl(metadata.sourceURL)" } },
    {
      select: {
        url: "metadata.sourceURL",
        title: "metadata.title",
        description: "metadata.description",
        language: "metadata.language",
        markdown: "markdown"
      }
    },
    { write: { jsonl: "out/site-{date}.jsonl" } }
  ]
})
