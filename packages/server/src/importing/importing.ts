import { isDeepStrictEqual } from "node:util";
import type { UpstreamRepository } from "@plimsoll/registry";
import type { OperatedRegistry } from "@plimsoll/registry-api";
import type { CredentialFile } from "./credential-file.ts";
import { type Listing, listAll, NotImported, type ReadingApi, readAll, type WritingApi } from "./management-api.ts";
import type { ImportedKind, ImportReport } from "./report.ts";

/** One run of an import. */
export interface Importing {
  readonly source: ReadingApi;
  readonly target: WritingApi;
  /** Opens a repository of the source for its images. */
  openSource(repository: string): Promise<UpstreamRepository>;
  readonly importTags: OperatedRegistry["importTags"];
  readonly report: ImportReport;
  readonly credentials: CredentialFile;
  /** The user here who creates everything. */
  readonly username: string;
  readonly isDryRun: boolean;
  /** Users that this run has created, or would create. */
  readonly createdUsers: Set<string>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Whether missing users are created. */
  readonly createsUsers: boolean;
  /** Whether a tag that points to another image here is moved to that of the source. */
  readonly movesTags: boolean;
  readonly signal: AbortSignal;
}

/** An item of the source to import. */
export interface ImportItem {
  readonly kind: ImportedKind;
  readonly name: string;
  /** Compares it with this registry. Returns `missing`, a text about a difference, or undefined if both are equal. */
  compare(): Promise<"missing" | string | undefined>;
  /** Creates it. A returned text becomes the note in the report. */
  create(): Promise<unknown>;
}

/** Imports one item unless it exists. @returns whether it exists now */
export async function importItem(
  { report, signal }: Importing,
  { kind, name, compare: look, create: make }: ImportItem,
): Promise<boolean> {
  signal.throwIfAborted();
  return attempt(report, { kind, name }, async () => {
    const difference = await look();
    if (difference !== "missing") {
      report.add({ kind, name, outcome: "present", note: difference });
      return;
    }
    const note = await make();
    report.add({ kind, name, outcome: "taken", note: typeof note === "string" ? note : undefined });
  });
}

/** Does a part of the work, and reports a {@link NotImported}. @returns whether it succeeded */
export async function attempt(
  report: ImportReport,
  { kind, name }: Pick<ImportItem, "kind" | "name">,
  work: () => Promise<void>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof NotImported)) throw error;
    report.add({ kind, name, outcome: "not taken", note: error.message });
    return false;
  }
}

/** A list whose entries are created one by one, at the path where they are read. */
export interface ImportList<Item> {
  readonly kind: ImportedKind;
  /** The repository or organization that has the list, for the report. */
  readonly owner: string;
  readonly path: string;
  readonly listing: Listing<Item>;
  /** The request body that creates an entry. Entries with equal bodies are equal. */
  bodyOf(item: Item): object;
  nameOf(item: Item): string;
  /** Which entries are imported; by default all. */
  isWanted?(item: Item): boolean;
  /** Called before an entry is created. */
  prepare?(item: Item): Promise<void>;
}

/** Imports the entries of a list that are missing here. */
export async function importList<Item>(
  importing: Importing,
  { kind, owner, path, listing, bodyOf, nameOf, isWanted = () => true, prepare }: ImportList<Item>,
): Promise<void> {
  const { source, target, report } = importing;
  await attempt(report, { kind, name: owner }, async () => {
    const here = (await listAll(target, path, listing)).map(bodyOf);
    for await (const item of readAll(source, path, listing)) {
      if (!isWanted(item)) continue;
      const body = bodyOf(item);
      await importItem(importing, {
        ...{ kind, name: `${owner}: ${nameOf(item)}` },
        compare: async () => (here.some((each) => isDeepStrictEqual(each, body)) ? undefined : "missing"),
        async create() {
          await prepare?.(item);
          await target.send("POST", path, body);
        },
      });
    }
  });
}
