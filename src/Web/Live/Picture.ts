/** The picture of the page: drawn as it comes, as large as there is room for. */
import { find, get } from "./Dom.ts"
import { header } from "./Protocol.ts"

export interface Place {
  readonly x: number
  readonly y: number
}

export interface Picture {
  readonly draw: (bytes: ArrayBuffer) => void
  /** Where in the page a point of the window is. */
  readonly locate: (event: { readonly clientX: number; readonly clientY: number }) => Place
  /** The room that it has, in pixels of the window. */
  readonly room: () => { readonly width: number; readonly height: number }
  readonly onRoom: (then: () => void) => void
}

/** A small page is shown a little larger than it is, where there is room. */
const largest = 1.5

const visible = (): Promise<unknown> =>
  document.visibilityState === "visible"
    ? Promise.resolve()
    : new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }))

export const make = (seen: (frame: number) => void): Picture => {
  const canvas = get<HTMLCanvasElement>("picture")
  const stage = get("stage")
  const context = canvas.getContext("2d", { alpha: false })
  let page = { width: canvas.width, height: canvas.height }
  let arrived = 0
  let drawn = 0

  const resize = () => {
    const scale = Math.min(stage.clientWidth / page.width, stage.clientHeight / page.height, largest)
    const [width, height] = [Math.round(page.width * scale), Math.round(page.height * scale)]
    canvas.style.width = `${width}px`
    canvas.style.height = `${height}px`
  }
  new ResizeObserver(resize).observe(stage)
  resize()

  const show = (image: ImageBitmap, width: number, height: number) => {
    if (canvas.width !== image.width || canvas.height !== image.height) {
      canvas.width = image.width
      canvas.height = image.height
    }
    context?.drawImage(image, 0, 0)
    if (page.width === width && page.height === height) return
    page = { width, height }
    resize()
  }

  const draw = (bytes: ArrayBuffer) => {
    const view = new DataView(bytes)
    const turn = ++arrived
    createImageBitmap(new Blob([new Uint8Array(bytes, header.bytes)], { type: "image/jpeg" }))
      .then((image) => {
        // Of two that were read at once the older may be ready last.
        if (turn > drawn) {
          drawn = turn
          show(image, view.getUint16(header.width), view.getUint16(header.height))
          document.body.dataset.picture = String(turn)
          find("waiting")?.remove()
        }
        image.close()
      })
      .catch(() => undefined)
      // Nobody looks at a page that is hidden: no more is asked for until it is shown.
      .then(visible)
      .then(() => seen(view.getUint32(header.number)))
  }

  return {
    draw,
    locate: ({ clientX, clientY }) => {
      const { height, left, top, width } = canvas.getBoundingClientRect()
      const [x, y] = [((clientX - left) / width) * page.width, ((clientY - top) / height) * page.height]
      return { x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 }
    },
    room: () => ({ width: stage.clientWidth, height: stage.clientHeight }),
    onRoom: (then) => new ResizeObserver(then).observe(stage)
  }
}
