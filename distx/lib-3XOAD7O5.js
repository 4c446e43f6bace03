import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  readInline,
  samplesOf
} from "./lib-UUVS2RTO.js";
import {
  linkedData
} from "./lib-QTJ7KZXV.js";
import {
  parseSelector
} from "./lib-KFUPWAUT.js";
import "./lib-GGME65E2.js";
import "./lib-URHN3MKJ.js";

// src/Engine/Branding/Cascade.ts
import * as Either from "effect/Either";
var maxTried = 3e3;
var maxLooks = 2e5;
var maxTests = 3e3;
var part = /([#.]?)((?:\\.|[\w-]|[^ -~\s])+)/g;
var stateful = /::|:(?:hover|focus|active|visited|target|checked|disabled|enabled|invalid|valid|placeholder|before|after|selection|first-line|first-letter|autofill|open|popover|fullscreen|backdrop|-webkit|-moz|-ms)/i;
var subjectOf = (selector) => selector.replace(/\([^()]*\)|\[[^\]]*\]/g, "").split(/[\s>]+/).at(-1)?.replace(/:[\w-]+/g, "") ?? "";
var namesOf = (elements) => ({
  tags: new Set(elements.map(({ name }) => name)),
  classes: new Set(elements.flatMap(({ attributes }) => (attributes.class ?? "").split(/\s+/))),
  ids: new Set(elements.flatMap(({ attributes }) => attributes.id ?? []))
});
var mayMatch = (selector, { classes, ids, tags }) => {
  if (selector.length > 300 || stateful.test(selector)) return false;
  for (const [, sign, text] of subjectOf(selector).matchAll(part)) {
    const name = (text ?? "").replace(/\\(.)/g, "$1");
    if (sign === "." ? !classes.has(name) : sign === "#" ? !ids.has(name) : !tags.has(name.toLowerCase())) return false;
  }
  return true;
};
var specificityOf = (selector) => {
  const plain = selector.replace(/:where\([^)]*\)/g, "");
  const ids = plain.match(/#[\w-]/g)?.length ?? 0;
  const classes = plain.match(/\.[\w\\-]|\[|(?<!:):(?!not|is|where)[a-z]/gi)?.length ?? 0;
  const tags = plain.match(/(?:^|[\s>(])[a-z]/gi)?.length ?? 0;
  return Math.min(ids, 99) * 1e4 + Math.min(classes, 99) * 100 + Math.min(tags, 99);
};
var hold = (held, { important, property, value }, specificity) => {
  const weight = specificity + (important ? 1e7 : 0);
  const before = held.get(property);
  if (before === void 0 || before.weight <= weight) held.set(property, { value, weight });
};
var inlineSpecificity = 1e6;
var cascade = (rules, elements) => {
  const names = namesOf(elements);
  const held = new Map(elements.map((element) => [element, /* @__PURE__ */ new Map()]));
  const tests = /* @__PURE__ */ new Map();
  const testOf = (selector) => {
    const known = tests.get(selector);
    if (known !== void 0 || tests.size >= maxTried) return known;
    const test = mayMatch(selector, names) ? Either.getOrUndefined(parseSelector(selector)) : void 0;
    if (test !== void 0) tests.set(selector, test);
    return test;
  };
  let looks = 0;
  let tested = 0;
  for (const { declarations, selectors } of rules) {
    for (const selector of selectors) {
      looks += 1;
      if (looks > maxLooks || tested > maxTests) break;
      const test = testOf(selector);
      if (test === void 0) continue;
      tested += 1;
      const specificity = specificityOf(selector);
      for (const [element, values] of held) {
        if (test(element)) for (const declaration of declarations) hold(values, declaration, specificity);
      }
    }
  }
  return new Map(
    [...held].map(([element, values]) => {
      const { style } = element.attributes;
      if (style !== void 0) for (const declaration of readInline(style)) hold(values, declaration, inlineSpecificity);
      return [element, new Map([...values].map(([property, { value }]) => [property, value]))];
    })
  );
};
var maxDepth = 12;
var maxLength = 1e3;
var maxSteps = 50;
var closing = (text, from) => {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")" && --depth === 0) return at;
  }
  return -1;
};
var substitute = (value, valueOf) => {
  let steps = 0;
  const put = (text, depth) => {
    if (!text.includes("var(")) return text;
    if (depth > maxDepth) return void 0;
    let out = "";
    let rest = text;
    for (let at = rest.indexOf("var("); at !== -1; at = rest.indexOf("var(")) {
      steps += 1;
      const end = closing(rest, at);
      if (end === -1 || steps > maxSteps || out.length > maxLength) return void 0;
      const inner = rest.slice(at + 4, end);
      const comma = inner.indexOf(",");
      const name = (comma === -1 ? inner : inner.slice(0, comma)).trim();
      const given = valueOf(name);
      const found = given === void 0 ? void 0 : put(given, depth + 1);
      const filled = found ?? (comma === -1 ? void 0 : put(inner.slice(comma + 1).trim(), depth + 1));
      if (filled === void 0) return void 0;
      out += rest.slice(0, at) + filled;
      rest = rest.slice(end + 1);
    }
    return out.length + rest.length > maxLength ? void 0 : out + rest;
  };
  return put(value, 0);
};

// src/Engine/Branding/Color.ts
var named = new Map(
  "aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32".match(/[a-z]+ [0-9a-f]{6}/g)?.map((pair) => pair.split(" ")) ?? []
);
var clamp = (value) => Math.min(1, Math.max(0, value));
var fromHex = (digits) => {
  const long = digits.length <= 4 ? digits.replace(/./g, "$&$&") : digits;
  if (long.length !== 6 && long.length !== 8) return void 0;
  const at = (from) => Number.parseInt(long.slice(from, from + 2), 16) / 255;
  return { red: at(0), green: at(2), blue: at(4), alpha: long.length === 8 ? at(6) : 1 };
};
var fromHsl = (hue, saturation, lightness, alpha) => {
  const spread = saturation * Math.min(lightness, 1 - lightness);
  const channel2 = (offset) => {
    const place = ((offset + hue / 30) % 12 + 12) % 12;
    return clamp(lightness - spread * Math.max(-1, Math.min(place - 3, 9 - place, 1)));
  };
  return { red: channel2(0), green: channel2(8), blue: channel2(4), alpha };
};
var fromHwb = (hue, white, black, alpha) => {
  const rest = Math.max(0, 1 - white - black);
  const pure = fromHsl(hue, 1, 0.5, alpha);
  const mix = (channel2) => clamp(channel2 * rest + white);
  return { red: mix(pure.red), green: mix(pure.green), blue: mix(pure.blue), alpha };
};
var fromOklab = (lightness, a, b, alpha) => {
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const curve = (linear) => clamp(linear <= 31308e-7 ? 12.92 * linear : 1.055 * Math.max(0, linear) ** (1 / 2.4) - 0.055);
  return {
    red: curve(4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short),
    green: curve(-1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short),
    blue: curve(-0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short),
    alpha
  };
};
var amount = (text, whole) => text === void 0 || text === "none" ? 0 : text.endsWith("%") ? Number.parseFloat(text) / 100 * whole : Number.parseFloat(text);
var turns = { deg: 1, rad: 180 / Math.PI, grad: 0.9, turn: 360 };
var angle = (text) => {
  const [, number, unit] = /^(-?[\d.]+)(deg|rad|grad|turn)?$/.exec(text ?? "") ?? [];
  return Number(number ?? 0) * (turns[unit ?? "deg"] ?? 1);
};
var fromFunction = (name, inner) => {
  const [x, y, z, last] = inner.split(/[\s,/]+/).filter((text) => text !== "");
  if (z === void 0 || ![x, y, z].every((text) => /^-?[\d.]|^none$/.test(text ?? ""))) return void 0;
  const alpha = last === void 0 || !/^[\d.]/.test(last) ? 1 : clamp(amount(last, 1));
  const share = (text) => clamp((text?.endsWith("%") ? amount(text, 1) : amount(text, 1) / 100) || 0);
  switch (name) {
    case "rgb":
    case "rgba":
      return {
        red: clamp(amount(x, 255) / 255),
        green: clamp(amount(y, 255) / 255),
        blue: clamp(amount(z, 255) / 255),
        alpha
      };
    case "hsl":
    case "hsla":
      return fromHsl(angle(x), share(y), share(z), alpha);
    case "hwb":
      return fromHwb(angle(x), share(y), share(z), alpha);
    case "oklab":
      return fromOklab(amount(x, 1), amount(y, 0.4), amount(z, 0.4), alpha);
    case "oklch": {
      const chroma = amount(y, 0.4);
      const hue = angle(z) * Math.PI / 180;
      return fromOklab(amount(x, 1), chroma * Math.cos(hue), chroma * Math.sin(hue), alpha);
    }
    default:
      return void 0;
  }
};
var bareHsl = /^-?[\d.]+(?:deg)?[\s,]+[\d.]+%[\s,]+[\d.]+%$/;
var bareRgb = /^\d{1,3}[\s,]+\d{1,3}[\s,]+\d{1,3}$/;
var parseColor = (text) => {
  const value = text.trim().toLowerCase();
  if (value.length > 200) return void 0;
  if (value.startsWith("#")) return /^#[0-9a-f]+$/.test(value) ? fromHex(value.slice(1)) : void 0;
  const name = named.get(value);
  if (name !== void 0) return fromHex(name);
  if (bareHsl.test(value)) return fromFunction("hsl", value);
  if (bareRgb.test(value)) return fromFunction("rgb", value);
  const [, called, inner] = /^([a-z]+)\(([^()]*)\)$/.exec(value) ?? [];
  const color = called === void 0 || inner === void 0 ? void 0 : fromFunction(called, inner);
  return color !== void 0 && [color.red, color.green, color.blue, color.alpha].every(Number.isFinite) ? color : void 0;
};
var token = /#[0-9a-f]{3,8}\b|[a-z]+\([^()]*\)|[a-z]+/gi;
var findColor = (text) => {
  const whole = parseColor(text);
  if (whole !== void 0) return whole;
  for (const [part2] of text.slice(0, 1e3).matchAll(token)) {
    const color = parseColor(part2);
    if (color !== void 0) return color;
  }
  return void 0;
};
var channel = (value, alpha) => Math.round((value * alpha + (1 - alpha)) * 255).toString(16).padStart(2, "0");
var toHex = (color) => color === void 0 || color.alpha < 0.1 ? void 0 : `#${channel(color.red, color.alpha)}${channel(color.green, color.alpha)}${channel(color.blue, color.alpha)}`.toUpperCase();
var luminance = (hex) => {
  const color = fromHex(hex.slice(1));
  const linear = (value = 0) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(color?.red) + 0.7152 * linear(color?.green) + 0.0722 * linear(color?.blue);
};
var isColorful = (hex) => {
  const { blue = 0, green = 0, red = 0 } = fromHex(hex.slice(1)) ?? {};
  return Math.max(red, green, blue) - Math.min(red, green, blue) > 0.12;
};
var colorVariables = {
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
};
var colorNamed = (variables, color) => {
  for (const name of colorVariables[color]) {
    const value = variables.get(`--${name}`);
    const put = value === void 0 ? void 0 : substitute(value, (each) => variables.get(each));
    const found = put === void 0 ? void 0 : toHex(parseColor(put));
    if (found !== void 0) return found;
  }
  return void 0;
};

// src/Engine/Branding/Looks.ts
var length = /^(-?\d*\.?\d+)(px|rem|em|pt|%|ch|vw|vh)?$/i;
var toPixels = (text, { body, root }) => {
  const [, number, unit] = text.length > 40 ? [] : length.exec(text.trim()) ?? [];
  if (number === void 0) return void 0;
  const value = Number(number);
  switch (unit?.toLowerCase()) {
    case "px":
      return value;
    case "rem":
      return value * root;
    case "em":
      return value * body;
    case "%":
      return value / 100 * body;
    case "pt":
      return value * 4 / 3;
    case void 0:
      return value === 0 ? 0 : void 0;
    default:
      return void 0;
  }
};
var inPixels = (text, base) => {
  if (text === void 0 || text.length > 100) return void 0;
  const pixels = toPixels(text, base);
  const clamped = /^clamp\(.*,([^,()]+)\)$/i.exec(text)?.[1];
  if (pixels === void 0 && clamped !== void 0) return inPixels(clamped, base);
  return pixels === void 0 ? /^[a-z-]+\(/i.test(text) ? text : void 0 : `${Math.round(pixels * 100) / 100}px`;
};
var generic = /^(?:inherit|initial|unset|revert|serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-[a-z-]+|-apple-system|blinkmacsystemfont|emoji|math|apple color emoji)$/i;
var familyOf = (text) => {
  const families = (text ?? "").split(",").map((each) => each.trim().replace(/^["']|["']$/g, "")).filter((each) => each !== "" && each.length <= 100 && !/[()]/.test(each));
  const own = families.find((each) => !generic.test(each));
  return own ?? families.find((each) => !/^(?:inherit|initial|unset|revert)$/i.test(each));
};
var weightOf = (text) => {
  if (text === "bold") return 700;
  if (text === "normal") return 400;
  const weight = Number(text);
  return Number.isInteger(weight) && weight >= 1 && weight <= 1e3 ? weight : void 0;
};
var fontShorthand = (text) => {
  const [, before, size, height, family] = /^(.*?)([\d.]+(?:px|rem|em|pt|%))(?:\s*\/\s*([\d.]+[a-z%]*))?\s+(.+)$/i.exec((text ?? "").slice(0, 200)) ?? [];
  return { size, height, family, weight: /\b(?:bold|[1-9]00)\b/.exec(before ?? "")?.[0] };
};
var spaced = [
  "padding",
  "padding-top",
  "padding-right",
  "padding-bottom",
  "padding-left",
  "margin",
  "margin-top",
  "margin-bottom",
  "gap"
];
var lineHeightOf = (text, base) => {
  if (text === void 0) return void 0;
  return /^\d*\.?\d+$/.test(text) ? String(Number(text)) : inPixels(text, base);
};
var looksOf = (style, variables, base) => {
  const valueOf = (property) => {
    const declared = style.get(property);
    return declared === void 0 ? void 0 : substitute(declared, (name) => style.get(name) ?? variables.get(name))?.trim();
  };
  const font = fontShorthand(valueOf("font"));
  const color = valueOf("color");
  const background = valueOf("background-color") ?? valueOf("background");
  const border = valueOf("border-color") ?? valueOf("border");
  const radius = valueOf("border-radius");
  return {
    color: color === void 0 ? void 0 : toHex(parseColor(color)),
    background: background === void 0 ? void 0 : toHex(findColor(background)),
    borderColor: border === void 0 ? void 0 : toHex(findColor(border)),
    borderRadius: radius === void 0 ? void 0 : inPixels(radius, base) ?? (radius.length <= 40 ? radius : void 0),
    fontFamily: familyOf(valueOf("font-family") ?? font.family),
    fontSize: inPixels(valueOf("font-size") ?? font.size, base),
    fontWeight: weightOf(valueOf("font-weight") ?? font.weight),
    lineHeight: lineHeightOf(valueOf("line-height") ?? font.height, base),
    colorScheme: valueOf("color-scheme")?.toLowerCase(),
    spaces: spaced.flatMap(
      (property) => (valueOf(property) ?? "").split(/\s+/).flatMap((each) => {
        const pixels = toPixels(each, base);
        return pixels === void 0 || pixels <= 0 ? [] : [pixels];
      })
    )
  };
};
var variablesOf = (styles, ...elements) => new Map(
  elements.flatMap((element) => [...styles.get(element) ?? []].filter(([property]) => property.startsWith("--")))
);

// src/Engine/Branding/Brand.ts
var defined = (fields) => {
  const kept = Object.entries(fields).filter(([, value]) => value !== void 0);
  return kept.length === 0 ? void 0 : Object.fromEntries(kept);
};
var metaOf = ({ metas }, name) => metas.find(({ attributes }) => attributes.name?.toLowerCase() === name)?.attributes.content;
var colorful = (color) => color !== void 0 && isColorful(color) ? color : void 0;
var schemeOf = (tree, { html, body }, background) => {
  if (background !== void 0) return luminance(background) < 0.2 ? "dark" : "light";
  const said = body.colorScheme ?? html.colorScheme ?? metaOf(tree, "color-scheme")?.toLowerCase() ?? "";
  if (/\bdark\b/.test(said) && !/\blight\b/.test(said)) return "dark";
  const { class: classes = "", "data-theme": theme = "" } = tree.html?.attributes ?? {};
  return /(?:^|\s)dark(?:$|\s)/.test(`${classes} ${theme}`) ? "dark" : "light";
};
var baseUnitOf = (variables, spaces, base) => {
  for (const name of ["--spacing", "--space", "--spacing-unit", "--space-unit", "--base-unit", "--grid-unit"]) {
    const value = variables.get(name);
    const pixels = value === void 0 ? void 0 : toPixels(substitute(value, (each) => variables.get(each)) ?? "", base);
    if (pixels !== void 0 && pixels >= 2 && pixels <= 32 && Number.isInteger(pixels)) return pixels;
  }
  const whole = spaces.filter(Number.isInteger);
  if (whole.length < 4) return void 0;
  return [8, 4, 5, 6].find((unit) => whole.filter((space) => space % unit === 0).length >= whole.length * 0.8);
};
var weightsOf = (weights) => {
  const among = (least, most) => weights.find((weight) => weight >= least && weight <= most);
  return defined({
    light: among(100, 300),
    regular: among(350, 400),
    medium: among(500, 500),
    bold: weights.includes(700) ? 700 : among(600, 900)
  });
};
var isSeen = ({ background }) => background !== void 0;
var buttonsOf = (looks) => {
  const primary = looks.find(({ background }) => colorful(background) !== void 0) ?? looks.find(isSeen);
  const secondary = looks.find(
    (each) => each !== primary && each.background !== primary?.background && (isSeen(each) || each.borderColor !== void 0)
  );
  return { primary, secondary };
};
var draw = (samples, sheets) => {
  const { body, buttons, code, h1, h2, h3, html, input, link } = samples;
  const elements = [html, body, h1, h2, h3, link, code, input, ...buttons];
  const styles = cascade(
    sheets.flatMap(({ rules }) => rules),
    elements
  );
  const variables = variablesOf(styles, html, body);
  const pixelsOf = (element, base2) => {
    const size = looksOf(styles.get(element) ?? /* @__PURE__ */ new Map(), variables, base2).fontSize;
    return size === void 0 ? void 0 : toPixels(size, base2);
  };
  const root = pixelsOf(html, { root: 16, body: 16 }) ?? 16;
  const base = { root, body: pixelsOf(body, { root, body: root }) ?? root };
  const drawn = new Map(
    elements.map((element) => [element, looksOf(styles.get(element) ?? /* @__PURE__ */ new Map(), variables, base)])
  );
  return { looks: (element) => drawn.get(element) ?? looksOf(/* @__PURE__ */ new Map(), variables, base), variables, base };
};
var brandOf = ({ tree, urls }, sheets) => {
  const samples = samplesOf(tree);
  const { base, looks, variables } = draw(samples, sheets);
  const html = looks(samples.html);
  const body = looks(samples.body);
  const [h1, h2, h3] = [looks(samples.h1), looks(samples.h2), looks(samples.h3)];
  const [link, code, input] = [looks(samples.link), looks(samples.code), looks(samples.input)];
  const buttons = buttonsOf(samples.buttons.map(looks));
  const theme = toHex(parseColor(metaOf(tree, "theme-color") ?? ""));
  const named2 = (name) => colorNamed(variables, name);
  const background = body.background ?? html.background ?? named2("background");
  const textPrimary = body.color ?? html.color ?? named2("textPrimary");
  const linkColor = link.color ?? named2("link");
  const colors = defined({
    primary: named2("primary") ?? colorful(buttons.primary?.background) ?? colorful(theme) ?? colorful(linkColor),
    secondary: named2("secondary") ?? colorful(buttons.secondary?.background),
    accent: named2("accent"),
    background,
    textPrimary,
    textSecondary: named2("textSecondary"),
    link: linkColor,
    success: named2("success"),
    warning: named2("warning"),
    error: named2("error")
  });
  const primaryFont = body.fontFamily ?? html.fontFamily;
  const headingFont = h1.fontFamily ?? h2.fontFamily;
  const faces = sheets.flatMap(({ fontFaces }) => fontFaces);
  const used = [primaryFont, headingFont, code.fontFamily].filter((family) => family !== void 0);
  const families = [.../* @__PURE__ */ new Set([...used, ...faces.flatMap(({ family }) => familyOf(family) ?? [])])].slice(0, 12);
  const weights = [body, h1, h2, h3, link, ...buttons.primary === void 0 ? [] : [buttons.primary]].flatMap(
    ({ fontWeight }) => fontWeight ?? []
  );
  const faceWeights = faces.flatMap(({ weight }) => /^\d+$/.test(weight ?? "") ? [Number(weight)] : []);
  const { favicon, logo, ogImage } = imagesOf(tree, urls);
  const spaces = [body, h1, h2, h3, input, ...samples.buttons.map(looks)].flatMap((each) => each.spaces);
  const { primary, secondary } = buttons;
  return {
    colorScheme: schemeOf(tree, { html, body }, background),
    ...defined({
      logo,
      colors,
      fonts: families.length === 0 ? void 0 : families.map((family) => ({ family })),
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
        buttonPrimary: primary && defined({ background: primary.background, textColor: primary.color, borderRadius: primary.borderRadius }),
        buttonSecondary: secondary && defined({
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
  };
};
var maxDepth2 = 6;
var logoIn = (value, depth = 0) => {
  if (typeof value !== "object" || value === null || depth > maxDepth2) return void 0;
  if ("logo" in value) {
    const { logo } = value;
    if (typeof logo === "string") return logo;
    if (typeof logo === "object" && logo !== null && "url" in logo && typeof logo.url === "string") return logo.url;
  }
  for (const inner of Object.values(value).slice(0, 200)) {
    const found = logoIn(inner, depth + 1);
    if (found !== void 0) return found;
  }
  return void 0;
};
var namedLogo = ({ dated }) => {
  for (const value of linkedData(dated, '"logo"')) {
    const found = logoIn(value);
    if (found !== void 0) return found;
  }
  return void 0;
};
var around = (element, most) => {
  const found = [];
  for (let each = element.parent; each !== void 0 && found.length < most; each = each.parent) found.push(each);
  return found;
};
var labelOf = ({ attributes }) => `${attributes.class ?? ""} ${attributes.id ?? ""} ${attributes["aria-label"] ?? ""}`;
var weigh = (image) => {
  const { alt = "", src = "" } = image.attributes;
  const parents = around(image, 12);
  const near = parents.slice(0, 3);
  const home = near.find(({ name }) => name === "a")?.attributes.href;
  return (/\blogo/i.test(`${labelOf(image)} ${alt}`) || /logo/i.test(src.slice(-200)) ? 4 : 0) + (near.some((element) => /logo|brand/i.test(labelOf(element))) ? 3 : 0) + (parents.some(({ name }) => name === "header" || name === "nav") ? 2 : 0) + (home !== void 0 && /^(?:\/|https?:\/\/[^/]+\/?|\.\/)$/.test(home) ? 2 : 0) - (parents.some(({ name }) => name === "footer" || name === "main" || name === "article") ? 3 : 0);
};
var logoImage = ({ images }) => {
  const best = images.slice(0, 300).map((element, at) => ({ element, weight: weigh(element) - at / 1e3 })).sort((one, other) => other.weight - one.weight)[0];
  return best === void 0 || best.weight < 3.5 ? void 0 : best.element;
};
var relationOf = ({ relations }, name) => relations.find(({ attributes }) => (attributes.rel ?? "").toLowerCase().split(/\s+/).includes(name))?.attributes.href;
var propertyOf = ({ metas }, name) => metas.find(({ attributes }) => (attributes.property ?? attributes.name)?.toLowerCase() === name)?.attributes.content;
var imagesOf = (tree, urls) => {
  const image = logoImage(tree);
  const resolve = (href) => href === void 0 ? void 0 : urls.resolve(href);
  const shown = image === void 0 ? void 0 : urls.image(image);
  const logo = shown !== void 0 && /^https?:/.test(shown) ? shown : resolve(propertyOf(tree, "og:logo") ?? namedLogo(tree));
  return {
    logo,
    favicon: resolve(relationOf(tree, "icon") ?? relationOf(tree, "apple-touch-icon")),
    ogImage: resolve(propertyOf(tree, "og:image") ?? propertyOf(tree, "twitter:image"))
  };
};
export {
  brandOf,
  imagesOf
};
