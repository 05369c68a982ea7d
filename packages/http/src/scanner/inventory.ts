import { Type } from "typebox";

const text = Type.Optional(Type.String());

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

const SourcePackage = Type.Object(packageMembers, { title: "source_package" });

/** An installed unit. */
export const PackageDocument = Type.Object(
  { ...packageMembers, source: Type.Optional(SourcePackage) },
  { title: "package" },
);

/** An operating system release. */
export const DistributionDocument = Type.Object(
  {
    id: Type.String(),
    did: text,
    name: text,
    version: text,
    version_code_name: text,
    version_id: text,
    arch: text,
    cpe: text,
    pretty_name: text,
  },
  { title: "distribution" },
);

/** Where packages come from. */
export const RepositoryDocument = Type.Object(
  { id: Type.String(), name: text, key: text, uri: text, cpe: text },
  { title: "repository" },
);

const EnvironmentDocument = Type.Object(
  {
    package_db: text,
    distribution_id: text,
    introduced_in: text,
    repository_ids: Type.Optional(Type.Array(Type.String())),
  },
  { title: "environment" },
);

/** What both reports say of an image's content. */
export const inventoryMembers = {
  packages: Type.Record(Type.String(), PackageDocument),
  distributions: Type.Record(Type.String(), DistributionDocument),
  repository: Type.Record(Type.String(), RepositoryDocument),
  environments: Type.Record(Type.String(), Type.Array(EnvironmentDocument)),
};
