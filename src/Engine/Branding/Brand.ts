/** Branding of a site: colors, fonts, logo and images, from its page and style sheets. Unknown values are left out. */
import type { Document } from "../../Api/Document.ts"
import type { Element } from "../../Html/Element.ts"
import { linkedDataWith } from "../../Html/LinkedData.ts"
import type { PageUrls } from "../../Html/PageUrls.ts"
import type { Tree } from "../../Html/Tree.ts"
import { type BrandPage, type Samples, samplesOf } from "./BrandPage.ts"
import { cascade, type DeclaredStyle, substitute } from "./Cascade.ts"
import { type ColorName, colorNamed, isColorful, luminance, parseColor, toHex } from "./Color.ts"
import { type BaseSizes, type ComputedStyle, computeStyle, familyOf, toPixels, variablesOf } from "./ComputedStyle.ts"
import type { Sheet } from "./StyleSheet.ts"

type Branding = NonNullable<Document["branding"]>

const defined = <A extends object>(fields: A): A | undefined => {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined)
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as A)
}

const metaOf = ({ metas }: Tree, name: string): string | undefined =>
  metas.find(({ attributes }) => attributes.name?.toLowerCase() === name)?.attributes.content

/** The color, unless it is white, black or gray. */
const colorful = (color: string | undefined): string | undefined =>
  color !== undefined && isColorful(color) ? color : undefined

const schemeOf = (
  tree: Tree,
  { html, body }: Record<"html" | "body", ComputedStyle>,
  background: string | undefined
) => {
  if (background !== undefined) return luminance(background) < 0.2 ? "dark" : "light"
  const said = body.colorScheme ?? html.colorScheme ?? metaOf(tree, "color-scheme")?.toLowerCase() ?? ""
  if (/\bdark\b/.test(said) && !/\blight\b/.test(said)) return "dark"
  const { class: classes = "", "data-theme": theme = "" } = tree.html?.attributes ?? {}
  return /(?:^|\s)dark(?:$|\s)/.test(`${classes} ${theme}`) ? "dark" : "light"
}

/** Base unit of the spacings: from a custom property, or else the first of 8, 4, 5 and 6 pixels that divides 80 % of them. */
const baseUnitOf = (variables: DeclaredStyle, spaces: ReadonlyArray<number>, base: BaseSizes): number | undefined => {
  for (const name of ["--spacing", "--space", "--spacing-unit", "--space-unit", "--base-unit", "--grid-unit"]) {
    const value = variables.get(name)
    const pixels =
      value === undefined ? undefined : toPixels(substitute(value, (each) => variables.get(each)) ?? "", base)
    if (pixels !== undefined && pixels >= 2 && pixels <= 32 && Number.isInteger(pixels)) return pixels
  }
  const whole = spaces.filter(Number.isInteger)
  if (whole.length < 4) return undefined
  return [8, 4, 5, 6].find((unit) => whole.filter((space) => space % unit === 0).length >= whole.length * 0.8)
}

const weightsOf = (weights: ReadonlyArray<number>) => {
  const among = (least: number, most: number) => weights.find((weight) => weight >= least && weight <= most)
  return defined({
    light: among(100, 300),
    regular: among(350, 400),
    medium: among(500, 500),
    bold: weights.includes(700) ? 700 : among(600, 900)
  })
}

const isSeen = ({ background }: ComputedStyle): boolean => background !== undefined

const buttonsOf = (looks: ReadonlyArray<ComputedStyle>) => {
  const primary = looks.find(({ background }) => colorful(background) !== undefined) ?? looks.find(isSeen)
  const secondary = looks.find(
    (each) =>
      each !== primary && each.background !== primary?.background && (isSeen(each) || each.borderColor !== undefined)
  )
  return { primary, secondary }
}

interface SampleStyles {
  readonly looks: (element: Element) => ComputedStyle
  readonly variables: DeclaredStyle
  readonly base: BaseSizes
}

const styleSamples = (samples: Samples, sheets: ReadonlyArray<Sheet>): SampleStyles => {
  const { body, buttons, code, h1, h2, h3, html, input, link } = samples
  const elements = [html, body, h1, h2, h3, link, code, input, ...buttons]
  const styles = cascade(
    sheets.flatMap(({ rules }) => rules),
    elements
  )
  const variables = variablesOf(styles, html, body)
  const pixelsOf = (element: Element, base: BaseSizes) => {
    const size = computeStyle(styles.get(element) ?? new Map(), variables, base).fontSize
    return size === undefined ? undefined : toPixels(size, base)
  }
  const root = pixelsOf(html, { root: 16, body: 16 }) ?? 16
  const base = { root, body: pixelsOf(body, { root, body: root }) ?? root }
  const drawn = new Map(
    elements.map((element) => [element, computeStyle(styles.get(element) ?? new Map(), variables, base)])
  )
  return { looks: (element) => drawn.get(element) ?? computeStyle(new Map(), variables, base), variables, base }
}

/** Derives the branding from the page and its style sheets. */
export const brandOf = ({ tree, urls }: BrandPage, sheets: ReadonlyArray<Sheet>): Branding => {
  const samples = samplesOf(tree)
  const { base, looks, variables } = styleSamples(samples, sheets)
  const html = looks(samples.html)
  const body = looks(samples.body)
  const [h1, h2, h3] = [looks(samples.h1), looks(samples.h2), looks(samples.h3)]
  const [link, code, input] = [looks(samples.link), looks(samples.code), looks(samples.input)]
  const buttons = buttonsOf(samples.buttons.map(looks))

  const theme = toHex(parseColor(metaOf(tree, "theme-color") ?? ""))
  const named = (name: ColorName) => colorNamed(variables, name)
  const background = body.background ?? html.background ?? named("background")
  const textPrimary = body.color ?? html.color ?? named("textPrimary")
  const linkColor = link.color ?? named("link")
  const colors = defined({
    primary: named("primary") ?? colorful(buttons.primary?.background) ?? colorful(theme) ?? colorful(linkColor),
    secondary: named("secondary") ?? colorful(buttons.secondary?.background),
    accent: named("accent"),
    background,
    textPrimary,
    textSecondary: named("textSecondary"),
    link: linkColor,
    success: named("success"),
    warning: named("warning"),
    error: named("error")
  })

  const primaryFont = body.fontFamily ?? html.fontFamily
  const headingFont = h1.fontFamily ?? h2.fontFamily
  const faces = sheets.flatMap(({ fontFaces }) => fontFaces)
  const used = [primaryFont, headingFont, code.fontFamily].filter((family) => family !== undefined)
  const families = [...new Set([...used, ...faces.flatMap(({ family }) => familyOf(family) ?? [])])].slice(0, 12)
  const weights = [body, h1, h2, h3, link, ...(buttons.primary === undefined ? [] : [buttons.primary])].flatMap(
    ({ fontWeight }) => fontWeight ?? []
  )
  const faceWeights = faces.flatMap(({ weight }) => (/^\d+$/.test(weight ?? "") ? [Number(weight)] : []))
  const { favicon, logo, ogImage } = imagesOf(tree, urls)
  const spaces = [body, h1, h2, h3, input, ...samples.buttons.map(looks)].flatMap((each) => each.spaces)
  const { primary, secondary } = buttons

  return {
    colorScheme: schemeOf(tree, { html, body }, background),
    ...defined({
      logo,
      colors,
      fonts: families.length === 0 ? undefined : families.map((family) => ({ family })),
      typography: defined({
        fontFamilies: defined({ primary: primaryFont, heading: headingFont ?? primaryFont, code: code.fontFamily }),
        fontSizes: defined({
          h1: h1.fontSize,
          h2: h2.fontSize,
          h3: h3.fontSize,
          body: body.fontSize ?? html.fontSize
        }),
        fontWeights: weightsOf([...weights, ...faceWeights]),
        lineHeights: defined({ heading: h1.lineHeight ?? h2.lineHeight, body: body.lineHeight ?? html.lineHeight })
      }),
      spacing: defined({
        baseUnit: baseUnitOf(variables, spaces, base),
        borderRadius: primary?.borderRadius ?? input.borderRadius
      }),
      components: defined({
        buttonPrimary:
          primary &&
          defined({ background: primary.background, textColor: primary.color, borderRadius: primary.borderRadius }),
        buttonSecondary:
          secondary &&
          defined({
            background: secondary.background,
            textColor: secondary.color,
            borderColor: secondary.borderColor,
            borderRadius: secondary.borderRadius
          }),
        input: defined({
          background: input.background,
          textColor: input.color,
          borderColor: input.borderColor,
          borderRadius: input.borderRadius
        })
      }),
      images: defined({ logo, favicon, ogImage })
    })
  } as Branding
}

const maxDepth = 6

/** Finds `logo` in JSON-LD data: a URL, or an object with a `url`. */
const logoIn = (value: unknown, depth = 0): string | undefined => {
  if (typeof value !== "object" || value === null || depth > maxDepth) return undefined
  if ("logo" in value) {
    const { logo } = value
    if (typeof logo === "string") return logo
    if (typeof logo === "object" && logo !== null && "url" in logo && typeof logo.url === "string") return logo.url
  }
  for (const inner of Object.values(value).slice(0, 200)) {
    const found = logoIn(inner, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

const namedLogo = (tree: Tree): string | undefined => {
  for (const value of linkedDataWith(tree, '"logo"')) {
    const found = logoIn(value)
    if (found !== undefined) return found
  }
  return undefined
}

const around = (element: Element, most: number): ReadonlyArray<Element> => {
  const found: Array<Element> = []
  for (let each = element.parent; each !== undefined && found.length < most; each = each.parent) found.push(each)
  return found
}

const labelOf = ({ attributes }: Element): string =>
  `${attributes.class ?? ""} ${attributes.id ?? ""} ${attributes["aria-label"] ?? ""}`

const weigh = (image: Element): number => {
  const { alt = "", src = "" } = image.attributes
  const parents = around(image, 12)
  const near = parents.slice(0, 3)
  const home = near.find(({ name }) => name === "a")?.attributes.href
  return (
    (/\blogo/i.test(`${labelOf(image)} ${alt}`) || /logo/i.test(src.slice(-200)) ? 4 : 0) +
    (near.some((element) => /logo|brand/i.test(labelOf(element))) ? 3 : 0) +
    (parents.some(({ name }) => name === "header" || name === "nav") ? 2 : 0) +
    (home !== undefined && /^(?:\/|https?:\/\/[^/]+\/?|\.\/)$/.test(home) ? 2 : 0) -
    (parents.some(({ name }) => name === "footer" || name === "main" || name === "article") ? 3 : 0)
  )
}

const logoImage = ({ images }: Tree): Element | undefined => {
  const best = images
    .slice(0, 300)
    .map((element, at) => ({ element, weight: weigh(element) - at / 1_000 }))
    .sort((one, other) => other.weight - one.weight)[0]
  return best === undefined || best.weight < 3.5 ? undefined : best.element
}

const relationOf = ({ relations }: Tree, name: string): string | undefined =>
  relations.find(({ attributes }) => (attributes.rel ?? "").toLowerCase().split(/\s+/).includes(name))?.attributes.href

const propertyOf = ({ metas }: Tree, name: string): string | undefined =>
  metas.find(({ attributes }) => (attributes.property ?? attributes.name)?.toLowerCase() === name)?.attributes.content

/** Absolute URLs of the logo, icon and preview image; undefined if the page has none. */
export const imagesOf = (tree: Tree, urls: PageUrls) => {
  const image = logoImage(tree)
  const resolve = (href: string | undefined) => (href === undefined ? undefined : urls.resolve(href))
  const shown = image === undefined ? undefined : urls.image(image)
  const logo =
    shown !== undefined && /^https?:/.test(shown) ? shown : resolve(propertyOf(tree, "og:logo") ?? namedLogo(tree))
  return {
    logo,
    favicon: resolve(relationOf(tree, "icon") ?? relationOf(tree, "apple-touch-icon")),
    ogImage: resolve(propertyOf(tree, "og:image") ?? propertyOf(tree, "twitter:image"))
  }
}
