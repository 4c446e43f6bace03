/** How a site looks, told from its page and its style sheets; what is not known is left out (spec 2.2). */
import * as Either from "effect/Either"
import type { Document } from "../../Api/Document.ts"
import type { Element } from "../Html/Element.ts"
import { textOf } from "../Html/Element.ts"
import { PageUrls } from "../Html/PageUrls.ts"
import { every } from "../Html/Select.ts"
import { parseTree, type Tree } from "../Html/Tree.ts"
import { cascade, type Style, substitute } from "./Cascade.ts"
import { isColorful, luminance, parseColor, toHex } from "./Color.ts"
import { imagesOf } from "./Images.ts"
import { type Base, familyOf, type Looks, looksOf, toPixels, variablesOf } from "./Looks.ts"
import { readSheet, type Sheet } from "./Rules.ts"
import { type Samples, samplesOf } from "./Samples.ts"

type Branding = NonNullable<Document["branding"]>

/** Characters of a page that are read for this. */
const maxPage = 2_000_000
/** Characters of all style sheets together. */
const maxStyles = 1_500_000

/** A style sheet where it stands in the page: written there, or linked. */
export type Source = { readonly text: string } | { readonly href: string }

export interface BrandPage {
  readonly tree: Tree
  readonly urls: PageUrls
  /** In order, absolute. */
  readonly sources: ReadonlyArray<Source>
}

const isStyles = ({ attributes }: Element): boolean => {
  const { media = "", rel = "" } = attributes
  const relations = rel.toLowerCase().split(/\s+/)
  return (
    relations.includes("stylesheet") && !relations.includes("alternate") && !/print|prefers-color-scheme/i.test(media)
  )
}

/** The page, and where its styles are. */
export const readPage = (html: string, url: string): BrandPage => {
  const tree = parseTree(html.slice(0, maxPage))
  const urls = new PageUrls(tree, url, true)
  const found = every(
    tree.root,
    (element) => element.name === "style" || (element.name === "link" && isStyles(element)),
    100
  )
  return {
    tree,
    urls,
    sources: found.flatMap((element): ReadonlyArray<Source> => {
      if (element.name === "style") return [{ text: textOf(element) }]
      const href = element.attributes.href === undefined ? undefined : urls.resolve(element.attributes.href)
      return href === undefined ? [] : [{ href }]
    })
  }
}

/** Sheets in order, as much of them as fits together. */
export const readSheets = (texts: ReadonlyArray<string>): ReadonlyArray<Sheet> => {
  let left = maxStyles
  return texts.map((text) => {
    const read = text.slice(0, left)
    left -= read.length
    return readSheet(read)
  })
}

const defined = <A extends object>(fields: A): A | undefined => {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined)
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as A)
}

/** Names under which sites and frameworks keep their colours. */
const colorVariables = {
  primary: [
    "primary",
    "color-primary",
    "primary-color",
    "brand",
    "brand-color",
    "color-brand",
    "brand-primary",
    "bs-primary",
    "theme-primary",
    "md-sys-color-primary",
    "wp--preset--color--primary",
    "color-primary-500",
    "primary-500",
    "main-color"
  ],
  secondary: [
    "secondary",
    "color-secondary",
    "secondary-color",
    "brand-secondary",
    "bs-secondary",
    "md-sys-color-secondary",
    "wp--preset--color--secondary"
  ],
  accent: [
    "accent",
    "color-accent",
    "accent-color",
    "brand-accent",
    "highlight",
    "md-sys-color-tertiary",
    "wp--preset--color--accent"
  ],
  background: [
    "background",
    "color-background",
    "background-color",
    "bg",
    "color-bg",
    "bg-color",
    "body-bg",
    "bs-body-bg",
    "md-sys-color-background"
  ],
  textPrimary: [
    "text",
    "color-text",
    "text-color",
    "text-primary",
    "color-text-primary",
    "foreground",
    "color-foreground",
    "body-color",
    "bs-body-color"
  ],
  textSecondary: [
    "text-secondary",
    "color-text-secondary",
    "secondary-text",
    "text-muted",
    "color-text-muted",
    "muted-foreground",
    "color-muted",
    "bs-secondary-color"
  ],
  link: ["link", "color-link", "link-color", "bs-link-color"],
  success: ["success", "color-success", "success-color", "bs-success"],
  warning: ["warning", "color-warning", "warning-color", "bs-warning"],
  error: [
    "error",
    "color-error",
    "error-color",
    "danger",
    "color-danger",
    "danger-color",
    "destructive",
    "bs-danger",
    "md-sys-color-error"
  ]
} as const

const colorIn = (variables: Style, names: ReadonlyArray<string>): string | undefined => {
  for (const name of names) {
    const value = variables.get(`--${name}`)
    const put = value === undefined ? undefined : substitute(value, (each) => variables.get(each))
    const color = put === undefined ? undefined : toHex(parseColor(put))
    if (color !== undefined) return color
  }
  return undefined
}

const metaOf = ({ metas }: Tree, name: string): string | undefined =>
  metas.find(({ attributes }) => attributes.name?.toLowerCase() === name)?.attributes.content

/** Neither white nor black nor a grey. */
const colorful = (color: string | undefined): string | undefined =>
  color !== undefined && isColorful(color) ? color : undefined

const schemeOf = (tree: Tree, { html, body }: Record<"html" | "body", Looks>, background: string | undefined) => {
  if (background !== undefined) return luminance(background) < 0.2 ? "dark" : "light"
  const said = body.colorScheme ?? html.colorScheme ?? metaOf(tree, "color-scheme")?.toLowerCase() ?? ""
  if (/\bdark\b/.test(said) && !/\blight\b/.test(said)) return "dark"
  const { class: classes = "", "data-theme": theme = "" } = tree.html?.attributes ?? {}
  return /(?:^|\s)dark(?:$|\s)/.test(`${classes} ${theme}`) ? "dark" : "light"
}

/** Sizes are steps of something: of 8, of 4, of 5. */
const baseUnitOf = (variables: Style, spaces: ReadonlyArray<number>, base: Base): number | undefined => {
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

const isSeen = ({ background }: Looks): boolean => background !== undefined

const buttonsOf = (looks: ReadonlyArray<Looks>) => {
  const primary = looks.find(({ background }) => colorful(background) !== undefined) ?? looks.find(isSeen)
  const secondary = looks.find(
    (each) =>
      each !== primary && each.background !== primary?.background && (isSeen(each) || each.borderColor !== undefined)
  )
  return { primary, secondary }
}

interface Drawn {
  readonly looks: (element: Element) => Looks
  readonly variables: Style
  readonly base: Base
}

const draw = (samples: Samples, sheets: ReadonlyArray<Sheet>): Drawn => {
  const { body, buttons, code, h1, h2, h3, html, input, link } = samples
  const elements = [html, body, h1, h2, h3, link, code, input, ...buttons]
  const styles = cascade(
    sheets.flatMap(({ rules }) => rules),
    elements
  )
  const variables = variablesOf(styles, html, body)
  const pixelsOf = (element: Element, base: Base) => {
    const size = looksOf(styles.get(element) ?? new Map(), variables, base).fontSize
    return size === undefined ? undefined : toPixels(size, base)
  }
  const root = pixelsOf(html, { root: 16, body: 16 }) ?? 16
  const base = { root, body: pixelsOf(body, { root, body: root }) ?? root }
  const drawn = new Map(
    elements.map((element) => [element, looksOf(styles.get(element) ?? new Map(), variables, base)])
  )
  return { looks: (element) => drawn.get(element) ?? looksOf(new Map(), variables, base), variables, base }
}

/** The branding of a page whose sheets have been read. */
export const brandOf = ({ tree, urls }: BrandPage, sheets: ReadonlyArray<Sheet>): Branding => {
  const samples = samplesOf(tree)
  const { base, looks, variables } = draw(samples, sheets)
  const html = looks(samples.html)
  const body = looks(samples.body)
  const [h1, h2, h3] = [looks(samples.h1), looks(samples.h2), looks(samples.h3)]
  const [link, code, input] = [looks(samples.link), looks(samples.code), looks(samples.input)]
  const buttons = buttonsOf(samples.buttons.map(looks))

  const theme = toHex(parseColor(metaOf(tree, "theme-color") ?? ""))
  const background = body.background ?? html.background ?? colorIn(variables, colorVariables.background)
  const textPrimary = body.color ?? html.color ?? colorIn(variables, colorVariables.textPrimary)
  const linkColor = link.color ?? colorIn(variables, colorVariables.link)
  const named = (name: keyof typeof colorVariables) => colorIn(variables, colorVariables[name])
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
  const { favicon, logo, ogImage } = imagesOf(tree, urls, (text) =>
    Either.getOrUndefined(Either.try((): unknown => JSON.parse(text)))
  )
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
