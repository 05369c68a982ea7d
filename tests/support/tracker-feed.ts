import type { FeedServer } from "@plimsoll/testing";
import type { SettingTexts } from "./service-process.ts";

/** Where the Debian tracker is on a server of feeds. */
export const trackerPath = "/tracker.json";

/** Settings that look at the Debian tracker of a server every second. The feeds of others are not there, which keeps no one back. */
export function updatingFrom({ url }: FeedServer): SettingTexts {
  const others = ["osv", "alpine", "wolfi", "chainguard"].map((name) => [name, `${url}none/${name}`]);
  const feeds = JSON.stringify({ debian: new URL(trackerPath, url).href, ...Object.fromEntries(others) });
  return { updatePeriodSeconds: "1", feeds };
}
