import { type TProperties, Type } from "typebox";

const text = Type.Optional(Type.String());

/** An object with the members of the contract and no others. */
function only<Members extends TProperties>(members: Members) {
  return Type.Object(members, { additionalProperties: false });
}

const packageMembers = {
  id: text,
  name: Type.String(),
  version: Type.String(),
  kind: Type.Optional(Type.Enum(["BINARY", "SOURCE"])),
  normalized_version: text,
  module: text,
  arch: text,
  cpe: text,
};

const Package = only({ ...packageMembers, source: Type.Optional(only(packageMembers)) });
const Distribution = only({
  id: Type.String(),
  did: text,
  name: text,
  version: text,
  version_code_name: text,
  version_id: text,
  arch: text,
  cpe: text,
  pretty_name: text,
});
const Repository = only({ id: Type.String(), name: text, key: text, uri: text, cpe: text });
const Environment = only({
  package_db: text,
  distribution_id: text,
  introduced_in: text,
  repository_ids: Type.Optional(Type.Array(Type.String())),
});

/** `index_report` of the contract. */
export const IndexReportSchema = only({
  manifest_hash: Type.String(),
  state: Type.String(),
  err: text,
  success: Type.Boolean(),
  packages: Type.Optional(Type.Record(Type.String(), Package)),
  distributions: Type.Optional(Type.Record(Type.String(), Distribution)),
  repository: Type.Optional(Type.Record(Type.String(), Repository)),
  environments: Type.Optional(Type.Record(Type.String(), Type.Array(Environment))),
});

/** `manifest` of the contract. */
export const ManifestSchema = only({
  hash: Type.String(),
  layers: Type.Optional(
    Type.Array(
      only({
        hash: Type.String(),
        uri: Type.String(),
        headers: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
        media_type: text,
      }),
    ),
  ),
});

/** `bulk_delete` of the contract. */
export const BulkDeleteSchema = Type.Array(Type.String());

/** `vulnerability_summaries` of the contract, with the members that it shows. */
export const SummariesSchema = Type.Array(
  only({
    name: Type.String(),
    fixed_in_version: text,
    links: text,
    description: text,
    normalized_severity: Type.String(),
    package: Type.Optional(Package),
    distribution: Type.Optional(Distribution),
    repository: Type.Optional(Repository),
  }),
);
