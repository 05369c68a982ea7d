import type * as english from "../en/account.ts";
import type { Translated } from "../translated.ts";

export const notices: Translated<typeof english.notices> = {
  title: "Hinweise",
  about: "Benachrichtigungen von Repositorys und von der Registry, die an Sie gerichtet sind.",
  none: "Sie haben keine Hinweise.",
  columns: { what: "Was", about: "Worüber", when: "Wann", actions: "Aktionen" },
  dismiss: "Ausblenden",
};

export const accountSettings: Translated<typeof english.accountSettings> = {
  email: "E-Mail-Adresse",
  emailAbout: "An diese Adresse sendet die Registry Codes, Links und Benachrichtigungen.",
  saveEmail: "E-Mail-Adresse speichern",
  password: "Passwort",
  passwordAbout: "Programme, die sich mit Ihrem Passwort anmelden, brauchen das neue. App-Tokens bleiben gültig.",
  newPassword: "Neues Passwort",
  newPasswordRule: "Mindestens 8 Zeichen.",
  savePassword: "Passwort ändern",
  saved: "Gespeichert.",
  end: "Das Konto löschen",
  endAbout: "Ihre Repositorys, Robots und Tokens werden mit ihm gelöscht. Das lässt sich nicht rückgängig machen.",
  remove: "Konto löschen",
};

export const organizationSettings: Translated<typeof english.organizationSettings> = {
  members: {
    title: "Mitglieder",
    about: "Konten in Teams der Organisation.",
    none: "Kein Team hat ein Mitglied. Fügen Sie auf der Seite der Teams welche hinzu.",
    columns: { name: "Name", teams: "Teams", repositories: "Repositorys", actions: "Aktionen" },
    remove: "Aus der Organisation entfernen",
    removed: (name) => `${name} verlässt alle Teams und verliert alle Rollen in Repositorys der Organisation.`,
    removeChosen: "Ausgewählte aus der Organisation entfernen",
    removedChosen: (count) =>
      `Konten, die alle Teams verlassen und alle Rollen in Repositorys der Organisation verlieren: ${count}.`,
  },
  collaborators: {
    title: "Mitwirkende",
    about: "Konten ohne Team, die in einem Repository eine Rolle haben.",
    none: "Kein Repository wird mit einem Konto außerhalb der Teams geteilt.",
  },
  email: "E-Mail-Adresse (freiwillig)",
  emailAbout: "An diese Adresse sendet die Registry Nachrichten für die Organisation.",
  save: "E-Mail-Adresse speichern",
  end: "Die Organisation löschen",
  endAbout:
    "Alle ihre Repositorys, Teams, Robots und Anwendungen werden mit ihr gelöscht. Das lässt sich nicht rückgängig machen.",
  remove: "Organisation löschen",
};

export const newAccount: Translated<typeof english.newAccount> = {
  title: "Ein Konto anlegen",
  username: "Benutzername",
  email: "E-Mail-Adresse",
  password: "Passwort",
  passwordRule: "Mindestens 8 Zeichen.",
  create: "Konto anlegen",
  confirm:
    "Das Konto wurde angelegt. An seine E-Mail-Adresse ging ein Link: Folgen Sie ihm, und melden Sie sich dann an.",
};

export const forgottenPassword: Translated<typeof english.forgottenPassword> = {
  title: "Passwort vergessen",
  about: "Die Registry sendet an die E-Mail-Adresse Ihres Kontos einen Link, mit dem Sie ein neues Passwort wählen.",
  email: "E-Mail-Adresse des Kontos",
  send: "Link senden",
  sent: "Wenn ein Konto diese Adresse hat, ist der Link unterwegs.",
};

export const authorizations: Translated<typeof english.authorizations> = {
  title: "Anwendungen, die für Sie handeln",
  about: "Sie haben jede von ihnen erlaubt, als Sie sich bei ihr angemeldet oder ein Token für sie erzeugt haben.",
  none: "Keine Anwendung handelt für Sie.",
  columns: { application: "Anwendung", organization: "Organisation", scopes: "Darf", actions: "Aktionen" },
  end: "Zugriff beenden",
  ended: (name) => `${name} kann mit diesem Token nicht mehr für Sie handeln.`,
  assigned: {
    title: "Anwendungen, die Ihre Erlaubnis brauchen",
    about: "Ein Administrator bittet Sie, ein Token für sie zu erzeugen.",
    review: "Token prüfen",
    decline: "Ablehnen",
    declined: (name) => `${name} bekommt kein Token von Ihnen.`,
  },
};

export const applications: Translated<typeof english.applications> = {
  title: "Anwendungen",
  about:
    "Eine Anwendung hält Zugriffstokens für die API. Hat sie eine Weiterleitungsadresse, so können Benutzer sie auch im Browser erlauben.",
  none: "Die Organisation hat keine Anwendung. Legen Sie oben eine an, und erzeugen Sie dann ein Token für sie.",
  columns: { name: "Name", client: "Client-ID", home: "Webseite", actions: "Aktionen" },
  name: "Name der Anwendung",
  home: "Webseite (freiwillig)",
  description: "Beschreibung (freiwillig)",
  redirect: "Weiterleitungsadressen beginnen mit (freiwillig)",
  avatar: "E-Mail-Adresse ihres Bildes (freiwillig)",
  create: "Anwendung anlegen",
  save: "Anwendung speichern",
  saved: "Die Anwendung wurde gespeichert.",
  remove: "Anwendung löschen",
  removed: (name) => `${name} wird gelöscht, und alle ihre Tokens werden von nun an abgelehnt.`,
  details: (name) => `Einzelheiten von ${name}`,
  client: "Client-ID",
  secret: "Client-Secret",
  showSecret: "Das Client-Secret zeigen",
  resetSecret: "Ein neues Secret erzeugen",
  secretReset: (name) => `${name} bekommt ein neues Secret. Das alte wird von nun an abgelehnt.`,
  tokens: {
    title: (name) => `Tokens von ${name}`,
    none: "Die Anwendung hat kein Token. Erzeugen Sie oben eines.",
    columns: {
      name: "Name",
      scopes: "Darf",
      by: "Handelt für",
      created: "Angelegt",
      expires: "Läuft ab",
      used: "Zuletzt benutzt",
      actions: "Aktionen",
    },
    never: "nie",
    noName: "von einer Anmeldung",
    revoke: "Token widerrufen",
    revoked: "Programme, die es benutzen, werden von nun an abgelehnt.",
  },
  generate: {
    title: "Token erzeugen",
    about: "Wählen Sie, wofür das Token benutzt werden darf. Es hat nie mehr Rechte als Sie.",
    scopes: "Wofür es benutzt werden darf",
    name: "Name des Tokens",
    review: "Zugriffstoken erzeugen",
    tickOne: "Wählen Sie mindestens einen Bereich.",
    reviewTitle: "Das Token prüfen",
    reviewed: (name, application, user) =>
      `Mit dem Token „${name}“ kann, wer ${application} betreibt, als ${user} handeln. Es darf benutzt werden, um:`,
    dangerous: "Das kann Konten, Organisationen oder die Registry ändern. Hüten Sie das Token wie Ihr Passwort.",
    authorize: "Erlauben",
    back: "Zurück",
    shown: "Dies ist das Token. Speichern Sie es jetzt: Es wird nur einmal gezeigt.",
    use: "Die API damit aufrufen",
  },
  scopes: {
    "org:admin": {
      title: "Organisationen verwalten",
      description: "Organisationen verwalten: ihre Robots, Teams, Mitglieder und Einstellungen",
    },
    "repo:admin": {
      title: "Repositorys verwalten",
      description: "Jedes Repository verwalten, das der erlaubende Benutzer verwalten darf",
    },
    "repo:create": {
      title: "Repositorys anlegen",
      description: "Repositorys anlegen, wo der erlaubende Benutzer es darf",
    },
    "repo:read": {
      title: "Alle sichtbaren Repositorys sehen",
      description: "Jedes Repository sehen und pullen, das der erlaubende Benutzer sieht",
    },
    "repo:write": {
      title: "In alle zugänglichen Repositorys schreiben",
      description: "In Repositorys pushen und aus ihnen pullen, in die der erlaubende Benutzer schreiben darf",
    },
    "super:user": {
      title: "Als Superuser handeln",
      description: "Die Registry verwalten: ihre Benutzer, ihre Organisationen und sie selbst",
    },
    "user:admin": {
      title: "Benutzer verwalten",
      description: "Das Konto des erlaubenden Benutzers verwalten, seine Robots und ihre Rechte",
    },
    "user:read": {
      title: "Angaben zum Benutzer lesen",
      description: "Name und E-Mail-Adresse des erlaubenden Benutzers lesen",
    },
  },
};
