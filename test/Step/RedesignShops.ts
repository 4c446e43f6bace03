/** Simulated shops: pages of a product, and lists. */
import { between, chance, name, pick, prose, whole } from "../Health/Random.ts"
import { cents, dollars, euros, facts, firm, h, ld, lines, type Site, text } from "./RedesignBox.ts"

const goods = (site: string) => (at: number) => {
  const price = cents(12, 900, site, at, "price")
  return {
    title: `${name(site, at)} ${whole(100, 999, site, at, "model")}`,
    price,
    old: chance(0.5, site, at, "sale") ? Math.round(price * between(1.05, 1.5, site, at, "old")) - 0.01 : 0,
    sku: `${pick(["AB", "KX", "TR"], site, at, "series")}-${whole(10_000, 99_999, site, at, "sku")}`,
    weight: `${whole(1, 90, site, at, "weight") / 2} kg`,
    brand: firm(site, at),
    url: `https://${site}.example/p/${at}`,
    text: prose(2, "en", site, at)
  }
}

export const shops: ReadonlyArray<Site> = [
  {
    name: "classic-shop",
    lang: "en",
    definition: {
      fields: {
        title: "main > div > h1.page-title",
        price: { css: ".final .price", as: "price" },
        sku: "[itemprop=sku]",
        weight: { label: "Weight" }
      }
    },
    item: goods("classic-shop"),
    body: ([item = {}], more) => [
      h(
        "main.page-main#maincontent@main",
        h("div.product-title-wrap@block", h("h1.page-title", h("span.base", { itemprop: "name" }, text(item.title)))),
        h(
          "div.product-info-price@block",
          ...(item.old ? [h("span.old-price", "Was ", h("span.price@price", dollars(item.old)))] : []),
          h("span.final", { itemprop: "offers" }, h("span.price@price", dollars(item.price)))
        ),
        h(
          "div.product.attribute.sku@block",
          h("strong.type@label", "SKU"),
          h("div.value", { itemprop: "sku" }, text(item.sku))
        ),
        h(
          "table.data.additional-attributes@block",
          h(
            "tbody",
            ...lines([
              ["Brand", item.brand],
              ["Weight", item.weight]
            ])
          )
        )
      ),
      h(
        "section.block.related@related",
        h("h2", "Related products"),
        ...more.map((each) =>
          h(
            "div.product-item",
            h("a.product-item-link", { href: text(each.url) }, text(each.title)),
            h("span.final", h("span.price@price", dollars(each.price)))
          )
        )
      )
    ]
  },
  {
    name: "utility-shop",
    lang: "en",
    definition: {
      fields: {
        title: "div.mx-auto > div:nth-child(1) > h1",
        price: { data: "Product.offers.price", as: "price" },
        brand: { data: "Product.brand.name" },
        sku: { data: "Product.sku" },
        weight: { css: "ul.specs li:nth-child(2) span:nth-child(2)" }
      }
    },
    item: goods("utility-shop"),
    body: ([item = {}], more) => [
      ld("Product", {
        name: item.title,
        sku: item.sku,
        brand: { "@type": "Brand", name: item.brand },
        offers: { "@type": "Offer", price: item.price, priceCurrency: "USD" }
      }),
      h(
        "div.mx-auto.max-w-7xl.px-4@main",
        h(
          "div.flex.items-center.gap-2@block",
          h("a.text-sm.text-gray-500", { href: "/brand" }, text(item.brand)),
          h("h1.text-3xl.font-bold", text(item.title))
        ),
        h(
          "div.mt-4.flex@block",
          h("p.text-2xl.tracking-tight@price", dollars(item.price)),
          ...(item.old
            ? [h("s.text-sm.text-gray-400@price", dollars(item.old)), h("span.badge.bg-red-100", "Sale")]
            : [])
        ),
        h(
          "ul.specs.mt-6@block",
          h("li.flex.py-2", h("span.w-32@label", "Article number"), h("span.font-mono", text(item.sku))),
          h("li.flex.py-2", h("span.w-32@label", "Weight"), h("span.font-mono", text(item.weight)))
        ),
        h("p.prose.mt-8@block", text(item.text))
      ),
      h(
        "div.grid.grid-cols-4@related",
        h("h2.text-xl", "You may also like"),
        ...more.map((each) =>
          h(
            "a.group",
            { href: text(each.url) },
            h("h3.text-sm", text(each.title)),
            h("p.text-lg@price", dollars(each.price))
          )
        )
      )
    ]
  },
  {
    name: "module-shop",
    lang: "de",
    definition: {
      fields: {
        title: { css: "[data-testid=product-title]" },
        price: { css: ".Price_now__Zx9cv", as: "price" },
        sku: "#article-number",
        weight: { label: "Gewicht" }
      }
    },
    item: goods("module-shop"),
    body: ([item = {}], more) => [
      h(
        "div.Product_root__x1Yz2@main",
        h(
          "div.Product_head__a8Kd3@block",
          h("h1.Product_title__k2L9s", { "data-testid": "product-title" }, text(item.title)),
          h("span.Product_brand__9dKw1", text(item.brand))
        ),
        h(
          "div.Price_box__Qw3rt@block",
          h("span.Price_now__Zx9cv#product-price@price", euros(item.price)),
          ...(item.old
            ? [
                h("span.Price_was__Po1iu@price", euros(item.old)),
                h("span.Price_saving__Lk2jh@price", euros(Number(item.old) - Number(item.price)))
              ]
            : [])
        ),
        h(
          "dl.Facts_list__m2Nb4@block",
          ...facts([
            ["Gewicht", item.weight],
            ["Marke", item.brand]
          ])
        ),
        h(
          "p.Product_number__t5Gh6@block",
          h("span@label", "Artikelnummer"),
          " ",
          h("span#article-number", text(item.sku))
        )
      ),
      h(
        "aside.Similar_root__b4Vc5@related",
        ...more.map((each) =>
          h(
            "a.Similar_card__n7Mj8",
            { href: text(each.url) },
            h("span.Similar_title__u6Yt7", text(each.title)),
            h("span.Price_now__Zx9cv@price", euros(each.price))
          )
        )
      )
    ]
  },
  {
    name: "woo-list",
    lang: "en",
    definition: {
      rows: "li.product",
      fields: {
        title: "h2.woocommerce-loop-product__title",
        price: [
          { css: ".price ins .amount", as: "price" },
          { css: ".price > .amount", as: "price" }
        ],
        url: { css: "a.woocommerce-LoopProduct-link", attr: "href" }
      }
    },
    item: goods("woo-list"),
    body: (items, more) => [
      h(
        "ul.products.columns-4@main",
        ...items.map((each) =>
          h(
            "li.product.type-product@row",
            h(
              "a.woocommerce-LoopProduct-link@block",
              { href: text(each.url) },
              h("h2.woocommerce-loop-product__title", text(each.title))
            ),
            h(
              "span.price@block",
              ...(each.old
                ? [
                    h("del", h("span.amount@price", dollars(each.old))),
                    " ",
                    h("ins", h("span.amount@price", dollars(each.price)))
                  ]
                : [h("span.amount@price", dollars(each.price))])
            ),
            h("a.button.add_to_cart_button@block", { href: `?add=${each.sku}` }, "Add to cart")
          )
        )
      ),
      h(
        "div.widget.best-sellers@related",
        h("h3", "Best sellers"),
        h(
          "ul",
          ...more.map((each) =>
            h("li", h("a", { href: text(each.url) }, text(each.title)), h("span.amount@price", dollars(each.price)))
          )
        )
      )
    ]
  },
  {
    name: "electronics-list",
    lang: "de",
    definition: {
      rows: "div.artikel",
      fields: {
        title: ".artikel__name",
        price: { css: ".artikel__preis", as: "price" },
        sku: { label: "Art.-Nr." },
        weight: { css: "[data-spec=weight]" }
      }
    },
    item: goods("electronics-list"),
    body: (items) => [
      h(
        "div.ergebnisse#liste@main",
        ...items.map((each) =>
          h(
            "div.artikel.card.mb-3@row",
            h("h3.artikel__name@block", text(each.title)),
            h(
              "div.artikel__daten@block",
              h("p", h("b@label", "Art.-Nr.", ":"), " ", h("span", text(each.sku))),
              h("p", { "data-spec": "weight" }, text(each.weight))
            ),
            h(
              "div.artikel__kauf@block",
              h("span.artikel__preis@price", euros(each.price)),
              ...(each.old ? [h("small.artikel__uvp", "UVP ", h("span@price", euros(each.old)))] : [])
            )
          )
        )
      )
    ]
  }
]
