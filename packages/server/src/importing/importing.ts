import { isDeepStrictEqual } from "node:util";
import type { OperatedRegistry, UpstreamRepository } from "@plimsoll/registry-api";
import type { TSchema } from "typebox";
import type { CredentialFile } from "./credential-file.ts";
import { type Listing, listAll, NotTaken, type ReadingApi, readAll, type WritingApi } from "./management-api.ts";
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
  /** The user here who makes everything. */
  readonly username: string;
  readonly isDryRun: boolean;
  /** Users that this run has made, or would make. */
  readonly madeUsers: Set<string>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Whether users that are missing here are made. */
  readonly createsUsers: boolean;
  /** Whether a tag that leads elsewhere here follows the source. */
  readonly movesTags: boolean;
  readonly signal: AbortSignal;
}

/** A thing of the source. */
export interface Wanted {
  readonly kind: ImportedKind;
  readonly name: string;
  /** What differs here where it is there already; undefined where nothing does, `missing` where it is to be made. */
  look(): Promise<"missing" | string | undefined>;
  /** Makes it. @returns a text: what is to be known of it */
  make(): Promise<unknown>;
}

/** Takes one thing over, unless it is here. @returns whether it is here now */
export async function take({ report, signal }: Importing, { kind, name, look, make }: Wanted): Promise<boolean> {
  signal.throwIfAborted();
  return attempt(report, { kind, name }, async () => {
    const difference = await look();
    if (difference !== "missing") {
      report.add({ kind, name, outcome: "present", ...(difference !== undefined && { note: difference }) });
      return;
    }
    const note = await make();
    report.add({ kind, name, outcome: "taken", ...(typeof note === "string" && { note }) });
  });
}

/** Does a part of the work; what cannot be taken by it is in the report. @returns whether that went well */
export async function attempt(
  report: ImportReport,
  { kind, name }: Pick<Wanted, "kind" | "name">,
  work: () => Promise<void>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof NotTaken)) throw error;
    report.add({ kind, name, outcome: "not taken", note: error.message });
    return false;
  }
}

/** A list whose entries are made one by one, at the path where they are read. */
export interface WantedList<Schema extends TSchema, Item> {
  readonly kind: ImportedKind;
  /** Whose they are. */
  readonly owner: string;
  readonly path: string;
  readonly listing: Listing<Schema, Item>;
  /** What an entry is made with: two entries of which that is the same are the same. */
  bodyOf(item: Item): object;
  nameOf(item: Item): string;
  /** All where absent. */
  isWanted?(item: Item): boolean;
  /** Called before an entry is made. */
  prepare?(item: Item): Promise<void>;
}

/** Takes the entries of a list over that are not here. */
export async function takeList<Schema extends TSchema, Item>(
  importing: Importing,
  { kind, owner, path, listing, bodyOf, nameOf, isWanted = () => true, prepare }: WantedList<Schema, Item>,
): Promise<void> {
  const { source, target, report } = importing;
  await attempt(report, { kind, name: owner }, async () => {
    const here = (await listAll(target, path, listing)).map(bodyOf);
    for await (const item of readAll(source, path, listing)) {
      if (!isWanted(item)) continue;
      const body = bodyOf(item);
      await take(importing, {
        ...{ kind, name: `${owner}: ${nameOf(item)}` },
        look: async () => (here.some((each) => isDeepStrictEqual(each, body)) ? undefined : "missing"),
        async make() {
          await prepare?.(item);
          await target.send("POST", path, body);
        },
      });
    }
  });
}
