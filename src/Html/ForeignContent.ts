/** SVG and MathML elements (HTML standard, 13.2.6.5): their names and attributes, and the HTML elements that end them. */
import type { Content, Namespace, Tag } from "./Tags.ts"
import { foreignTagOf, namesIn } from "./Tags.ts"
import { type Attributes, noAttributes, type StartTag } from "./Tokenizer.ts"
import type { TreeBuilder } from "./TreeBuilder.ts"

const byLowerCase = (names: string): ReadonlyMap<string, string> =>
  new Map(names.split(" ").map((name) => [name.toLowerCase(), name]))

/** HTML elements whose start tag ends SVG and MathML around it. */
const breakouts = namesIn(
  "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s " +
    "small span strong strike sub sup table tt u ul var"
)

const svgNames = byLowerCase(
  "altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend feColorMatrix feComponentTransfer " +
    "feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR " +
    "feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence " +
    "foreignObject glyphRef linearGradient radialGradient textPath"
)

const svgAttributes = byLowerCase(
  "attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits diffuseConstant edgeMode filterUnits glyphRef " +
    "gradientTransform gradientUnits kernelMatrix kernelUnitLength keyPoints keySplines keyTimes lengthAdjust limitingConeAngle markerHeight " +
    "markerUnits markerWidth maskContentUnits maskUnits numOctaves pathLength patternContentUnits patternTransform patternUnits pointsAtX " +
    "pointsAtY pointsAtZ preserveAlpha preserveAspectRatio primitiveUnits refX refY repeatCount repeatDur requiredExtensions " +
    "requiredFeatures specularConstant specularExponent spreadMethod startOffset stdDeviation stitchTiles surfaceScale systemLanguage " +
    "tableValues targetX targetY textLength viewBox viewTarget xChannelSelector yChannelSelector zoomAndPan"
)

const mathAttributes = byLowerCase("definitionURL")

const attributesOf = (attributes: Attributes, namespace: Namespace): Attributes => {
  if (attributes === noAttributes) return attributes
  const names = namespace === "svg" ? svgAttributes : mathAttributes
  return Object.keys(attributes).some((key) => names.has(key))
    ? Object.fromEntries(Object.entries(attributes).map(([key, value]) => [names.get(key) ?? key, value]))
    : attributes
}

const isHtmlEncoding = /^(?:text\/html|application\/xhtml\+xml)$/i

/** True if a start tag opens an SVG or MathML element here. `around`: rules of the element around it. */
export const takesForeign = (around: Tag, { name }: StartTag): boolean => {
  if (around.holdsHtml === "any") return false
  if (around.holdsHtml === "phrases") return name === "mglyph" || name === "malignmark"
  return true
}

const foreignTag = (tag: StartTag, namespace: Namespace): StartTag => {
  const name = namespace === "svg" ? (svgNames.get(tag.name) ?? tag.name) : tag.name
  const holdsHtml =
    namespace === "math" && name === "annotation-xml" && isHtmlEncoding.test(tag.attributes.encoding ?? "")
  return {
    ...tag,
    name,
    attributes: attributesOf(tag.attributes, namespace),
    rules: foreignTagOf(name, namespace, holdsHtml),
    marks: 0,
    classTests: undefined
  }
}

/** Opens an element in a namespace. */
export const insertForeign = (tree: TreeBuilder, tag: StartTag, namespace: Namespace): Content => {
  const known = tree.foreignTags.get(tag)
  const foreign = known?.rules.namespace === namespace ? known : foreignTag(tag, namespace)
  tree.foreignTags.set(tag, foreign)
  if (tag.selfClosing) tree.insertVoid(foreign)
  else tree.insert(foreign)
  return "markup"
}

const isBreakout = ({ attributes, name }: StartTag): boolean =>
  breakouts.has(name) ||
  (name === "font" && ["color", "face", "size"].some((attribute) => Object.hasOwn(attributes, attribute)))

/** Closes SVG and MathML elements up to one whose content is HTML. */
const leaveForeign = (tree: TreeBuilder): void => {
  while (tree.top.tag.rules.isForeign && tree.top.tag.rules.holdsHtml === undefined) tree.pop()
}

export const openForeign = (tree: TreeBuilder, tag: StartTag): Content => {
  const { name, tag: around } = tree.top
  const { namespace } = around.rules
  if (namespace === "math" && name === "annotation-xml" && tag.name === "svg") return tree.mode.open(tree, tag)
  if (!isBreakout(tag)) return insertForeign(tree, tag, namespace)
  leaveForeign(tree)
  return tree.mode.open(tree, tag)
}

/** Closes an element of SVG or MathML; false if the end tag belongs to HTML. */
export const closeForeign = (tree: TreeBuilder, name: string): boolean => {
  if (name === "br" || name === "p") {
    leaveForeign(tree)
    return false
  }
  return tree.closeForeign(name)
}
