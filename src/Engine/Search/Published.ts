/** When a page or file says that it was published, as far as that can be read. */
export const publishedOf = (metadata: Readonly<Record<string, unknown>>): Date | undefined => {
  const { publishedTime } = metadata
  return typeof publishedTime === "string" && !Number.isNaN(Date.parse(publishedTime))
    ? new Date(publishedTime)
    : undefined
}
