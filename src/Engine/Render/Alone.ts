/** Makes a browser's first context, which alone sees what is kept in it and takes no options, like a new one. */
import type { BrowserContextOptions, CDPSession, Page } from "playwright-core"

/** Pages find no way to leave a program behind that answers for the site. */
const noServiceWorkers = `if (navigator.serviceWorker) navigator.serviceWorker.register = () => Promise.resolve()`

/** What is to be done before the page goes anywhere, in this order. */
export const steps = (
  page: Page,
  cdp: CDPSession,
  { deviceScaleFactor = 1, extraHTTPHeaders, hasTouch, ignoreHTTPSErrors, isMobile, ...options }: BrowserContextOptions
): ReadonlyArray<() => Promise<unknown>> => {
  const { locale, userAgent = "" } = options
  const viewport = options.viewport ?? { width: 1280, height: 800 }
  return [
    () => page.setViewportSize(viewport),
    () =>
      isMobile === true
        ? cdp.send("Emulation.setDeviceMetricsOverride", { ...viewport, deviceScaleFactor, mobile: true })
        : Promise.resolve(),
    () => cdp.send("Emulation.setTouchEmulationEnabled", { enabled: hasTouch === true }),
    () =>
      cdp.send("Emulation.setUserAgentOverride", {
        userAgent,
        ...(locale === undefined ? {} : { acceptLanguage: locale })
      }),
    () => cdp.send("Emulation.setLocaleOverride", locale === undefined ? {} : { locale }),
    () => page.setExtraHTTPHeaders(extraHTTPHeaders ?? {}),
    () => cdp.send("Security.setIgnoreCertificateErrors", { ignore: ignoreHTTPSErrors === true }),
    () => cdp.send("Network.setBypassServiceWorker", { bypass: true }),
    () => page.addInitScript(noServiceWorkers),
    () => cdp.send("Page.setDownloadBehavior", { behavior: "deny" })
  ]
}
