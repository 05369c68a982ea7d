import type { Updater } from "../../plugins/updater.ts";
import { feedParts } from "../shared/feed-parts.ts";
import { readPage } from "../shared/read-page.ts";
import { localItems } from "./local.ts";
import { updateFromSite } from "./site.ts";

/** Increased when a change alters the advisories of the same documents. */
const revision = 2;

/**
 * Imports Red Hat's statements on the packages of its products (VEX): fixed, affected, not affected, under investigation. Reads its site, or an
 * archive, a document or a folder of these.
 * @see https://security.access.redhat.com/data/csaf/v2/vex/
 */
export const redhatUpdater: Updater = {
  name: "redhat",
  location: "https://security.access.redhat.com/data/csaf/v2/vex/",
  scope: { partBytes: { rhel: 0 }, sharedBytes: 200e6 },
  async update(feeds, previous) {
    const parts = feedParts(feeds, revision, previous);
    const whole = await parts.find();
    if (whole === undefined || (await readPage(whole)) !== undefined) return updateFromSite(feeds, previous);
    const changed = await parts.finish([whole]);
    if (changed === undefined) return { kind: "unchanged" };
    return { kind: "snapshot", fingerprint: changed.fingerprint, items: await localItems(feeds, changed.parts) };
  },
};
