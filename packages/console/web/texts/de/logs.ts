import type * as english from "../en/logs.ts";
import type { Translated } from "../translated.ts";

export const logs: Translated<typeof english.logs> = {
  title: "Nutzungsprotokoll",
  from: "Von",
  to: "Bis",
  by: "Getan von",
  repository: "Repository",
  anyRepository: "Repository, als Namensraum/Name",
  days: "Tage sind die der UTC.",
  chart: "Einträge am Tag",
  noChart: "Das Diagramm gibt es für höchstens 31 Tage.",
  chartLabel: (total, days) => `${total} Einträge in ${days} Tagen. Die Tabelle darunter hat jeden Tag.`,
  asTable: "Als Tabelle zeigen",
  columns: {
    when: "Wann",
    what: "Was",
    who: "Wer",
    from: "Woher",
    about: "Worüber",
    day: "Tag",
    count: "Einträge",
  },
  kinds: "Arten von Einträgen",
  none: "In diesen Tagen wurde nichts protokolliert.",
  noneOfKind: "In diesen Tagen wurde nichts dieser Art protokolliert.",
  anonymous: "ohne Anmeldung",
  about: {
    gates: { organization: "der Pull-Sperre der Organisation", repository: "der Pull-Sperre des Repositorys" },
    refused: ": abgelehnt von ",
    wouldBeRefused: ": wäre abgelehnt worden von ",
    passed: ": zugelassen von ",
    byDocument: (by) => ` wegen eines VEX-Dokuments von ${by}.`,
    pending: (missing) => `Sie lehnt Images ab, die nicht ganz beurteilt sind: ${missing}.`,
    counts: (count, rules) =>
      `${count === 1 ? "1 Befund zählt" : `${count} Befunde zählen`}${rules === "" ? "" : ` nach ihren Regeln (${rules})`}: `,
    finding: (name, severity) => ` in ${name} (${severity})`,
    more: (count) => ` und ${count} weitere.`,
    rules: {
      severity: (severity) => `ab ${severity}`,
      epss: (percent) => `Wahrscheinlichkeit der Ausnutzung ab ${percent} %`,
      exploited: "bekanntermaßen ausgenutzt",
      or: " oder ",
      fixed: "mit Korrektur",
      grace: (days) => `vor mindestens ${days === 1 ? "1 Tag" : `${days} Tagen`} veröffentlicht`,
    },
  },
  export: {
    title: "Export",
    about:
      "Die Einträge dieser Tage werden in eine Datei geschrieben. Ihr Link geht an eine E-Mail-Adresse oder an die Adresse eines Programms.",
    email: "E-Mail-Adresse",
    url: "Aufzurufende Adresse",
    begin: "Protokoll exportieren",
    begun: (id) => `Der Export ${id} hat begonnen. Der Link wird gesendet, sobald die Datei fertig ist.`,
  },
};
