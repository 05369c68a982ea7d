import type * as english from "../en/policies.ts";
import type { Translated } from "../translated.ts";

export const pruning: Translated<typeof english.pruning> = {
  title: "Automatisches Löschen",
  about: {
    repository:
      "Jede Stunde werden Tags gelöscht, die eine Regel auswählt. Regeln des Namensraums gelten hier ebenfalls.",
    namespace:
      "Jede Stunde werden in allen Repositorys des Namensraums Tags gelöscht, die eine Regel auswählt. Die Seite eines Repositorys zeigt, was die Regeln löschen würden.",
  },
  none: "Keine Regel löscht Tags. Probieren Sie oben eine, und sehen Sie, was sie löschen würde.",
  columns: { rule: "Regel", tags: "Für Tags", actions: "Aktionen" },
  method: "Behalten",
  methods: { number_of_tags: "So viele der neuesten Tags", creation_date: "Tags, die neuer sind als" },
  value: "Wie viele, oder wie lange",
  valueRule: "Eine Zahl wie 10, oder eine Zeit wie 7d.",
  pattern: "Nur Tags, die dieser Ausdruck auswählt (freiwillig)",
  matches: "Welche Tags",
  matchesOptions: { yes: "Die, die passen", no: "Die, die nicht passen" },
  keep: {
    number_of_tags: (value) => `Die neuesten ${value} behalten`,
    creation_date: (value) => `Behalten, was neuer ist als ${value}`,
  },
  allTags: "alle",
  like: (pattern) => `wie ${pattern}`,
  unlike: (pattern) => `nicht wie ${pattern}`,
  unusable: (problem) =>
    `Die Registry kann diesen Ausdruck nicht benutzen: ${problem}. Die Regel löscht nichts. Löschen Sie sie, und fügen Sie eine mit kürzerem Ausdruck hinzu.`,
  add: "Regel hinzufügen",
  preview: "Vorschau der Regel",
  remove: "Regel löschen",
  removed: "Tags, die nur diese Regel gelöscht hätte, bleiben.",
  previewed: {
    title: "Was jetzt gelöscht würde",
    about: "Diese Vorschau löscht nichts. Regeln des Namensraums sind dabei.",
    aboutTried: (rule) => `Mit der neuen Regel: ${rule}. Diese Vorschau löscht nichts.`,
    none: "Das Repository hat keinen Tag.",
    columns: { tag: "Tag", pushed: "Gepusht", deleted: "Was geschieht", why: "Warum" },
    deleted: "Gelöscht",
    stays: "Bleibt",
    tried: "die neue Regel",
    ofNamespace: "eine Regel des Namensraums",
    reasons: {
      too_old: (rule) => `zu alt für ${rule}`,
      too_many: (rule, rank = 0) => `Nummer ${rank} der Tags von ${rule}`,
      new_enough: (rule) => `neu genug für ${rule}`,
      among_newest: (rule, rank = 0) => `Nummer ${rank} der Tags von ${rule}`,
    },
    kept: {
      immutable: "er ist unveränderlich",
      referrer: "er gehört zu einem anderen Image",
      no_policy: "keine Regel wählt ihn aus",
      state: "das Repository nimmt keine Änderungen an",
    },
  },
};

export const immutability: Translated<typeof english.immutability> = {
  title: "Unveränderliche Tags",
  about:
    "Kein Konto kann einen Tag verschieben oder löschen, den ein Muster schützt. Das gilt für vorhandene und neue Tags.",
  aboutOrganization:
    "Kein Konto kann in einem Repository der Organisation einen Tag verschieben oder löschen, den ein Muster schützt. Neue Tags sind sofort geschützt, vorhandene binnen Sekunden.",
  inherited: "von der Organisation",
  none: "Konten, die pushen dürfen, können jeden Tag ändern.",
  columns: { pattern: "Tags", actions: "Aktionen" },
  pattern: "Ausdruck für den Namen eines Tags",
  patternRule: "Zum Beispiel ^v[0-9]+ für v1 und v2.0.",
  matches: "Welche Tags",
  matchesOptions: { yes: "Die, die passen", no: "Die, die nicht passen" },
  like: (pattern) => `wie ${pattern}`,
  unlike: (pattern) => `nicht wie ${pattern}`,
  unusable: (problem) =>
    `Die Registry kann diesen Ausdruck nicht benutzen: ${problem}. Bis Sie ihn löschen, wird jeder gepushte Tag unveränderlich.`,
  add: "Unveränderlich machen",
  remove: "Muster löschen",
  removed: "Tags, die kein anderes Muster schützt, lassen sich wieder ändern.",
};

export const policies: Translated<typeof english.policies> = {
  label: "Richtlinien",
  parts: {
    pruning: "Löschen",
    quota: "Kontingent",
    gate: "Pull-Sperre",
    immutability: "Unveränderliche Tags",
    cache: "Proxy-Cache",
    mirror: "Mirror",
  },
};

export const quotas: Translated<typeof english.quotas> = {
  title: "Kontingent",
  quotaOf: (name) => `Kontingent von ${name}`,
  used: (used) => `${used} belegt. Es gibt kein Kontingent.`,
  usedOf: (used, limit, percent) => `${used} von ${limit} belegt (${percent} %).`,
  metadata: (bytes) => `${bytes} davon sind Manifeste und Labels: Was über 1 MiB hinausgeht, zählt wie Images.`,
  meter: "Belegter Teil des Kontingents",
  default: "Es ist das Standardkontingent der Registry.",
  limits: "Grenzen",
  noLimits: "Es gibt keine Grenze. Bis das Kontingent aufgebraucht ist, wird vor nichts gewarnt und nichts abgelehnt.",
  columns: { type: "Was geschieht", at: "Bei", actions: "Aktionen" },
  types: { Warning: "Administratoren werden gewarnt", Reject: "Pushes werden abgelehnt" },
  percent: (percent) => `${percent} %`,
  amount: "Kontingent",
  unit: "Einheit",
  units: { MiB: "MiB", GiB: "GiB", TiB: "TiB" },
  set: "Kontingent setzen",
  remove: "Kontingent entfernen",
  removed: (name) =>
    `Für ${name} gilt dann das Standardkontingent der Registry. Ohne ein solches ist der Speicher unbegrenzt.`,
  type: "Was geschieht",
  at: "Bei Prozent des Kontingents",
  addLimit: "Grenze hinzufügen",
  removeLimit: "Grenze entfernen",
  limitRemoved: "Bei diesem Prozentsatz des Kontingents geschieht dann nichts mehr.",
};
