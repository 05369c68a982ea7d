/** The outcome for one item of the source. */
export interface ReportEntry {
  readonly kind: ImportedKind;
  /** Its full name, beginning with the organization. */
  readonly name: string;
  readonly outcome: "taken" | "present" | "not taken";
  /** Why it was not imported, what differs, or what the operator has to do. */
  readonly note?: string;
}

/** The kinds of imported items, in the order of the report. */
export const importedKinds = [
  "organization",
  "user",
  "robot",
  "federation",
  "team",
  "team member",
  "application",
  "repository",
  "permission",
  "tag",
  "label",
  "notification",
  "auto-prune policy",
  "mirror",
  "immutability policy",
  "ignore rule",
  "pull gate",
  "state",
  "default permission",
  "quota",
  "proxy cache",
] as const;

/** One of {@link importedKinds}. */
export type ImportedKind = (typeof importedKinds)[number];

/** The numbers of imported, existing and not imported items of a kind. */
export interface KindCounts {
  readonly kind: ImportedKind;
  readonly taken: number;
  readonly present: number;
  readonly notTaken: number;
}

/** The result of an import: numbers by kind, and entries for everything except equal existing items. */
export class ImportReport {
  readonly #counts = new Map<ImportedKind, { taken: number; present: number; notTaken: number }>();
  readonly #entries: ReportEntry[] = [];

  add(entry: ReportEntry): void {
    const counts = this.#counts.get(entry.kind) ?? { taken: 0, present: 0, notTaken: 0 };
    this.#counts.set(entry.kind, counts);
    counts[entry.outcome === "not taken" ? "notTaken" : entry.outcome] += 1;
    if (entry.outcome !== "present" || entry.note !== undefined) this.#entries.push(entry);
  }

  /** Items that were imported, that were not, and existing ones that differ. */
  get entries(): readonly ReportEntry[] {
    return this.#entries;
  }

  get counts(): readonly KindCounts[] {
    return importedKinds.flatMap((kind) => {
      const counts = this.#counts.get(kind);
      return counts === undefined ? [] : [{ kind, ...counts }];
    });
  }

  get isComplete(): boolean {
    return this.counts.every(({ notTaken }) => notTaken === 0);
  }
}
