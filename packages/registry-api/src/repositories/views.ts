import { type Static, Type } from "typebox";
import { ImageSeverities } from "../content/views.ts";
import { quotaReportMembers } from "../organizations/quotas/views.ts";

const QuotaReport = Type.Object(quotaReportMembers);

/** A repository in a list. */
export const RepositoryListElement = Type.Object({
  namespace: Type.String(),
  name: Type.String(),
  description: Type.String(),
  is_public: Type.Boolean(),
  kind: Type.String(),
  state: Type.String({ description: "NORMAL, READ_ONLY or MIRROR" }),
  last_modified: Type.Optional(
    Type.Union([Type.Integer(), Type.Null()], { description: "When the newest tag began, in seconds" }),
  ),
  popularity: Type.Optional(Type.Number({ description: "Pulls and pushes of the last seven days" })),
  daily_pulls: Type.Optional(
    Type.Array(Type.Integer(), {
      description: "How often it was pulled on each of the last 30 days that are over (UTC), the oldest first",
    }),
  ),
  is_starred: Type.Optional(Type.Boolean()),
  quota_report: Type.Optional(QuotaReport),
  severities: Type.Optional(
    Type.Union([ImageSeverities, Type.Null()], {
      description:
        "How many vulnerabilities the image of its newest tag has, of several the worst; null where that is not known, or there is none",
    }),
  ),
});
export type RepositoryListElement = Static<typeof RepositoryListElement>;

/** A tag in the view of a repository. */
export const RepositoryTagView = Type.Object({
  name: Type.String(),
  size: Type.Union([Type.Integer(), Type.Null()]),
  last_modified: Type.String(),
  expiration: Type.Optional(Type.String()),
  manifest_digest: Type.String(),
});
export type RepositoryTagView = Static<typeof RepositoryTagView>;

/** How often a repository was used on one day. */
export const DailyCount = Type.Object({
  date: Type.String({ description: "YYYY-MM-DD" }),
  count: Type.Integer(),
});
export type DailyCount = Static<typeof DailyCount>;

/** A repository. */
export const RepositoryView = Type.Object({
  namespace: Type.String(),
  name: Type.String(),
  kind: Type.String(),
  description: Type.String(),
  is_public: Type.Boolean(),
  is_organization: Type.Boolean(),
  is_starred: Type.Boolean(),
  status_token: Type.String({ description: "Token that shows the build badge; empty for a public repository" }),
  trust_enabled: Type.Boolean(),
  tag_expiration_s: Type.Integer(),
  is_free_account: Type.Boolean(),
  state: Type.String(),
  can_write: Type.Boolean(),
  can_admin: Type.Boolean(),
  tags: Type.Optional(Type.Record(Type.String(), RepositoryTagView)),
  stats: Type.Optional(Type.Array(DailyCount)),
  pull_tag: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: "Only where the query asks for it: `latest` where it is there, else the newest tag; null: no tag",
    }),
  ),
});
export type RepositoryView = Static<typeof RepositoryView>;
