import type { MailTexts, Words } from './mail-texts.ts'

const letter = ({ name, service }: Words, ...paragraphs: readonly string[]) =>
  [`Bonjour ${name},`, ...paragraphs, `Campus Intranet\n${service}`].join('\n\n')

/** Mails in French. */
export const FRENCH: MailTexts = {
  reset_link: (words) => ({
    subject: 'Choisir un autre mot de passe',
    text: letter(
      words,
      `avec ce lien, vous choisissez un autre mot de passe pour votre compte ${words.login}. Il sert une seule fois, jusqu’au ${words.until} :`,
      `${words.link}`,
      'Si vous ne l’avez pas demandé, il n’y a rien à faire : votre mot de passe reste le même.',
    ),
  }),
  new_sign_in: (words) => ({
    subject: 'Nouvelle connexion à votre compte',
    text: letter(
      words,
      `quelqu’un s’est connecté à votre compte ${words.login} avec un navigateur inconnu :`,
      `${words.browser}, depuis ${words.address}, ${words.at}`,
      `Si ce n’était pas vous, changez de mot de passe et terminez les autres sessions : ${words.service}/security`,
    ),
  }),
  secret_ending: (words) => ({
    subject: `L’ancien secret de « ${words.application} » prend fin`,
    text: letter(
      words,
      `le secret de votre application « ${words.application} » a été changé ; l’ancien est accepté jusqu’au ${words.until}.`,
      `Un programme qui l’utilise encore n’obtiendra plus de jetons. Donnez-lui le nouveau secret, ou créez-en un autre : ${words.link}`,
    ),
  }),
  endpoint_switched_off: (words) => ({
    subject: 'Un service web a été désactivé',
    text: letter(
      words,
      `le service web ${words.url} ne reçoit plus d’appels : ${words.because}.`,
      `Les comptes qui changent désormais ne lui sont plus annoncés. Voyez ses réponses, et réactivez-le quand il fonctionne : ${words.link}`,
    ),
  }),
}
