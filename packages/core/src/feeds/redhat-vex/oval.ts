import type { Advisory } from "../../model/advisory.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import type { OvalVendor } from "../oval/definition.ts";
import { ovalItems } from "../oval/updater.ts";
import type { FeedFile } from "../shared/feed-files.ts";
import { childrenNamed, childText, findChild } from "../shared/xml-elements.ts";

/** What the titles of definitions begin with that say what a vulnerability does not affect. */
const unaffected = "Unaffected components for:";

const vendor: OvalVendor = {
  updater: "redhat",
  packageKind: "BINARY",
  titlePrefix: unaffected,
  isWithdrawn: (metadata) => childText(metadata, "title")?.startsWith(unaffected) ?? false,
  ecosystemsOf: ({ products = [] }) => products.flatMap(keysOf),
  cpesOf(metadata) {
    const list = findChild(findChild(metadata, "advisory"), "affected_cpe_list");
    return childrenNamed(list, "cpe").map(({ text }) => text);
  },
};

/** The advisories of an OVAL document: errata (`RHSA-…`) of a release, or vulnerabilities that have no fix yet. */
export function redhatOvalItems(file: FeedFile): AsyncGenerator<FeedItem<Advisory>> {
  return ovalItems([file], vendor);
}

function keysOf(product: string): readonly string[] {
  const major = /^Red Hat Enterprise Linux (\d+)$/.exec(product)?.[1];
  return major === undefined ? [] : [`rhel:${major}`];
}
