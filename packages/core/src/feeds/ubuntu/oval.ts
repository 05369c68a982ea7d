import type { Advisory } from "../../model/advisory.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import type { OvalVendor } from "../oval/definition.ts";
import { ovalItems } from "../oval/updater.ts";
import type { FeedFile } from "../shared/feed-files.ts";
import { headOf } from "../shared/other-form.ts";
import { childrenNamed, findChild } from "../shared/xml-elements.ts";
import { withoutFix } from "./records.ts";

/** Packages are binaries. The release is read from the platform, since no criterion contains it. */
const vendor: OvalVendor = {
  updater: "ubuntu",
  packageKind: "BINARY",
  ecosystemsOf: (_, metadata) =>
    childrenNamed(findChild(metadata, "affected"), "platform").flatMap(({ text }) => keysOf(text)),
};

/**
 * The advisories of an OVAL document; Ubuntu publishes one for each release. A fix in Ubuntu Pro (`1.2+esm1`) ends the affected range without being a
 * fix, because the document does not name the service that has it.
 * @see https://documentation.ubuntu.com/security/security-updates/oval/
 */
export async function* ubuntuOvalItems(file: FeedFile): AsyncGenerator<FeedItem<Advisory>> {
  for await (const entry of ovalItems([file], vendor)) {
    yield entry.kind === "item" ? { kind: "item", item: forPlainRelease(entry.item) } : entry;
  }
}

/** Whether a file is an OVAL document: by its name, or by its first characters if it is the location itself. */
export async function isOval(file: FeedFile): Promise<boolean> {
  if (file.name.endsWith(".xml")) return true;
  if (file.name !== "") return false;
  return (await headOf(file)).trimStart().startsWith("<");
}

function keysOf(platform: string): readonly string[] {
  const release = /^Ubuntu (\d+\.\d+)(?: LTS)?$/.exec(platform)?.[1];
  return release === undefined ? [] : [`ubuntu:${release}`];
}

function forPlainRelease(advisory: Advisory): Advisory {
  const ranges = advisory.ranges.map((range) => (/[+~]esm\d/.test(range.fixed ?? "") ? withoutFix(range) : range));
  return { ...advisory, ranges };
}
