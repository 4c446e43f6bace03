/** Images of a page with captions and sizes, for the search index. */
import { describe, expect, it } from "@effect/vitest"
import { indexedImages } from "../../src/Engine/Search/Picture.ts"
import { extract } from "../../src/Html/Extract.ts"

const pictures = (html: string) =>
  extract(html, {
    wanted: new Set(["facts"] as const),
    url: "https://a.com/b/",
    onlyMainContent: true,
    removeBase64Images: true,
    blockAds: true
  }).facts?.pictures ?? []

describe("the images of a page", () => {
  it("have absolute URLs and all of their captions, without repeated words", () => {
    expect(
      pictures(
        '<figure><a href="/x"><img src="c.png" alt="A crane" title="A crane" width="640" height=" 480px "></a><figcaption>At <b>dawn</b></figcaption></figure><img data-src="/lazy.jpg" src="data:image/gif;base64,AA" alt=""><img alt="nowhere"><img src="javascript:x">'
      )
    ).toEqual([
      { url: "https://a.com/b/c.png", caption: "A crane — At dawn", width: 640, height: 480 },
      { url: "https://a.com/lazy.jpg", caption: "", width: undefined, height: undefined }
    ])
  })

  it("have the addresses of their picture's sources if they have none", () => {
    const html = '<picture><source data-srcset="/a.jpg 800w"><img alt="Harbour" class="lazy"></picture>'
    expect(pictures(html)).toEqual([
      { url: "https://a.com/a.jpg", caption: "Harbour", width: undefined, height: undefined }
    ])
  })

  it("begin with the Open Graph image, with its caption from the content", () => {
    const head =
      '<head><meta property="og:image" content="/shared.jpg"><meta property="og:image:width" content="1200"></head>'
    expect(pictures(`${head}<img src="/a.png" alt="A">`).map(({ url }) => url)).toEqual([
      "https://a.com/shared.jpg",
      "https://a.com/a.png"
    ])
    const [first] = pictures(`${head}<img src="/a.png"><img src="/shared.jpg" alt="Shared" width="60%">`)
    expect(first).toEqual({ url: "https://a.com/shared.jpg", caption: "Shared", width: undefined, height: undefined })
  })

  it("have the beginning of a caption, however long it is and however many images share it", () => {
    const long = `<b>first</b> ${"word ".repeat(400_000)}`
    const begun = process.cpuUsage()
    const found = pictures(`<figure><figcaption>${long}</figcaption>${'<img src="/a.png">'.repeat(200)}</figure>`)
    const { system, user } = process.cpuUsage(begun)
    expect(found).toHaveLength(200)
    expect(new Set(found.map(({ caption }) => caption))).toEqual(
      new Set([`first ${"word ".repeat(400)}`.slice(0, 500)])
    )
    expect((user + system) / 1000).toBeLessThan(3_000)
  })

  it("have no duplicates and no tracking pixels, and are a hundred of a gallery", () => {
    const many = Array.from({ length: 300 }, (_, at) => `<img src="/${at % 150}.png" alt="${at}">`).join("")
    expect(indexedImages(pictures(`<img src="/pixel.gif" width=1 height=1>${many}`))).toHaveLength(100)
    const [named] = indexedImages(pictures('<img src="/red-tug_boat-1024x768.JPEG?v=1" alt=" Tug\n boat ">'))
    expect(named).toEqual({
      url: "https://a.com/red-tug_boat-1024x768.JPEG?v=1",
      caption: "Tug boat",
      words: "Tug boat red tug boat 1024x768",
      extension: "jpg",
      width: 1024,
      height: 768
    })
    expect(indexedImages(pictures('<img src="https://b.com/" alt="x">'))).toMatchObject([{ words: "x", extension: "" }])
  })
})
