import { MEBIBYTE } from '@campus/engine/base/mebibyte'
import { unprocessable } from '@campus/engine/errors'
import { changeProfilePicture } from '../../school/domain/accounts/profile-picture.ts'
import type { Crop } from '../../services/attachments/picture-reader.ts'
import { type StoredPicture, storeProfilePicture } from '../../services/attachments/profile-pictures.ts'
import { inTransaction } from '../actor.ts'
import { avatar } from '../avatar.ts'
import { buttonForm, csrfField, errorSummary, fileField } from '../fields.ts'
import { html, say } from '../html.ts'
import { type Form, formAction, formPage, type PersonPageContext, pageContent, redirectTo } from '../page.ts'
import { CROPPER_STYLESHEET_URL } from '../scripts.ts'

const PATH = '/profile/picture'

export const profilePicture = [
  ...formPage({
    path: PATH,
    access: 'signed-in',
    fileField: 'picture',
    show: (context, state) =>
      pageContent(
        say('My picture'),
        html`
      ${errorSummary(state.errors, { picture: say('Picture') })}
      <p class="person-line">${avatar(context.person, 'large')} <span>${say('It stands wherever the school names you, and applications get it with your profile.')}</span></p>
      <form method="post" action="${PATH}" enctype="multipart/form-data">
        ${csrfField(context)}
        ${fileField(state, {
          name: 'picture',
          label: say('Picture'),
          hint: say(
            'PNG, JPEG, GIF or WebP, {megabytes, number} MB at most. It is cut to a square, and what a camera wrote into it is removed.',
            {
              megabytes: Math.floor(context.dependencies.config.uploadLimits.image / MEBIBYTE),
            },
          ),
          accept: 'image/png,image/jpeg,image/gif,image/webp',
          crops: true,
        })}
        <div class="crop" hidden><img data-cropped alt="${say('The picture, with the square that will be shown')}"></div>
        ${['left', 'top', 'side'].map((name) => html`<input type="hidden" name="${name}">`)}
        <div class="actions"><button>${say('Use this picture')}</button></div>
      </form>
      ${context.person.image === null ? '' : buttonForm(context, `${PATH}/remove`, say('Remove my picture'), { kind: 'second' })}`,
        {
          isNarrow: true,
          scripts: ['crop'],
          stylesheets: [CROPPER_STYLESHEET_URL],
          imageSources: ['blob:'],
          trail: [{ path: profileOf(context), label: context.person.displayname }],
        },
      ),
    async submit(context, form) {
      const upload = form.file('picture')
      if (!upload) throw unprocessable({ picture: ['must be chosen'] })
      const { database, store, staging, clock, limits } = context.dependencies
      await limits.spendPicture(context.person.id)
      const dependencies = { database, store, staging, now: clock.now() }
      await change(context, await storeProfilePicture(dependencies, context.person.id, upload, cropIn(form)))
      return redirectTo(profileOf(context), { notice: say('Your picture is changed.') })
    },
  }),
  ...formAction({
    path: `${PATH}/remove`,
    access: 'signed-in',
    async submit(context) {
      await change(context, undefined)
      return redirectTo(profileOf(context), { notice: say('Your picture is removed.') })
    },
  }),
]

const change = (context: PersonPageContext, picture: StoredPicture | undefined) =>
  inTransaction(context, (tx, by) => changeProfilePicture(tx, { userId: context.person.id, picture, ...by }))

const profileOf = ({ person }: PersonPageContext) => `/people/${encodeURIComponent(person.login)}`

function cropIn(form: Form): Crop | undefined {
  const [left, top, side] = ['left', 'top', 'side'].map((name) => numberIn(form.text(name)))
  return left === undefined || top === undefined || side === undefined ? undefined : { left, top, side }
}

const numberIn = (text: string) => (/^\d{1,6}$/.test(text) ? Number(text) : undefined)
