/** The colours that a site has given names. */
import { type Style, substitute } from "./Cascade.ts"
import { parseColor, toHex } from "./Color.ts"

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

export type ColorName = keyof typeof colorVariables

/** The first of the names that a colour is kept under. */
export const colorNamed = (variables: Style, color: ColorName): string | undefined => {
  for (const name of colorVariables[color]) {
    const value = variables.get(`--${name}`)
    const put = value === undefined ? undefined : substitute(value, (each) => variables.get(each))
    const found = put === undefined ? undefined : toHex(parseColor(put))
    if (found !== undefined) return found
  }
  return undefined
}
