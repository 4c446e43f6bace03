/** The Exa provider, against responses of the recorded shape. */

import { describe, expect, it } from "../../It.ts"
import { fakeProvider } from "./FakeProvider.ts"
import { ask, key } from "./ProviderSearch.ts"

describe("Exa", () => {
  it.scoped("is queried in its neural mode, with dates, hosts and category as parameters", function* () {
    const { asked, origin } = yield* fakeProvider(() => ({
      json: {
        requestId: "1",
        results: [
          {
            id: "1",
            title: "On gait",
            url: "https://arxiv.org/abs/1",
            publishedDate: "2026-02-03T00:00:00.000Z",
            text: "How\n people   walk."
          },
          { id: "2", title: "A shop", url: "https://shop.example/", text: "Buy." },
          { id: "3", title: null, url: "not an address" },
          "odd"
        ],
        costDollars: { total: 0.005 }
      }
    }))
    const { data } = yield* ask(`exa=${key}@${origin}`, {
      query: "gait studies -site:old.example",
      categories: ["research"],
      tbs: "cdr:1,cd_min:02/01/2026,cd_max:02/28/2026"
    })
    expect(data.web).toEqual([
      {
        url: "https://arxiv.org/abs/1",
        title: "On gait",
        description: "How people walk.",
        position: 1,
        category: "research"
      }
    ])
    expect(asked[0]).toMatchObject({
      path: "/search",
      headers: { "x-api-key": key },
      body: {
        query: "gait studies",
        category: "research paper",
        numResults: 30,
        startPublishedDate: "2026-02-01T00:00:00.000Z",
        endPublishedDate: "2026-02-28T23:59:59.999Z",
        excludeDomains: ["old.example"],
        userLocation: "US"
      }
    })
  })
})
