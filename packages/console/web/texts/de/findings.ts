import * as english from "../en/findings.ts";
import type { Translated } from "../translated.ts";

export const severities: Translated<typeof english.severities> = {
  title: "Schwachstellen",
  counts: (counts) => `Schwachstellen: ${counts}`,
  none: "keine bekannt",
  noneButPartial: "keine bekannt, nicht alles beurteilt",
  notAssessed: "nicht beurteilt",
  partial: "nicht alles wurde beurteilt",
  mayHaveMore: "oder mehr",
};

export const findings: Translated<typeof english.findings> = {
  summary: ({ exploited, fixable, others }) =>
    `${exploited > 0 ? `${exploited} bekanntermaßen ausgenutzt; ` : ""}für ${fixable} ${fixable === 1 ? "Befund" : "Befunde"} gibt es eine Korrektur, für ${others} keine`,
  ofVulnerabilities: (found, counts) => {
    const count = counts.reduce((sum, [, each]) => sum + each, 0);
    return `${found} ${found === 1 ? "Befund" : "Befunde"} zu ${count} ${count === 1 ? "Schwachstelle" : "Schwachstellen"}: ${english.findings.severities(counts)}`;
  },
  none: "Die beurteilten Pakete haben keine bekannte Schwachstelle.",
  noneLike: "Kein Befund passt zu den Filtern.",
  notAssessed: (count) => `${count} ${count === 1 ? "Teil wurde" : "Teile wurden"} nicht beurteilt`,
  coverage: "Abdeckung",
  complete: "Alles Gefundene wurde beurteilt.",
  showProblems: "Zeigen, was nicht beurteilt wurde",
  advisoriesFrom: "Sicherheitshinweise zuletzt geprüft",
  columns: {
    severity: "Schweregrad",
    risk: "Ausnutzung (EPSS)",
    score: "CVSS",
    id: "Schwachstelle",
    package: "Paket",
    installed: "Installiert",
    fixed: "Behoben in",
    layer: "Layer",
  },
  exploited: "ausgenutzt",
  isExploited: "Bekanntermaßen ausgenutzt",
  epss: (percent) => `${percent}\u00a0%`,
  epssMeaning: (percent) => `Binnen 30 Tagen wird sie mit einer Wahrscheinlichkeit von ${percent} % ausgenutzt (EPSS)`,
  filter: "Nach Kennung oder Paket filtern",
  filterPackages: "Nach Paket filtern",
  onlyFixed: "Mit Korrektur",
  onlyExploited: "Ausgenutzt",
  byUpgrade: "Nach Upgrade gruppieren",
  upgrade: ({ name, from, to }) => `${name} von ${from} auf ${to} heben`,
  noUpgrade: (name, version) => `${name} ${version}: keine Korrektur bekannt`,
  removes: (count) => `beseitigt ${count} ${count === 1 ? "Befund" : "Befunde"}`,
  severities: english.findings.severities,
  noFix: "keine",
  suppressed: (count) => `${count} ${count === 1 ? "Befund ist" : "Befunde sind"} unterdrückt`,
  suppressedColumns: {
    id: "Schwachstelle",
    package: "Paket",
    why: "Warum",
    author: "Von",
    source: "Steht in",
    until: "Bis",
  },
  byRule: "einer Regel der Registry",
  aliases: "Heißt auch",
  links: "Links",
  vector: "CVSS",
  reportedBy: "Gemeldet von",
  noDescription: "Der Feed beschreibt sie nicht.",
  why: "Warum",
  evidence: ({ name, version, path }) => `${name} ${version} steht in ${path}`,
  inLayer: "hinzugefügt vom Layer",
  builtFrom: (name, version) => `Es wurde aus ${name} ${version} gebaut.`,
  use: {
    title: "Nutzung",
    neededBy: "Gebraucht von",
    further: [", dieses von ", ""],
    noEvidence: "Kein Hinweis auf Nutzung",
    noEvidenceMeaning:
      "Soweit bekannt, braucht nichts im Image das Paket, und was das Image startet, führt nicht zu ihm. Es kann trotzdem genutzt werden: Das heißt nicht, dass es nicht verwundbar ist.",
  },
  rule: "Zutreffende Regel",
  range: (name, from, before) =>
    `${name}: alle Versionen${from === undefined ? "" : ` ab ${from}`}${before === undefined ? "" : ` vor ${before}`}`,
  published: "Veröffentlicht",
  ratings: "Schweregrad nach Quelle",
  rating: (severity, score) => (score === undefined ? severity : `${severity} (${score})`),
  noPackages: "Es wurde kein Paket gefunden.",
  packageColumns: { name: "Paket", version: "Version", findings: "Befunde", layer: "Layer" },
};

export const ignoreRules: Translated<typeof english.ignoreRules> = {
  title: "Unterdrückte Schwachstellen",
  about:
    "Eine Regel nimmt eine Schwachstelle für begrenzte Zeit aus Befunden, Zahlen, Benachrichtigungen und Pull-Sperren. Unterdrückte Befunde bleiben aufgelistet.",
  none: "Hier ist keine Schwachstelle unterdrückt. Öffnen Sie einen Befund eines Images, um ihn zu unterdrücken.",
  noneOfOrganization: "Keine Schwachstelle ist in allen Images der Organisation unterdrückt.",
  columns: {
    vulnerability: "Schwachstelle",
    about: "In",
    reason: "Grund",
    author: "Von",
    expires: "Endet",
    used: "Zuletzt benutzt",
    actions: "Aktionen",
  },
  everyPackage: "allen Paketen",
  expired: "beendet",
  unused: "nie",
  remove: "Regel entfernen",
  removed: (vulnerability) => `${vulnerability} ist dann wieder ein Befund.`,
  suppress: "Unterdrücken",
  suppressChosen: "Ausgewählte Schwachstellen unterdrücken",
  vulnerability: "Schwachstelle",
  purl: "Package-URL (freiwillig)",
  purlRule: "pkg:deb/debian/zlib1g, ohne Version; leer: alle Pakete",
  reason: "Grund",
  expires: "Bis zum Ende des",
  package: "In welchen Paketen",
  packages: (name) => ({ package: `Nur ${name}`, all: "Alle Pakete" }),
  image: "In welchen Images",
  images: { all: "Alle Images des Repositorys", image: "Nur dieses Image" },
  add: "Schwachstelle unterdrücken",
  added: "Die Schwachstelle ist unterdrückt. Die Zahlen der Tags folgen binnen Minuten.",
};

export const fleet: Translated<typeof english.fleet> = {
  parts: { found: "Gefunden", suppressed: "Unterdrückt" },
  title: "Schwachstellen jetzt",
  images: (images, uncounted, partial) =>
    `${images} ${images === 1 ? "Image" : "Images"} mit Tags; ${uncounted} nicht beurteilt, ${partial} zum Teil beurteilt.`,
  none: "Hier ist kein Image mit einem Tag.",
  worst: "Die schlimmsten Images",
  upgrades: {
    title: "Die Upgrades, die am meisten beseitigen",
    none: "Kein Upgrade mit bekannter Version beseitigt eine Schwachstelle vom Grad Critical oder High.",
    columns: {
      package: "Paket",
      versions: "Upgrade",
      critical: "Critical",
      high: "High",
      exploited: "Ausgenutzt",
      images: "Images",
      repositories: "Repositorys",
    },
    versions: (from, to) => `${from} → ${to}`,
  },
  columns: {
    image: "Image",
    tags: "Tags",
    severities: "Schwachstellen",
    fixable: "Mit Korrektur",
    exploited: "Ausgenutzt",
  },
  news: "Neue Schwachstellen seit gestern",
  noNews: "Seit gestern wurde in Ihren Images keine Schwachstelle gefunden.",
  newsColumns: { image: "Image", found: "Gefunden", count: "Neu", first: "Schlimmste" },
  trend: "Schwachstellen nach Tagen",
  noTrend: "Es gibt noch keine Zahlen. Die ersten entstehen binnen einer Stunde nach dem Scan eines Images.",
  trendLabel: (first, last, most) =>
    `Schwachstellen nach Schweregrad an jedem Tag vom ${first} bis zum ${last}; höchstens ${most}. Die Tabelle darunter hat die Zahlen.`,
  figures: "Die Zahlen als Tabelle",
  day: "Tag",
  notAssessed: "Nicht beurteilt",
  days: "Tage",
  usage: {
    title: "Speicher und Abrufe",
    about: "Wie groß die Repositorys sind; was mehrere Repositorys gemeinsam haben, zählt für jedes von ihnen.",
    storage: (now) => `Jetzt gespeichert: ${now}`,
    storageLabel: (first, last) =>
      `Gespeicherte Bytes an jedem Tag vom ${first} bis zum ${last}. Die Tabelle darunter hat die Zahlen.`,
    pulls: (count, days) => `Abrufe an ${days} ${days === 1 ? "vergangenen Tag" : "vergangenen Tagen"}: ${count}`,
    pullsLabel: (first, last) =>
      `Abrufe an jedem Tag vom ${first} bis zum ${last}. Die Tabelle darunter hat die Zahlen.`,
    noPulls: "Abrufe werden gezählt, wenn ein Tag vorbei ist.",
    largest: "Die größten Repositorys",
    none: "Hier ist kein Repository.",
    columns: { size: "Größe", pulls: "Abrufe", repository: "Repository", change: "Änderung" },
  },
};

export const report: Translated<typeof english.report> = {
  search: "Kennung, Paket, Pfad suchen …",
  reset: "Zurücksetzen",
  remedy: "Was zu tun ist",
  evidence: "Belege",
};
