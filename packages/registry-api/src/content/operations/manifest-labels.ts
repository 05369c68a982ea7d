import { onRepository } from "@plimsoll/registry/access/on-repository";
import { addLabel, deleteLabel, getLabel } from "@plimsoll/registry/content/change-labels";
import {
  getShownManifest,
  type LabelKey,
  type LabelRow,
  listLabels,
} from "@plimsoll/registry/content/queries/manifest-content";
import { ListPageQuery, nextPage, readListPage } from "@plimsoll/registry/lists/list-pages";
import { findUsageLimits } from "@plimsoll/registry/organizations/quotas/usage-limits";
import { baseUrl } from "@plimsoll/registry/settings";
import { Type } from "typebox";
import { operation, repositoryApiPath } from "../../operation.ts";

const tag = "manifest";
const path = "/repository/{repository}/manifest/{manifestref}/labels";
const about = { manifestref: "The digest of the manifest" };
const toChange = onRepository("write", { onlyNormal: true });

const MediaType = Type.Enum(["text/plain", "application/json"]);

const Label = Type.Object({
  id: Type.String(),
  key: Type.String(),
  value: Type.String(),
  source_type: Type.Enum(["manifest", "api", "internal"]),
  media_type: Type.String(),
});

const listManifestLabels = operation({
  id: "listManifestLabels",
  method: "GET",
  path,
  summary: "The labels of an image.",
  tag,
  about,
  access: onRepository("read"),
  query: Type.Object({
    ...ListPageQuery.properties,
    filter: Type.Optional(Type.String({ maxLength: 255, description: "Only labels whose keys begin with this text" })),
  }),
  success: 200,
  mayBeLong: true, // a label may have 64 KB
  result: Type.Object({ labels: Type.Array(Label), ...nextPage }),
  async handle({ subject: { repository }, params: { manifestref: digest }, query }, context) {
    const { db, now } = context;
    const { filter: prefix = "" } = query;
    const { id: ownerId } = await getShownManifest(db, { repositoryId: repository.id, digest, now });
    const first: LabelKey = [prefix, Number.MIN_SAFE_INTEGER, ""];
    const keyOf = ({ key, created_at, id }: LabelRow): LabelKey => [key, created_at, id];
    const { rows, ...next } = await readListPage(context, { list: "labels", ownerId, query, first, keyOf }, (from) =>
      listLabels(db, ownerId, { prefix, ...from }),
    );
    return { labels: rows.map(labelView), ...next };
  },
});

const getManifestLabel = operation({
  id: "getManifestLabel",
  versionMembers: ["key", "value"],
  method: "GET",
  path: `${path}/{labelid}`,
  summary: "A label of an image.",
  tag,
  about,
  access: onRepository("read"),
  success: 200,
  result: Label,
  async handle({ subject: { repository }, params: { manifestref: digest, labelid } }, { db, now }) {
    const manifest = await getShownManifest(db, { repositoryId: repository.id, digest, now });
    return labelView(await getLabel(db, manifest.id, labelid));
  },
});

const addManifestLabel = operation({
  id: "addManifestLabel",
  audit: ["manifest_label_add"],
  method: "POST",
  path,
  summary: "Add a label to an image.",
  tag,
  about,
  access: toChange,
  body: Type.Object({
    key: Type.String({ maxLength: 255 }),
    value: Type.String({ maxLength: 65_536 }),
    media_type: Type.Union([MediaType, Type.Null()], { description: "Null: derived from the value" }),
  }),
  success: 201,
  result: Type.Object({ label: Label }),
  async handle({ subject: { repository }, params: { manifestref: digest }, body }, context) {
    const { db, now, log, request, setHeader, settings } = context;
    const { name: repo, namespace } = repository;
    const manifest = await getShownManifest(db, { repositoryId: repository.id, digest, now });
    const limits = await findUsageLimits(db, settings, repository.namespace_id);
    const label = await addLabel(db, manifest, { ...body, now, limits });
    const { id, key, value, media_type } = label;
    await log("manifest_label_add", { id, key, value, manifest_digest: digest, media_type, namespace, repo });
    setHeader("location", `${baseUrl(request.origin)}${repositoryApiPath(repository)}/manifest/${digest}/labels/${id}`);
    return { label: labelView(label) };
  },
});

const deleteManifestLabel = operation({
  id: "deleteManifestLabel",
  version: getManifestLabel,
  audit: ["manifest_label_delete"],
  method: "DELETE",
  path: `${path}/{labelid}`,
  summary: "Delete a label that was added over the API.",
  tag,
  about,
  access: toChange,
  success: 204,
  async handle({ subject: { repository }, params: { manifestref: digest, labelid } }, { db, now, log }) {
    const { name: repo, namespace } = repository;
    const manifest = await getShownManifest(db, { repositoryId: repository.id, digest, now });
    const { id, key, value } = await deleteLabel(db, manifest, labelid);
    await log("manifest_label_delete", { id, key, value, manifest_digest: digest, namespace, repo });
  },
});

function labelView({ id, key, value, source_type, media_type }: LabelRow) {
  return { id, key, value, source_type, media_type };
}

/** Operations on the labels of image manifests. */
export const manifestLabelOperations = [listManifestLabels, getManifestLabel, addManifestLabel, deleteManifestLabel];
