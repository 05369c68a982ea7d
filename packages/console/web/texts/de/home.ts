import type * as english from "../en/home.ts";
import type { Translated } from "../translated.ts";

export const home: Translated<typeof english.home> = {
  title: "Start",
  repositories: "Repositorys",
  views: { all: "Alle", starred: "Mit Stern" },
  noneStarred: "Kein Repository hat einen Stern von Ihnen. Die Seite jedes Repositorys hat einen Knopf dafür.",
  none: "Sie sehen noch kein Repository.",
  noneAnonymous: "Kein Repository ist öffentlich. Melden Sie sich an, um Ihre zu sehen.",
  push: "Ein Image pushen",
};

export const attention: Translated<typeof english.attention> = {
  title: "Braucht Ihre Aufmerksamkeit",
  nothing: "Kein Build, kein Mirror und kein Kontingent braucht Ihre Aufmerksamkeit.",
  nothingButFeeds: "Kein Build, kein Mirror, kein Kontingent, kein Blob und kein Auftrag braucht Ihre Aufmerksamkeit.",
  nothingAtAll:
    "Kein Build, kein Mirror, kein Kontingent, kein Blob, kein Auftrag und kein Feed braucht Ihre Aufmerksamkeit.",
  more: "Es gibt mehr.",
  allJobs: "Alle fehlgeschlagenen Aufträge",
  allFeeds: "Alle Feeds",
  build: { before: "Ein Build von ", after: " schlug fehl" },
  mirror: { before: "Der Mirror ", after: (from) => ` ließ sich nicht mit ${from} abgleichen` },
  catalog: { before: "Die Organisation ", after: (from) => ` konnte den Katalog von ${from} nicht lesen` },
  quota: {
    after: (used, limit, percent) => ` belegt ${used} von ${limit} (${percent} %)`,
    states: { near: "fast voll", warned: "es wird gewarnt", refused: "Pushes werden abgelehnt" },
  },
  blob: {
    before: (digest) => `Der Blob ${digest}`,
    faults: {
      missing: " fehlt im Blob-Speicher",
      wrong_size: " hat im Blob-Speicher die falsche Größe",
      wrong_digest: " hat im Blob-Speicher andere Bytes",
      unreadable: " lässt sich im Blob-Speicher nicht lesen",
    },
    needed: ". Pushen Sie ihn noch einmal nach ",
  },
  job: { before: "Der Auftrag ", after: " schlug endgültig fehl" },
  feed: {
    before: "Der Feed ",
    states: {
      missing: " ist nicht geladen",
      outdated: " ist alt: zuletzt geprüft ",
      failed: " ließ sich nicht aktualisieren; zuletzt geprüft ",
    },
  },
};

export const palette: Translated<typeof english.palette> = {
  title: "Zu einem Ort, einem Repository oder einer Aktion gehen",
  open: "Suchen oder gehen zu …",
  hint: "Strg K",
  input: "Geben Sie einen Namen, eine Schwachstelle oder eine Aktion ein",
  groups: { here: "Auf dieser Seite", places: "Orte", actions: "Aktionen", found: "In der Registry gefunden" },
  search: (text) => `Nach „${text}“ suchen`,
  counted: (count) => `${count} ${count === 1 ? "Eintrag" : "Einträge"}`,
  account: "Ihr Konto",
  explorer: "API-Explorer",
  admin: "Verwaltung",
  securityOf: (namespace) => `Schwachstellen von ${namespace}`,
  robotsOf: (namespace) => `Robots von ${namespace}`,
  logOf: (namespace) => `Nutzungsprotokoll von ${namespace}`,
  newToken: "Ein App-Token anlegen",
  newOrganization: "Eine Organisation anlegen",
  signOut: "Abmelden",
  signIn: "Anmelden",
  tags: "Tags dieses Repositorys",
  history: "Verlauf dieses Repositorys",
  suppressed: "Was in diesem Repository unterdrückt ist",
  packages: "Pakete dieses Images",
  layers: "Layer dieses Images",
  compare: "Dieses Image mit einem anderen Tag vergleichen",
};

export const conflict: Translated<typeof english.conflict> = {
  title: "Das hat inzwischen jemand anderes geändert.",
  meaning:
    "Ihre Änderung wurde nicht gemacht; Ihre Eingabe steht noch im Formular. „Meine behalten“ ersetzt den jetzigen Wert durch Ihre Eingabe. „Den anderen nehmen“ verwirft Ihre Eingabe.",
  theirs: "Jetziger Wert",
  differs: "Weicht von Ihrem Formular ab",
  nothing: "Es wurde entfernt.",
  keepMine: "Meine behalten",
  takeTheirs: "Den anderen nehmen",
  choice: (mine, theirs) => `Sie haben „${mine}“ gewählt; jetzt ist es „${theirs}“. Ihre Änderung wurde nicht gemacht.`,
};
