/** What became of one thing of the source. */
export interface ReportEntry {
  readonly kind: ImportedKind;
  /** Where it is, with the organization it belongs to. */
  readonly name: string;
  readonly outcome: "taken" | "present" | "not taken";
  /** What is to be known of it: why it was not taken, or what differs. */
  readonly note?: string;
}

/** The kinds of things that are taken over, in the order of the report. */
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

/** How much of a kind was taken, was there, and was not taken. */
export interface KindCounts {
  readonly kind: ImportedKind;
  readonly taken: number;
  readonly present: number;
  readonly notTaken: number;
}

/** Keeps what became of everything: numbers of all, and each entry that someone has to know of. */
export class ImportReport {
  readonly #counts = new Map<ImportedKind, { taken: number; present: number; notTaken: number }>();
  readonly #entries: ReportEntry[] = [];

  add(entry: ReportEntry): void {
    const counts = this.#counts.get(entry.kind) ?? { taken: 0, present: 0, notTaken: 0 };
    this.#counts.set(entry.kind, counts);
    counts[entry.outcome === "not taken" ? "notTaken" : entry.outcome] += 1;
    if (entry.outcome !== "present" || entry.note !== undefined) this.#entries.push(entry);
  }

  /** What was taken, what was not, and what is here with a difference. */
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
