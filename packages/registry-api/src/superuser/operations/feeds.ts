import { Type } from "typebox";
import { superusers } from "../../access/on-account.ts";
import { operation } from "../../operation.ts";

const instant = Type.Integer({ description: "Epoch milliseconds" });

const Feed = Type.Object({
  name: Type.String(),
  kind: Type.Enum(["vulnerability", "enrichment"], {
    description: "Whether it brings advisories, or facts about vulnerabilities",
  }),
  rows: Type.Integer({ description: "Its advisories or facts that hold now" }),
  dropped: Type.Integer({ description: "Its records that could not be used" }),
  changed_at: instant,
  checked_at: instant,
  is_outdated: Type.Boolean({ description: "It was not checked for longer than the settings allow" }),
});

const feedsOperation = operation({
  tag: "superuser",
  isOwn: true,
  access: superusers,
  id: "listFeeds",
  method: "GET",
  path: "/superuser/feeds",
  summary: "The feeds that images are matched with, by name, with their age.",
  success: 200,
  result: Type.Object({
    feeds: Type.Union([Type.Array(Feed), Type.Null()], {
      description: "null where there is no scanner, or it is elsewhere and does not tell",
    }),
  }),
  async handle(_, { ports: { imageScanner } }) {
    const feeds = await imageScanner?.feeds?.();
    if (feeds === undefined) return { feeds: null };
    const shown = feeds.map(({ name, kind, rows, dropped, changedAt, checkedAt, isOutdated }) => ({
      ...{ name, kind, rows, dropped },
      ...{ changed_at: changedAt, checked_at: checkedAt, is_outdated: isOutdated },
    }));
    return { feeds: shown };
  },
});

/** What superusers see of the feeds of the scanner. */
export const feedOperations = [feedsOperation];
