import type { Advisory } from "../../model/advisory.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import type { OvalVendor } from "../oval/definition.ts";
import { ovalItems } from "../oval/updater.ts";
import type { FeedFile } from "../shared/feed-files.ts";
import { childrenNamed, childText, findChild } from "../shared/xml-elements.ts";

/** The beginning of the titles of definitions that list unaffected packages. */
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

/** The advisories of an OVAL document: errata (`RHSA-…`) of a release, or unfixed vulnerabilities. */
export function redhatOvalItems(file: FeedFile): AsyncGenerator<FeedItem<Advisory>> {
  return ovalItems([file], vendor);
}

function keysOf(product: string): readonly string[] {
  const major = /^Red Hat Enterprise Linux (\d+)$/.exec(product)?.[1];
  return major === undefined ? [] : [`rhel:${major}`];
}
