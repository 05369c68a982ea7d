import type { Advisory } from "../../model/advisory.ts";
import type { FeedItem, FeedScope, Updater } from "../../plugins/updater.ts";
import { type ChosenFiles, chooseFiles } from "../shared/chosen-files.ts";
import type { FeedFile } from "../shared/feed-files.ts";
import type { FeedPart, FeedParts } from "../shared/feed-parts.ts";
import { malformedFeed, recordItems } from "../shared/malformed-feed.ts";
import { noForm, type OtherForm, splitForms } from "../shared/other-form.ts";
import { snapshotUpdater } from "../shared/snapshot-updater.ts";
import { xmlElements } from "../shared/xml-elements.ts";
import { type OvalVendor, ovalAdvisories } from "./definition.ts";
import { readOvalTables } from "./tables.ts";

/** The OVAL feed of a vendor. */
export interface OvalFeed {
  readonly location: string;
  readonly scope: FeedScope;
  readonly vendor: OvalVendor;
  /** Another form that a file or a folder may have. */
  readonly otherForm?: OtherForm;
  /** Which feed reads other documents of the vendor, for messages. */
  readonly otherFeed?: string;
  /** Finds the existing parts of the feed. */
  findParts(parts: FeedParts): Promise<readonly FeedPart[]>;
}

/** Makes the updater of a vendor's OVAL feed. */
export function ovalUpdater({
  location,
  scope,
  vendor,
  otherForm = noForm,
  otherFeed = "",
  findParts,
}: OvalFeed): Updater {
  const name = vendor.updater;
  return snapshotUpdater({
    name,
    location,
    scope,
    revision: 1,
    findParts,
    async items(parts) {
      const { plain, others } = await splitForms(parts, otherForm);
      const chosen = chooseFiles(
        plain.map(({ file }) => file),
        (each) => each.endsWith(".xml"),
      );
      if (chosen.files.length + others.length === 0)
        throw malformedFeed(name, `expected OVAL documents, found none${otherFeed}`);
      return allItems(chosen, others, { vendor, otherForm });
    },
  });
}

async function* allItems(
  { files, skipped }: ChosenFiles,
  others: readonly FeedFile[],
  { vendor, otherForm }: Pick<Required<OvalFeed>, "vendor" | "otherForm">,
): AsyncGenerator<FeedItem<Advisory>> {
  yield* skipped;
  yield* ovalItems(files, vendor);
  if (others.length > 0) yield* otherForm.items(others);
}

/** The advisories of documents. Each document is read twice, since definitions come before the tables that they refer to. */
export async function* ovalItems(files: readonly FeedFile[], vendor: OvalVendor): AsyncGenerator<FeedItem<Advisory>> {
  for (const { location, stream } of files) {
    const tables = await readOvalTables(stream(), location);
    const selection = { root: "oval_definitions", depth: 2, wants: (name: string) => name === "definition" };
    for await (const definition of xmlElements(stream(), location, selection)) {
      const at = `${location}: ${definition.attributes.id ?? "a definition without an id"}`;
      yield* recordItems(at, (readPart) => ovalAdvisories(definition, { vendor, tables }, readPart));
    }
  }
}
