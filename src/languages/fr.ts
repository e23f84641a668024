import type { LanguageFile } from './language-file.ts'

/** French, with the words of its schools: « piscine », « correction », « créneau »; no-break spaces as its typography wants them. */
export const FRENCH: LanguageFile = {
  name: 'Français',
  locale: 'fr-FR',
  texts: {
    // The frame
    Main: 'Navigation principale',
    Menu: 'Menu',
    'Close the menu': 'Fermer le menu',
    'Sign in': 'Se connecter',
    'Account of {name}': 'Compte de {name}',
    'Sign out': 'Se déconnecter',
    'Skip to the content': 'Aller au contenu',
    Breadcrumb: 'Fil d’Ariane',
    Home: 'Accueil',
    'API reference': 'Référence de l’API',
    'Description of the API (OpenAPI)': 'Description de l’API (OpenAPI)',
    'OAuth server metadata': 'Métadonnées du serveur OAuth',
    Language: 'Langue',
    School: 'École',
    Developers: 'Développeurs',
    Staff: 'Staff',
    Account: 'Compte',
    Pages: 'Pages',
    'Previous page': 'Page précédente',
    'Page {page, number}': 'Page {page, number}',
    'Next page': 'Page suivante',
    Search: 'Rechercher',
    'The same as a table': 'Les mêmes chiffres en tableau',
    'This could not be done:': 'Cela n’a pas pu être fait :',
    '{field}: {fault}': '{field} : {fault}',
    '{kind}: {reason}': '{kind} : {reason}',
    '“{name}”': '« {name} »',

    // Failures
    'Not allowed': 'Accès refusé',
    'Page not found': 'Page introuvable',
    'Too many attempts': 'Trop de tentatives',
    'Something went wrong': 'Une erreur est survenue',
    'Not available right now': 'Indisponible pour le moment',
    'This form was refused': 'Ce formulaire a été refusé',
    'This cannot be done': 'Cela n’est pas possible',
    "The request's id: {id}": 'Identifiant de la requête : {id}',
    'Go to Home': 'Aller à l’accueil',

    // Charts of calls
    Refused: 'Refusés',
    'refused: over the rate, or without the right': 'refusés : débit dépassé ou droit manquant',
    Answered: 'Répondus',
    answered: 'répondus',
    'No calls in the last {hours, plural, one {hour} other {# hours}}.':
      'Aucun appel au cours {hours, plural, one {de la dernière heure} other {des # dernières heures}}.',
    '{made, plural, one {# call} other {# calls}} in the last {hours, plural, one {hour} other {# hours}}, {refused, number} of them refused':
      '{made, plural, one {# appel} other {# appels}} au cours {hours, plural, one {de la dernière heure} other {des # dernières heures}}, dont {refused, plural, one {# refusé} other {# refusés}}',
    Hour: 'Heure',
    Day: 'Jour',

    // What happened
    'Account closed: {reason}': 'Compte fermé : {reason}',
    'Account closed': 'Compte fermé',
    'Account opened': 'Compte ouvert',
    'Account opened again': 'Compte rouvert',
    'Made an alumnus': 'Devenu alumni',
    'No alumnus any more': 'N’est plus alumni',
    'An application': 'Une application',
    '{application} changed: {fields}': '{application} : modification de {fields}',
    '{application} registered': '{application} : enregistrement',
    'The application {name} deleted': 'Application {name} supprimée',
    '{application} refused': '{application} : autorisation refusée',
    '{application} allowed: {scopes}': '{application} : autorisation donnée pour {scopes}',
    '{application} allowed': '{application} : autorisation donnée',
    '{application} may no longer act for you': '{application} ne peut plus agir en votre nom',
    '{calls} to {url} replayed': '{calls} vers {url} : renvoi demandé',
    'The webservice {url} switched off': 'Webservice {url} désactivé',
    'The webservice {url} switched on': 'Webservice {url} activé',
    'Password changed': 'Mot de passe changé',
    'Password chosen anew through a link': 'Nouveau mot de passe choisi à l’aide d’un lien',
    'A recovery code used; {left} left': 'Un code de secours utilisé ; il en reste {left}',
    'New recovery codes made': 'Nouveaux codes de secours créés',
    'Link to choose another password created': 'Lien pour choisir un autre mot de passe créé',
    'Account of the school matched with this one': 'Compte de l’école associé à celui-ci',
    'Second factor switched off': 'Second facteur désactivé',
    'Second factor switched on': 'Second facteur activé',
    'New secret for {application}; the former one ended':
      '{application} : nouveau secret ; l’ancien n’est plus valable',
    'New secret for {application}; the former one works for {days, plural, one {# day} other {# days}}':
      '{application} : nouveau secret ; l’ancien reste valable {days, plural, one {# jour} other {# jours}}',
    'Signed out in another browser': 'Déconnexion dans un autre navigateur',
    'Sign-in refused after too many attempts': 'Connexion refusée après trop de tentatives',
    'Signed in with {by}': 'Connexion avec {by}',
    'Signed in': 'Connexion',
    'Signed out': 'Déconnexion',
    'Nothing yet.': 'Rien pour l’instant.',
    'from {address}': 'depuis {address}',
    'by {name}': 'par {name}',
    'on the command line': 'en ligne de commande',
    'for {name}': 'pour {name}',
    'Rates of {application} set to {second} a second, {hour} an hour':
      '{application} : débits fixés à {second} par seconde et {hour} par heure',
    'Rates of {application} set to {second} a second': '{application} : débit fixé à {second} par seconde',
    'Rates of {application} set to {hour} an hour': '{application} : débit fixé à {hour} par heure',
    'Rates of {application} follow its roles again': '{application} : les débits suivent à nouveau les rôles',
    'Roles of {application}: given {granted}; taken {taken}':
      '{application} : rôles donnés : {granted} ; retirés : {taken}',
    'Roles of {application}: given {granted}': '{application} : rôles donnés : {granted}',
    'Roles of {application}: taken {taken}': '{application} : rôles retirés : {taken}',

    // Home
    'Welcome, {name}': 'Bienvenue, {name}',
    'Your own': 'Pour vous',
    "The service behind the school's intranet: its people, campuses, cursus, projects, evaluations and events, kept in one place and served to programs over a REST API with OAuth 2.0.":
      'Le service derrière l’intranet de l’école : ses membres, campus, cursus, projets, corrections et événements, réunis en un seul endroit et servis aux programmes par une API REST avec OAuth 2.0.',
    'Read the API reference': 'Lire la référence de l’API',
    'The school': 'L’école',
    '{count, plural, one {person} other {people}}': '{count, plural, one {personne} other {personnes}}',
    '{count, plural, one {campus} other {campuses}}': '{count, plural, other {campus}}',
    'logged in now': 'actuellement en ligne',
    'How to get a token': 'Comment obtenir un jeton',
    '{register} once you are signed in. Its id and secret are shown once.':
      '{register} une fois que vous êtes connecté. Son identifiant et son secret ne sont affichés qu’une fois.',
    'Register an application': 'Enregistrer une application',
    'Exchange them for a token:': 'Les échanger contre un jeton :',
    'Call the API with it:': 'Appeler l’API avec celui-ci :',
    "The API's address is {address}. {description} has every address, parameter and field.":
      'L’adresse de l’API est {address}. {description} contient chaque adresse, paramètre et champ.',
    'Its description (OpenAPI)': 'Sa description (OpenAPI)',
    'Your applications': 'Vos applications',
    'Your projects': 'Vos projets',
    'You work on none at present.': 'Vous ne travaillez sur aucun projet en ce moment.',
    'since {time}': 'depuis le {time}',
    'Evaluations to come': 'Corrections à venir',
    'There are none.': 'Il n’y en a pas.',
    'you evaluate': 'vous corrigez',
    'you are evaluated': 'vous êtes corrigé',
    'Slots you offer': 'Vos créneaux',
    'You offer none.': 'Vous n’en proposez pas.',
    booked: 'réservé',
    free: 'libre',
    'Events to come': 'Événements à venir',
    'You are registered for none.': 'Vous n’êtes inscrit à aucun.',
    'waiting for a place': 'en liste d’attente',
    registered: 'inscrit',
    'You have not registered any yet.': 'Vous n’en avez encore enregistré aucune.',
    '{count, number} refused': '{count, plural, one {# refusé} other {# refusés}}',
    '{calls, plural, one {# call} other {# calls}} in a day':
      '{calls, plural, one {# appel} other {# appels}} en un jour',
    '{left, number} of {rate, number} left in this hour': 'encore {left, number} sur {rate, number} cette heure-ci',
    'At a glance': 'En bref',
    'calls today': 'appels aujourd’hui',
    '{begun, number} of {all, number}': '{begun, number} sur {all, number}',
    'evaluations of today begun': 'corrections du jour commencées',
    'webhooks waiting': 'webhooks en attente',
    'Logged in now': 'Actuellement en ligne',
    'Nobody is.': 'Personne.',
    'Newest closes': 'Dernières fermetures de comptes',
    'No account was closed.': 'Aucun compte n’a été fermé.',
    stands: 'en vigueur',
    lifted: 'levée',
    'Logins of the week': 'Connexions de la semaine',
    'Calls of the week': 'Appels de la semaine',
    '{logins, plural, one {# login} other {# logins}} in the last {days, number} days, by the hour':
      '{logins, plural, one {# connexion} other {# connexions}} au cours des {days, number} derniers jours, par heure',
    'No calls in the last {days, number} days.': 'Aucun appel au cours des {days, number} derniers jours.',
    '{made, plural, one {# call} other {# calls}} in the last {days, number} days, {share, number} % of them refused':
      '{made, plural, one {# appel} other {# appels}} au cours des {days, number} derniers jours, dont {share, number} % refusés',
    'Endpoint {id}': 'Webservice {id}',
    'The webservice of {campuses} was given up: its campuses get no webhooks until somebody switches it on.':
      'Le webservice de {campuses} a été abandonné : ses campus ne reçoivent plus de webhooks tant que personne ne le réactive.',
    'The webservice of {campuses} answers with nothing but failures.':
      'Le webservice de {campuses} ne répond que par des échecs.',
    'Of the webservice of {campuses}, {count, plural, one {# delivery} other {# deliveries}} may be replayed.':
      'Pour le webservice de {campuses}, {count, plural, one {# envoi peut être rejoué} other {# envois peuvent être rejoués}}.',
    'All well': 'Tout va bien',
    'Nothing waits for a decision.': 'Rien n’attend de décision.',
    'Needs a decision': 'En attente d’une décision',

    // Projects
    'creating group': 'groupe en cours de création',
    'searching a group': 'en recherche de groupe',
    'in progress': 'en cours',
    'waiting for correction': 'en attente de correction',
    finished: 'terminé',
    parent: 'projet parent',

    // Signing in
    'Login or e-mail address': 'Login ou adresse e-mail',
    'Forgot your password?': 'Mot de passe oublié ?',
    'We send you a link with which you choose another one. It goes to the e-mail address of your account.':
      'Nous vous envoyons un lien pour en choisir un autre, à l’adresse e-mail de votre compte.',
    'Send the link': 'Envoyer le lien',
    'If there is such an account, a link is on its way to its e-mail address.':
      'Si ce compte existe, un lien est en route vers son adresse e-mail.',
    'Choose a password': 'Choisir un mot de passe',
    'For the account {login}.': 'Pour le compte {login}.',
    'Set the password': 'Enregistrer le mot de passe',
    'The password is set. Sign in with it.': 'Le mot de passe est enregistré. Connectez-vous avec celui-ci.',
    'On to your school': 'Vers votre école',
    Continue: 'Continuer',
    'Signing in took too long, or began in another browser. Try again.':
      'La connexion a pris trop de temps ou a commencé dans un autre navigateur. Réessayez.',
    'You are not signed in': 'Vous n’êtes pas connecté',
    'Back to signing in': 'Retour à la connexion',
    'Enter your code': 'Saisissez votre code',
    Code: 'Code',
    'The six digits that your authenticator app shows, or one of your recovery codes.':
      'Les six chiffres affichés par votre application d’authentification, ou l’un de vos codes de secours.',
    'Go on': 'Continuer',
    'Start again': 'Recommencer',
    'You have neither? The staff of your campus can switch the second factor off.':
      'Vous n’avez ni l’un ni l’autre ? Le staff de votre campus peut désactiver le second facteur.',
    Login: 'Login',
    Password: 'Mot de passe',
    'Forgot your password? The staff of your campus gives you a link to choose another one.':
      'Mot de passe oublié ? Le staff de votre campus vous donne un lien pour en choisir un autre.',
    'Sign in with {school}': 'Se connecter avec {school}',
    'You are signed out.': 'Vous êtes déconnecté.',
    'You are signed in': 'Vous êtes connecté',
    'First name': 'Prénom',
    'Last name': 'Nom',
    'E-mail address': 'Adresse e-mail',
    'Welcome to your campus': 'Bienvenue sur votre campus',
    "Your school is empty. Open the first account: it sees the staff's pages, and registers applications.":
      'Votre école est vide. Ouvrez le premier compte : il voit les pages du staff et enregistre des applications.',
    'Made from the names where it is empty.': 'S’il est vide, il est composé à partir des noms.',
    'Open the account': 'Ouvrir le compte',
    'Your login is {login}. Sign in with it.': 'Votre login est {login}. Connectez-vous avec celui-ci.',

    // Security
    'Sessions and security': 'Sessions et sécurité',
    'New password': 'Nouveau mot de passe',
    'New password, once more': 'Nouveau mot de passe, une seconde fois',
    'At least 8 characters. A few words that do not belong together are easy to remember.':
      'Au moins 8 caractères. Quelques mots sans rapport entre eux se retiennent facilement.',
    'Change the password': 'Changer le mot de passe',
    'Current password': 'Mot de passe actuel',
    'Applications that act for you': 'Applications qui agissent en votre nom',
    'Keep my applications signed in': 'Garder mes applications connectées',
    'Otherwise each asks you again. Leave it off where somebody else may know your password.':
      'Sinon, chacune vous redemandera votre accord. Ne cochez pas si quelqu’un d’autre connaît peut-être votre mot de passe.',
    'Leave it as it is': 'Le laisser tel quel',
    'You will be signed out everywhere but here.': 'Vous serez déconnecté partout sauf ici.',
    'The password is changed, and you are signed out everywhere but here.':
      'Le mot de passe est changé et vous êtes déconnecté partout sauf ici.',
    'The password is changed, and you are signed out everywhere but here. Applications ask you again before they act for you.':
      'Le mot de passe est changé et vous êtes déconnecté partout sauf ici. Les applications vous redemanderont votre accord avant d’agir en votre nom.',
    'Second factor': 'Second facteur',
    'On since {time}: signing in asks for a code of your authenticator app too.':
      'Activé depuis le {time} : la connexion demande aussi un code de votre application d’authentification.',
    'Off. With it, signing in asks for a code of an authenticator app on your phone too, so that your password alone opens nothing.':
      'Désactivé. Avec lui, la connexion demande aussi un code d’une application d’authentification sur votre téléphone : votre mot de passe seul n’ouvre alors plus rien.',
    'Change the second factor': 'Modifier le second facteur',
    'Set up a second factor': 'Configurer un second facteur',
    'You need an authenticator app on your phone: any that knows time-based codes (TOTP) will do.':
      'Il vous faut une application d’authentification sur votre téléphone : toutes celles qui connaissent les codes temporels (TOTP) conviennent.',
    'Back to Sessions and security': 'Retour à Sessions et sécurité',
    'So that nobody sets one up on a browser that you left open.':
      'Pour que personne n’en configure un sur un navigateur que vous auriez laissé ouvert.',
    Begin: 'Commencer',
    'You signed in some time ago. Sign in again, so that nobody sets one up on a browser that you left open.':
      'Votre connexion date d’un moment. Connectez-vous à nouveau, pour que personne n’en configure un sur un navigateur que vous auriez laissé ouvert.',
    'Sign in again': 'Se connecter à nouveau',
    '{count, plural, one {# recovery code is left.} other {# recovery codes are left.}}':
      '{count, plural, one {Il reste # code de secours.} other {Il reste # codes de secours.}}',
    'It is on.': 'Il est activé.',
    'Make new recovery codes': 'Créer de nouveaux codes de secours',
    'Switch it off': 'Le désactiver',
    'Scan this picture with your authenticator app.': 'Scannez cette image avec votre application d’authentification.',
    'QR code of the secret that stands below as text': 'Code QR du secret qui figure en toutes lettres ci-dessous',
    'Without a camera, type this secret: {secret}': 'Sans caméra, saisissez ce secret : {secret}',
    'Enter the code that it shows.': 'Saisissez le code qu’elle affiche.',
    'The six digits that the app shows now.': 'Les six chiffres que l’application affiche maintenant.',
    'Switch it on': 'L’activer',
    'Not now': 'Plus tard',
    'The second factor is on': 'Le second facteur est activé',
    'Make new codes': 'Créer de nouveaux codes',
    'The former ones end. You see the new ones once.':
      'Les anciens ne seront plus valables. Vous ne verrez les nouveaux qu’une fois.',
    'Your new recovery codes': 'Vos nouveaux codes de secours',
    'Switch the second factor off?': 'Désactiver le second facteur ?',
    'From then on your password alone is enough to sign in.':
      'Votre mot de passe seul suffira alors pour vous connecter.',
    'The second factor is off.': 'Le second facteur est désactivé.',
    'A code of the app, or one of your recovery codes.': 'Un code de l’application, ou l’un de vos codes de secours.',
    Cancel: 'Annuler',
    'Keep these recovery codes.': 'Conservez ces codes de secours.',
    'Each signs you in once when your phone is not there. They are shown this once.':
      'Chacun vous connecte une fois quand vous n’avez pas votre téléphone. Ils ne seront plus affichés.',
    'Where you are signed in': 'Où vous êtes connecté',
    '(this browser)': '(ce navigateur)',
    'Address {address} · signed in {begun} · last used {used}':
      'Adresse {address} · connexion le {begun} · dernière activité le {used}',
    unknown: 'inconnue',
    'Sign out there': 'Y fermer la session',
    'Sign out there: {browser} at {address}': 'Y fermer la session : {browser}, {address}',
    'an unknown address': 'adresse inconnue',
    'Sign out everywhere else': 'Se déconnecter partout ailleurs',
    'What happened lately': 'Activité récente',
    'What you did and what was done to your account. If something here was not you, change the password.':
      'Ce que vous avez fait et ce qui a été fait sur votre compte. Si quelque chose ici ne vient pas de vous, changez de mot de passe.',
    'That browser is signed out.': 'Ce navigateur est déconnecté.',
    'You are signed out everywhere but here.': 'Vous êtes déconnecté partout sauf ici.',
    'A browser': 'Un navigateur',
    '{browser} on {system}': '{browser} sous {system}',

    // Mails
    'Hello {name},': 'Bonjour {name},',
    'Choose another password': 'Choisir un autre mot de passe',
    'with this link you choose another password for your account {login}. It works once, until {until}:':
      'avec ce lien, vous choisissez un autre mot de passe pour votre compte {login}. Il sert une seule fois, jusqu’au {until} :',
    'If it was not you who asked for it, there is nothing to do: your password stays as it is.':
      'Si vous ne l’avez pas demandé, il n’y a rien à faire : votre mot de passe reste le même.',
    'A new sign-in to your account': 'Nouvelle connexion à votre compte',
    'somebody has signed in to your account {login} in a browser that it did not know:':
      'quelqu’un s’est connecté à votre compte {login} avec un navigateur inconnu :',
    '{browser}, from {address}, {at}': '{browser}, depuis {address}, {at}',
    'If it was not you, change your password and end the other sessions: {service}/security':
      'Si ce n’était pas vous, changez de mot de passe et terminez les autres sessions : {service}/security',
    'The former secret of "{application}" ends': 'L’ancien secret de « {application} » prend fin',
    'the secret of your application "{application}" was changed; the former one is accepted until {until}.':
      'le secret de votre application « {application} » a été changé ; l’ancien est accepté jusqu’au {until}.',
    'A program that still uses it gets no tokens from then on. Give it the new secret, or make another one: {link}':
      'Un programme qui l’utilise encore n’obtiendra plus de jetons. Donnez-lui le nouveau secret, ou créez-en un autre : {link}',
    'A webservice was switched off': 'Un webservice a été désactivé',
    'the webservice {url} gets no more calls, since {because}.':
      'le webservice {url} ne reçoit plus d’appels : {because}.',
    'Accounts that change from now on are not told to it. See what it answered, and switch it on again when it works: {link}':
      'Les comptes qui changent désormais ne lui sont plus annoncés. Voyez ses réponses, et réactivez-le quand il fonctionne : {link}',

    // Why accounts are closed
    AGU: 'AGU',
    other: 'autre',
    deserter: 'désertion',
    'black hole': 'black hole',
    'serious misconduct': 'faute grave',
    'social security': 'sécurité sociale',
    'not admitted': 'non admis',
    'pace unknown': 'rythme inconnu',
  },
  told: {
    // Fields
    "can't be blank": 'doit être rempli',
    'is not right': 'n’est pas le bon',
    'is not the same': 'n’est pas identique',
    'has already been taken': 'est déjà pris',
    'cannot be changed': 'ne peut pas être changé',
    'is too long (maximum is {most} characters)': 'est trop long ({most} caractères au plus)',
    'is too long (maximum is {most} bytes)': 'est trop long ({most} octets au plus)',
    'is too short (minimum is {least} characters)': 'est trop court ({least} caractères au moins)',
    'must not contain control characters': 'ne doit pas contenir de caractères de contrôle',
    'must not contain invisible characters, or such as change the direction of writing':
      'ne doit pas contenir de caractères invisibles ni de caractères qui changent le sens de l’écriture',
    'must be among the choices': 'doit faire partie des choix',
    'must be one of the choices': 'doit être l’un des choix',
    'must be one of {choices}': 'doit être l’un de ceux-ci : {choices}',
    'must be a positive whole number': 'doit être un nombre entier positif',
    'must be at most {most}': 'doit être au plus {most}',
    'must be the id of a {table}': 'doit être l’identifiant d’un enregistrement ({table})',
    'must look like name@example.org': 'doit avoir la forme nom@example.org',
    'must be a web address such as https://example.org': 'doit être une adresse web comme https://example.org',
    'must not be before the first day': 'ne doit pas précéder le premier jour',
    'must be 1 to 31 lower-case letters, digits, "-" or "_", the first of them a letter, and not {reserved}':
      'doit comporter 1 à 31 minuscules, chiffres, « - » ou « _ », commencer par une lettre, et ne pas être {reserved}',
    'must be absolute https addresses (http for this machine only){also} without a fragment; "{shown}" is not':
      'doivent être des adresses https absolues (http pour cette machine seulement) sans fragment ; « {shown} » n’en est pas une',
    'must be at least one, since the application has no secret to sign on with by itself':
      'doit en compter au moins une, puisque l’application n’a pas de secret pour se connecter seule',
    'must be ids of roles': 'doivent être des identifiants de rôles',
    'has the unknown {names}; the scopes are {scopes}': 'contient {names}, inconnu ; les scopes sont {scopes}',
    'has the unknown {names}; the roles are {roles}': 'contient {names}, inconnu ; les rôles sont {roles}',
    'was used already; wait for the next one': 'a déjà servi ; attendez le suivant',
    'must be close in a new close': 'doit être « close » pour une nouvelle fermeture',
    'is {state} already': 'est déjà {state}',
    'is pending already': 'est déjà en attente',
    'is switched off; setting its url or active switches it on': 'est désactivé ; fixer son url ou active le réactive',

    // Failures
    'There is no page at this address.': 'Il n’y a pas de page à cette adresse.',
    'This page is for the people who work for the school.':
      'Cette page est réservée à celles et ceux qui travaillent pour l’école.',
    'This form was sent from a page of another site, so nothing was done.':
      'Ce formulaire a été envoyé depuis la page d’un autre site : rien n’a été fait.',
    'This form is no longer valid: you signed in or out since, or cookies are switched off. Nothing was done. Open the page again and repeat it.':
      'Ce formulaire n’est plus valable : vous vous êtes connecté ou déconnecté entre-temps, ou les cookies sont désactivés. Rien n’a été fait. Ouvrez à nouveau la page et recommencez.',
    'The field {name} has a character that is not text.':
      'Le champ {name} contient un caractère qui n’est pas du texte.',
    'There were too many attempts. Try again in {minutes} minute{s}.':
      'Il y a eu trop de tentatives. Réessayez dans {minutes, plural, one {# minute} other {# minutes}}.',
    'Something went wrong on our side. Try again later; the request id helps us to find the cause.':
      'Une erreur est survenue de notre côté. Réessayez plus tard ; l’identifiant de la requête nous aide à en trouver la cause.',
    'The database has no room right now; nothing was kept.':
      'La base de données n’a plus de place pour le moment ; rien n’a été enregistré.',
    'The database cannot be reached right now; please try again.':
      'La base de données est injoignable pour le moment ; veuillez réessayer.',
    'The database cannot take this right now; please try again.':
      'La base de données ne peut pas accepter cela pour le moment ; veuillez réessayer.',
    'The body is larger than this service accepts.': 'Le corps de la requête dépasse ce que ce service accepte.',
    'The body is larger than this service accepts: {most} bytes at most. Files go as multipart/form-data.':
      'Le corps de la requête dépasse ce que ce service accepte : {most, number} octets au plus. Les fichiers s’envoient en multipart/form-data.',
    'The content type is not one of application/json, application/vnd.api+json, application/x-www-form-urlencoded and multipart/form-data.':
      'Le type de contenu n’est ni application/json, ni application/vnd.api+json, ni application/x-www-form-urlencoded, ni multipart/form-data.',
    'At most {most} parameters are accepted in one request.': 'Une requête accepte au plus {most} paramètres.',
    'The parameter {name} is nested more deeply than {most} levels.':
      'Le paramètre {name} est imbriqué sur plus de {most} niveaux.',
    'The parameter text "{text}" is not valid percent-encoding.':
      'Le texte de paramètre « {text} » n’est pas un encodage-pourcent valable.',
    'The parameter {name} is both a list and not one.':
      'Le paramètre {name} est à la fois une liste et une valeur simple.',
    '{method} is not allowed here; allowed: {allow}.': '{method} n’est pas permis ici ; sont permis : {allow}.',
    'There is nothing at {path}.{hint} The routes are listed in /v2/openapi.json.':
      'Il n’y a rien à {path}. Les routes figurent dans /v2/openapi.json.',
    'The content type application/vnd.api+json takes no parameters other than ext and profile: {fault}.':
      'Le type de contenu application/vnd.api+json n’accepte pas d’autres paramètres que ext et profile : {fault}.',
    'Accept takes application/vnd.api+json with no parameters other than ext and profile: {fault}.':
      'Accept prend application/vnd.api+json sans autres paramètres que ext et profile : {fault}.',
    '429 Too Many Requests ({name}): this application may make {rate}. Try again in {wait}.':
      '429 Too Many Requests ({name}) : le débit de cette application est de {rate}. Réessayez dans {wait}.',
    'This needs an access token: send it as "Authorization: Bearer <token>".':
      'Il faut un jeton d’accès : envoyez-le sous la forme « Authorization: Bearer <token> ».',

    // Accounts
    'The login or the password is not right.': 'Le login ou le mot de passe n’est pas le bon.',
    'No user has this login.': 'Personne n’a ce login.',
    'There is no such person.': 'Cette personne n’existe pas.',
    'This account is not closed.': 'Ce compte n’est pas fermé.',
    'You cannot close your own account.': 'Vous ne pouvez pas fermer votre propre compte.',
    'This account is closed, so nobody can sign in to it.': 'Ce compte est fermé : personne ne peut s’y connecter.',
    'This account is closed. Ask the staff of your campus.':
      'Ce compte est fermé. Adressez-vous au staff de votre campus.',
    'This account belongs to somebody else at your school. Ask the staff of your campus.':
      'Ce compte appartient à quelqu’un d’autre dans votre école. Adressez-vous au staff de votre campus.',
    'No account here has the e-mail address that your school has of you.':
      'Aucun compte n’a ici l’adresse e-mail que votre école connaît de vous.',
    'Your school has not verified your e-mail address.': 'Votre école n’a pas vérifié votre adresse e-mail.',
    'People sign in by password here.': 'Ici, la connexion se fait par mot de passe.',
    'This school sends no mail. Its staff give you a link.':
      'Cette école n’envoie pas de mails. Son staff vous donne un lien.',
    'Your account has no password yet. The staff of your campus gives you a link to choose one.':
      'Votre compte n’a pas encore de mot de passe. Le staff de votre campus vous donne un lien pour en choisir un.',
    'This link was used already, was replaced by a newer one, or is too old. A new start of the service prints one.':
      'Ce lien a déjà servi, a été remplacé par un plus récent ou est trop ancien. Un nouveau démarrage du service en affiche un.',
    'This link was used already, was replaced by a newer one, or is too old. Ask for another one.':
      'Ce lien a déjà servi, a été remplacé par un plus récent ou est trop ancien. Demandez-en un autre.',
    'You signed in too long ago. Sign in again first.':
      'Votre connexion est trop ancienne. Connectez-vous d’abord à nouveau.',
    'A second factor is set up already.': 'Un second facteur est déjà configuré.',
    'There is nothing to confirm, or it was begun too long ago. Begin again.':
      'Il n’y a rien à confirmer, ou la configuration a commencé il y a trop longtemps. Recommencez.',
    'This session has ended already.': 'Cette session est déjà terminée.',

    // Applications
    'This application may not act for you.': 'Cette application ne peut pas agir en votre nom.',
    'There is no such application.': 'Cette application n’existe pas.',
    'You have no such application.': 'Vous n’avez pas cette application.',
    'You have {count} applications already; delete one that is not used.':
      'Vous avez déjà {count} applications ; supprimez-en une qui ne sert pas.',
    'This application has no secret, since it cannot keep one.':
      'Cette application n’a pas de secret, puisqu’elle ne peut pas en garder.',

    // Webservices
    'There is no delivery {id}.': 'L’envoi {id} n’existe pas.',
    'There is no endpoint {id}.': 'Le webservice {id} n’existe pas.',
    'It is switched {state} already.': 'Il est déjà {state}.',
    on: 'activé',
    off: 'désactivé',
    'it answered 410 Gone': 'il a répondu 410 Gone',
    'for {days} days every call failed ({calls} tries)':
      'pendant {days} jours, tous les appels ont échoué ({calls} tentatives)',
    '1 delivery': '1 envoi',
    '{count} deliveries': '{count, number} envois',

    // What was recorded
    password: 'mot de passe',
    'school account': 'compte de l’école',
    '{way} and second factor': '{way} et second facteur',

    // Sign-in by the school's provider, and applications that ask
    '{school} cannot be reached right now. Try again in a moment, or use your password.':
      '{school} est injoignable pour le moment. Réessayez dans un instant, ou utilisez votre mot de passe.',
    'You were not signed in, since {school} was told not to.':
      'Vous n’êtes pas connecté : {school} en a reçu l’instruction.',
    'You were not signed in: the answer of {school} could not be used. Try again.':
      'Vous n’êtes pas connecté : la réponse de {school} est inutilisable. Réessayez.',
    'The client_id was sent more than once.': 'Le client_id a été envoyé plus d’une fois.',
    'No application is known by this client_id.': 'Aucune application n’est connue sous ce client_id.',
    'No application has this uid; "{command}" shows them all.':
      'Aucune application n’a cet uid ; « {command} » les montre toutes.',
    'cannot be changed, since the service asks for this role by its name':
      'ne peut pas être changé, car le service demande ce rôle par son nom',
    'A role that the service asks for cannot be removed.': 'Un rôle que le service demande ne peut pas être supprimé.',

    // Access
    'You are not authorized to access this page. {what} needs the role Advanced Staff.':
      'Vous n’êtes pas autorisé à accéder à cette page. {what} demande le rôle Advanced Staff.',
    'You are not authorized to access this page. Only the invited may accept an invitation.':
      'Vous n’êtes pas autorisé à accéder à cette page. Seule la personne invitée peut accepter une invitation.',
    'You are not authorized to access this page. To write leader needs the role Advanced Tutor.':
      'Vous n’êtes pas autorisé à accéder à cette page. Écrire leader demande le rôle Advanced Tutor.',
    'You are not authorized to access this page. This is for the leader of the team only.':
      'Vous n’êtes pas autorisé à accéder à cette page. Elle est réservée au leader du groupe.',
    'You are not authorized to access this page. {who} only.':
      'Vous n’êtes pas autorisé à accéder à cette page. {who} seulement.',
    'You are not authorized to access this page. {what} can be written {how}.':
      'Vous n’êtes pas autorisé à accéder à cette page. {what} : {how}.',
    'You are not authorized to access this page. To write {what} needs the role Advanced Tutor, or the role Advanced Staff.':
      'Vous n’êtes pas autorisé à accéder à cette page. Écrire {what} demande le rôle Advanced Tutor ou le rôle Advanced Staff.',
    'You are not authorized to access this page. To write scale_team_id needs the role Advanced Tutor; evaluations are booked by POST /v2/scale_teams.':
      'Vous n’êtes pas autorisé à accéder à cette page. Écrire scale_team_id demande le rôle Advanced Tutor ; les corrections se réservent par POST /v2/scale_teams.',

    // Slots and evaluations
    "can't be blank: the session of the team has no scale": 'doit être rempli : la session du groupe n’a pas de barème',
    'must be closed first': 'doit d’abord être clôturé',
    'has all its evaluations already': 'a déjà toutes ses corrections',
    'does not belong to the project session of the team': 'n’appartient pas à la session de projet du groupe',
    'must not be a member of the team': 'ne doit pas être membre du groupe',
    'has another evaluation at that time': 'a une autre correction à cette heure',
    'must lie ahead': 'doit être à venir',
    'is no time at which somebody offers to evaluate the team: see /v2/projects/:project_id/slots':
      'n’est pas une heure à laquelle quelqu’un propose de corriger le groupe : voir /v2/projects/:project_id/slots',
    'does not offer to evaluate the team at that time': 'ne propose pas de corriger le groupe à cette heure',
    'has members without an evaluation point to pay with: {logins}':
      'a des membres sans point de correction pour payer : {logins}',
    "question {id} is not one of the scale's": 'la question {id} n’est pas du barème',
    'is an evaluation that is not filled yet': 'est une correction qui n’est pas encore remplie',
    'must be one of the corrected': 'doit être l’un des corrigés',
    'is not a flag of the scale': 'n’est pas un flag du barème',
    'must be the corrector or one of the corrected': 'doit être le correcteur ou l’un des corrigés',
    'the evaluation has been filled already': 'la correction est déjà remplie',
    'has not come yet': 'n’est pas encore venu',
    'a filled evaluation stays': 'une correction remplie reste',
    'an evaluation that has begun stays: it can be filled, or an absence reported':
      'une correction commencée reste : elle peut être remplie, ou une absence signalée',
    'every quarter of an hour of that time is taken already': 'chaque quart d’heure de cette période est déjà pris',
    'is a time at which the user evaluates somebody': 'est une heure à laquelle cette personne corrige quelqu’un',
    'a booked slot cannot be {done}: cancel its evaluation first (DELETE /v2/scale_teams/:id)':
      'un créneau réservé ne peut pas être modifié ou retiré : annulez d’abord sa correction (DELETE /v2/scale_teams/:id)',
    'must be at least {minutes} minutes after begin_at, in whole quarters of an hour':
      'doit être au moins {minutes} minutes après le début, en quarts d’heure entiers',
    'must be at most {days} days after begin_at':
      'doit être au plus {days, plural, one {# jour} other {# jours}} après le début',
    'must be at least 30 minutes from now': 'doit être dans 30 minutes au moins',
    'must be at most two weeks from now': 'doit être dans deux semaines au plus',
    'has another corrector': 'a un autre correcteur',
    'are more than the {points} that the pool holds': 'dépassent les {points} que contient la réserve',

    // Events, exams and cursus
    'must exist': 'doit exister',
    'is not open to you now': 'ne vous est pas ouvert actuellement',
    'is not open to the user now': 'n’est pas ouvert à cette personne actuellement',
    'is not open to {who} now': 'n’est pas ouvert à {who} actuellement',
    'is over': 'est terminé',
    'is full': 'est complet',
    'cannot be left later than {hours} hours before it begins':
      'ne peut plus être quitté moins de {hours} heures avant le début',
    'must have a place at the event': 'doit avoir une place à l’événement',
    'must be a coalition of the bloc': 'doit être une coalition du bloc',
    'must belong to the coalition': 'doit appartenir à la coalition',
    'must be schedule to become {state}': 'doit être schedule pour devenir {state}',
    'must be of the kinds {kinds} here': 'doit être ici de l’un de ces genres : {kinds}',
    'reaches into another pause of the user': 'empiète sur une autre pause de cette personne',
    'no pause of the user goes on': 'aucune pause de cette personne n’est en cours',
    'must be later than today': 'doit être après aujourd’hui',
    "can't be blank: the token stands for nobody": 'doit être rempli : le jeton ne représente personne',

    // Teams and projects
    'is finished': 'est terminé',
    'a project on which there is a team can be left through staff only':
      'un projet sur lequel il y a un groupe ne peut être quitté que par le staff',
    'must be a part of the user’s own': 'doit être une partie qui appartient à cette personne',
    'cannot be taken back; leave the team by deleting the membership':
      'ne peut pas être repris ; quittez le groupe en supprimant l’appartenance',
    'must be true: the team is locked': 'doit être vrai : le groupe est verrouillé',
    'the team is locked: only who is in it may leave':
      'le groupe est verrouillé : seuls ses membres peuvent le quitter',
    'a closed team can be left through a tutor only': 'un groupe clôturé ne peut être quitté que par un tuteur',
    'the last member dissolves the team instead': 'le dernier membre dissout le groupe à la place',
    'is locked': 'est verrouillé',
    'is who makes the team': 'est la personne qui crée le groupe',
    'cannot join: a team has at most {most}': 'ne peut pas rejoindre : un groupe compte au plus {most} membres',
    'cannot be invited while {count} have not answered': 'ne peut pas être invité tant que {count} n’ont pas répondu',
    'User {user} has no part in project {project}.': 'L’utilisateur {user} ne participe pas au projet {project}.',
    'there was no try yet': 'il n’y a pas encore eu de tentative',
    'must name at most {most}': 'doit nommer au plus {most} personnes',
    'must name one leader': 'doit nommer un leader',
    'must name at least one member': 'doit nommer au moins un membre',
    'has an open team of {project} already': 'a déjà un groupe ouvert pour {project}',
    'marks that a program gave are taken back through a tutor only':
      'les notes données par un programme ne sont retirées que par un tuteur',
    'must be said: no session is for {whom}': 'doit être précisé : aucune session n’est prévue pour {whom}',
    'a closed team cannot be dissolved': 'un groupe clôturé ne peut pas être dissous',
    'a locked team is dissolved by its last member: the others leave it first':
      'un groupe verrouillé est dissous par son dernier membre : les autres le quittent d’abord',
    'is not the session that is open to you': 'n’est pas la session qui vous est ouverte',
    'is set already': 'est déjà fixé',
    'cannot be changed: the team is closed': 'ne peut pas être changé : le groupe est clôturé',
    'cannot be taken back from a closed team': 'ne peut pas être retiré à un groupe clôturé',
    'cannot be taken back: the team has evaluations': 'ne peut pas être repris : le groupe a des corrections',
    'has no session': 'n’a pas de session',
    'must be a session of the project': 'doit être une session du projet',

    // Attachments and the forum
    'must be the login of a user': 'doit être le login d’une personne',
    'is no attachment of this {what}': 'n’est pas une pièce jointe de cet enregistrement ({what})',
    'is untranslatable': 'n’est pas traduisible',
    "can't be blank in a translation": 'doit être rempli dans une traduction',
    'cannot be set while the attachment has translations of its own':
      'ne peut pas être fixé tant que la pièce jointe a ses propres traductions',
    'is the language of attachment {id} already': 'est déjà la langue de la pièce jointe {id}',
    'is of another topic': 'est d’un autre sujet',
    'has been deleted': 'a été supprimé',
    'has too many replies above it': 'a trop de réponses au-dessus de lui',
    'is locked: only a moderator may write here': 'est verrouillé : seul un modérateur peut écrire ici',
    'must be a message of the topic': 'doit être un message du sujet',
    "must be the topic's author's own": 'doit appartenir à l’auteur du sujet',
    'others have written here: only a moderator may delete it':
      'd’autres ont écrit ici : seul un modérateur peut le supprimer',
    'The application is suspended since the account of its owner is closed.':
      'L’application est suspendue, car le compte de son propriétaire est fermé.',
    'The redirect uri included is not valid.': 'L’adresse de redirection fournie n’est pas valable.',

    // Scopes
    'Read public data: people, campuses, cursus, projects, events':
      'Lire les données publiques : personnes, campus, cursus, projets, événements',
    'Read and write projects, teams, evaluations and their files':
      'Lire et écrire les projets, les groupes, les corrections et leurs fichiers',
    "Read and write the person's own profile: expertises, events, languages":
      'Lire et écrire le profil de la personne : expertises, événements, langues',
    'Read course material': 'Lire les supports de cours',
    'Read and write closes and community services': 'Lire et écrire les fermetures de comptes et les TIG',
    'Read and write forum topics and messages': 'Lire et écrire les sujets et messages du forum',
  },
}
