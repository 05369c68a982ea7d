import { type Static, type TSchema, Type } from "typebox";
import { ImageWithNews } from "../../security/namespace-security/view-security.ts";

/** How many entries a list has at most. */
export const listLength = 10;

/** The schema of one list of the response. */
function part<Entry extends TSchema>(entry: Entry, description: string) {
  const entries = Type.Array(entry, { description: `The first ${listLength}` });
  return Type.Union([Type.Object({ entries, has_additional: Type.Boolean() }), Type.Null()], {
    description: `${description}; null where the caller may not see it, or the registry does not have it`,
  });
}

const repository = Type.String({ description: "NAMESPACE/NAME" });
const instant = Type.Integer({ description: "Epoch milliseconds" });

const QuotaNearLimit = Type.Object({
  namespace: Type.String(),
  is_organization: Type.Boolean(),
  used_bytes: Type.Integer(),
  limit_bytes: Type.Integer({ description: "The quota of the namespace" }),
  state: Type.Enum(["near", "warned", "refused"], {
    description: "Whether it uses nine tenths, has passed a limit that warns, or one from which on pushes are refused",
  }),
});
/** A namespace whose quota is nearly used up. */
export type QuotaNearLimit = Static<typeof QuotaNearLimit>;

const FeedInNeed = Type.Object({
  name: Type.String(),
  state: Type.Enum(["missing", "outdated", "failed"], {
    description:
      "Whether it is to be loaded and is not, was not checked for longer than the settings allow, or only its last update failed",
  }),
  checked_at: Type.Union([instant, Type.Null()], {
    description: "The time of the last successful check; null if the feed is missing",
  }),
  last_error: Type.Union([Type.String(), Type.Null()], { description: "Why its last update failed, if it failed" }),
});
/** A feed that is missing, outdated, or failed to update. */
export type FeedInNeed = Static<typeof FeedInNeed>;

/** Everything that the caller has to act on. */
export const Attention = Type.Object({
  images: part(ImageWithNews, "Images in which vulnerabilities were found since yesterday, the latest first"),
  builds: part(
    Type.Object({
      repository,
      build_id: Type.String(),
      started: instant,
      error: Type.Union([Type.String(), Type.Null()]),
    }),
    "Builds that failed since yesterday and were not repeated, in repositories that the caller may write, the latest first",
  ),
  mirrors: part(
    Type.Object({
      namespace: Type.String(),
      repository: Type.Union([Type.String(), Type.Null()], {
        description: "The mirror's; null: the catalog that the organization follows could not be read",
      }),
      external_reference: Type.String({ description: "The mirrored repository" }),
      message: Type.Union([Type.String(), Type.Null()], { description: "Why a catalog could not be read" }),
    }),
    "Mirrors that the caller administers, and whose last run failed",
  ),
  quotas: part(
    QuotaNearLimit,
    "Namespaces that the caller administers and whose quota is nearly used up, the fullest first",
  ),
  blobs: part(
    Type.Object({
      digest: Type.String(),
      size_bytes: Type.Integer(),
      fault: Type.Enum(["missing", "wrong_size", "wrong_digest", "unreadable"], {
        description:
          "Whether the blob store does not have it, has content of another size or digest, or cannot read it",
      }),
      found_at: instant,
      repositories: Type.Array(repository, { description: "Some of the repositories whose images need it" }),
    }),
    "Blobs that are missing or damaged until they are pushed again or an operator restores them, the latest first, for superusers",
  ),
  jobs: part(
    Type.Object({
      job_id: Type.String(),
      kind: Type.String(),
      last_error: Type.Union([Type.String(), Type.Null()]),
    }),
    "Jobs that have failed for good, for superusers",
  ),
  feeds: part(
    FeedInNeed,
    "Feeds that are to be loaded and are not, that are too old, or whose last update failed, in this order, for superusers",
  ),
});
export type Attention = Static<typeof Attention>;
