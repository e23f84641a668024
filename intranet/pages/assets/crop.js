// Lets people choose the square of a picture before they send it; without scripts it is the square around its middle.
import Cropper from 'cropperjs'

/** @type {HTMLInputElement | null} */
const file = document.querySelector('input[type=file][data-crops]')
/** @type {HTMLImageElement | null} */
const shown = document.querySelector('[data-cropped]')
/** @type {Cropper | undefined} */
let cropper

file?.addEventListener('change', () => {
  const [chosen] = file.files ?? []
  cropper?.destroy()
  cropper = undefined
  if (!shown?.parentElement) return
  URL.revokeObjectURL(shown.src)
  shown.parentElement.hidden = !chosen
  if (!chosen) return
  shown.src = URL.createObjectURL(chosen)
  // A browser turns a picture as its camera was held, and the server does, too.
  cropper = new Cropper(shown, { aspectRatio: 1, viewMode: 1, autoCropArea: 1, checkOrientation: false, crop: note })
})

/** @param {{ detail: { x: number, y: number, width: number } }} event */
function note({ detail: { x, y, width } }) {
  for (const [name, value] of Object.entries({ left: x, top: y, side: width })) {
    /** @type {HTMLInputElement | null} */
    const field = document.querySelector(`input[name=${name}]`)
    if (field) field.value = String(Math.round(value))
  }
}
