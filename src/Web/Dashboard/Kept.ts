/** What the browser keeps for these pages: for their origin alone, port included. */

/*
 * Not in cookies: browsers bring those to every port of a name, and so to other programs of this machine. Where a browser is
 * told to keep nothing, what is kept lasts until the page is loaded anew.
 */
const storage = navigator.cookieEnabled ? localStorage : undefined

export const kept = (name: string): string | undefined => storage?.getItem(name) ?? undefined

export const keep = (name: string, value: string): void => storage?.setItem(name, value)
