import type * as english from "../en/repository.ts";
import type { Translated } from "../translated.ts";

export const permissions: Translated<typeof english.permissions> = {
  granted: {
    title: (name) => `Rechte von ${name} in Repositorys`,
    none: "Eine eigene Rolle in einem Repository gibt es nicht.",
    repository: "Repository",
  },
  label: "Wer Rechte hat",
  parts: { users: "Benutzer und Robots", teams: "Teams" },
  roles: { read: "Lesen: darf pullen", write: "Schreiben: darf pushen", admin: "Admin: darf Einstellungen ändern" },
  columns: { name: "Name", kind: "Art", role: "Rolle", actions: "Aktionen" },
  kinds: { user: "Benutzer", outside: "Benutzer außerhalb der Organisation", robot: "Robot", team: "Team" },
  role: "Rolle",
  roleOf: (name) => `Rolle von ${name}`,
  grant: "Rolle geben",
  remove: "Recht entziehen",
  removeChosen: "Ausgewählte Rechte entziehen",
  removedChosen: (count) => `Rechte, die entzogen werden: ${count}. Was andere Rechte erlauben, bleibt.`,
  user: {
    title: "Benutzer und Robots",
    about: "Rechte einzelner Konten hier, zusätzlich zu denen ihrer Teams.",
    none: "Kein Benutzer und kein Robot hat ein eigenes Recht. Geben Sie oben einem eine Rolle.",
    name: "Benutzer oder Robot",
    removed: (name) => `${name} behält nur, was Teams von ${name} hier dürfen.`,
  },
  team: {
    title: "Teams",
    about: "Rechte aller Mitglieder eines Teams hier.",
    none: "Kein Team hat hier ein Recht. Geben Sie oben einem eine Rolle.",
    name: "Team",
    removed: (name) => `Mitglieder von ${name} behalten nur, was sie hier durch andere Rechte dürfen.`,
  },
  defaults: {
    title: "Standardrechte",
    about: "Was in jedem neuen Repository der Organisation gewährt wird. Vorhandene Repositorys bleiben, wie sie sind.",
    none: "Neue Repositorys gehören nur dem, der sie anlegt. Fügen Sie oben ein Standardrecht hinzu.",
    columns: {
      delegate: "Gewährt an",
      kind: "Art",
      role: "Rolle",
      creator: "Wenn angelegt von",
      actions: "Aktionen",
    },
    kind: "Gewähren an",
    kindOptions: { user: "Benutzer oder Robot", team: "Team" },
    name: "Name",
    creator: "Nur wenn angelegt von (freiwillig)",
    anyone: "jedem Mitglied",
    add: "Standardrecht hinzufügen",
    remove: "Standardrecht entfernen",
    removed: (name) => `${name} bekommt in Repositorys, die von nun an angelegt werden, nichts gewährt.`,
  },
};

export const repository: Translated<typeof english.repository> = {
  tabs: {
    tags: "Tags",
    history: "Verlauf",
    information: "Angaben",
    suppressed: "Unterdrückt",
    builds: "Builds",
    permissions: "Rechte",
    notifications: "Benachrichtigungen",
    policies: "Richtlinien",
    mirror: "Mirror",
    logs: "Nutzungsprotokoll",
    settings: "Einstellungen",
  },
  pull: "Pull",
  star: "Stern",
  filter: "Tags filtern",
  none: "Hier ist kein Tag.",
  pushFirst: "Hier ist noch kein Tag. Benennen Sie ein Image für dieses Repository, und pushen Sie es:",
  noneLike: (part) => `Kein Tag hat „${part}“ im Namen.`,
  columns: {
    tag: "Tag",
    digest: "Digest",
    size: "Größe",
    platforms: "Plattformen",
    changed: "Geändert",
    expires: "Läuft ab",
    actions: "Aktionen",
  },
  never: "nie",
  deleteTag: "Tag löschen",
  deletedTag: (tag) =>
    `Der Tag ${tag} wird gelöscht. Er lässt sich aus dem Verlauf wiederherstellen, so lange der Namensraum es festlegt.`,
  deletedTags: (count) =>
    count === 1
      ? "Der ausgewählte Tag wird gelöscht. Er lässt sich aus dem Verlauf wiederherstellen, so lange der Namensraum es festlegt."
      : `${count} Tags werden gelöscht. Sie lassen sich aus dem Verlauf wiederherstellen, so lange der Namensraum es festlegt.`,
  deleteTags: "Ausgewählte Tags löschen",
  description: "Beschreibung",
  noDescription: "Es gibt keine Beschreibung.",
  edit: "Die Beschreibung bearbeiten",
  save: "Die Beschreibung speichern",
  page: (page) => `Seite ${page}`,
  range: (first, last, total) => `${first}–${last} von ${total}`,
  earlier: "Vorige Seite",
  later: "Nächste Seite",
};

export const history: Translated<typeof english.history> = {
  none: "Hier wurde nie ein Tag gepusht.",
  noneLike: (part) => `Kein Tag hatte je „${part}“ im Namen.`,
  filter: "Tags filtern",
  columns: {
    tag: "Tag",
    digest: "Zeigte auf",
    from: "Von",
    startedBy: "Begonnen",
    until: "Bis",
    endedBy: "Beendet",
    actions: "Aktionen",
  },
  actors: {
    push_repo: "gepusht von",
    create_tag: "angelegt von",
    move_tag: "verschoben von",
    revert_tag: "wiederhergestellt von",
    delete_tag: "gelöscht von",
    permanently_delete_tag: "endgültig gelöscht von",
    autoprune_tag_delete: "nach einer Regel gelöscht von",
  },
  noAccount: "einem Auftrag oder einem Token",
  now: "jetzt",
  restore: "Wiederherstellen",
  restored: (tag, digest) => `Der Tag ${tag} zeigt dann wieder auf ${digest}.`,
};

export const repositorySettings: Translated<typeof english.repositorySettings> = {
  state: "Was geändert werden darf",
  states: {
    NORMAL: "Konten, die pushen dürfen, können es ändern",
    READ_ONLY: "Nichts: Es ist schreibgeschützt",
    MIRROR: "Nur sein Abgleich ändert es",
  },
  saveState: "Zustand speichern",
  visibility: "Wer es sieht",
  isPublic: "Alle sehen dieses Repository und dürfen daraus pullen.",
  isPrivate: "Nur Konten mit einem Recht sehen dieses Repository.",
  makePublic: "Öffentlich machen",
  makePrivate: "Privat machen",
  madePublic: "Alle werden dieses Repository sehen und dürfen daraus pullen.",
  madePrivate: "Nur Konten mit einem Recht werden dieses Repository sehen.",
  end: "Das Repository löschen",
  remove: "Repository löschen",
  deleted: "Alle seine Tags und Images werden mit ihm gelöscht. Das lässt sich nicht rückgängig machen.",
};

export const tagLifetime: Translated<typeof english.tagLifetime> = {
  change: (tag) => `Den Ablauf von ${tag} ändern: `,
  never: "nie",
  immutable: "unveränderlich",
  end: "Letzter Tag (UTC)",
  save: "Ablauf setzen",
  keep: "Für immer behalten",
  lock: "Unveränderlich machen",
  unlock: "Änderungen erlauben",
};

export const newRepository: Translated<typeof english.newRepository> = {
  title: "Neues Repository",
  name: "Name",
  nameRule: "Kleinbuchstaben und Ziffern, mit einzelnen . _ - oder / dazwischen.",
  visibility: "Wer pullen darf",
  visibilities: { private: "Nur Konten mit einem Recht", public: "Alle" },
  description: "Beschreibung (freiwillig)",
  reference: "Aus diesem Repository einer anderen Registry kopieren (freiwillig)",
  referenceRule: (namespace) =>
    `Etwa registry.example.com/library/app. Es wird ein Mirror: Der Robot ${namespace}+mirror pusht hinein und wird angelegt, wenn es ihn nicht gibt.`,
  robot: "Pusht in Mirrors",
  create: "Repository anlegen",
};
