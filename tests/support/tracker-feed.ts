import { allEnrichers, allUpdaters } from "@plimsoll/core";
import { feedNames } from "@plimsoll/matcher";
import type { FeedServer } from "@plimsoll/testing";
import type { SettingTexts } from "./service-process.ts";

/** Where the Debian tracker is on a server of feeds. */
export const trackerPath = "/tracker.json";

/** Settings that look at the Debian tracker of a server every second. Other feeds are not there, which does not hold the service up. */
export function updatingFrom({ url }: FeedServer): SettingTexts {
  const names = feedNames({ updaters: allUpdaters, enrichers: allEnrichers }).filter((name) => name !== "debian");
  const others = names.map((name) => [name, `${url}none/${name}`]);
  const feeds = JSON.stringify({ debian: new URL(trackerPath, url).href, ...Object.fromEntries(others) });
  return { updatePeriodSeconds: "1", feeds };
}
