// Lets people crop a picture to a square before they send it. Without scripts the server uses the middle.
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
  // Browsers and the server both apply the orientation of the camera.
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
