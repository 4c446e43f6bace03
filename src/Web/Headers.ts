/** The headers of pages: nothing from elsewhere, nothing kept, nothing told on. */

/** Only what comes from here, nothing written into the page, and the page within no other. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

const common = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()"
}

export const ofPage: Readonly<Record<string, string>> = { ...common, "content-security-policy": policy }

/** A page whose scripts never make markup of a text. */
export const ofTrustedPage: Readonly<Record<string, string>> = {
  ...common,
  "content-security-policy": `${policy}; require-trusted-types-for 'script'`
}

/** Data is no page: it may do nothing at all. */
export const ofData: Readonly<Record<string, string>> = {
  ...common,
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'"
}
