import { Type } from "typebox";
import { DigestText, reportBounds } from "./image.ts";

const someText = Type.String(reportBounds.text);
const text = Type.Optional(someText);
const cpe = Type.Optional(
  Type.String({ ...reportBounds.text, description: "A CPE name.", pattern: "^cpe:(/|2\\.3:)" }),
);
/** The characters of identifiers in os-release. */
const word = Type.Optional(Type.String({ ...reportBounds.text, pattern: "^[0-9a-z._-]+$" }));

const packageMembers = {
  id: text,
  name: someText,
  version: someText,
  kind: Type.Optional(Type.Enum(["BINARY", "SOURCE"])),
  normalized_version: text,
  module: text,
  arch: text,
  cpe,
};

const SourcePackage = Type.Object(packageMembers, { title: "source_package" });

/** An installed package. */
export const PackageDocument = Type.Object(
  { ...packageMembers, source: Type.Optional(SourcePackage) },
  { title: "package" },
);

/** An operating system release. */
export const DistributionDocument = Type.Object(
  {
    id: someText,
    did: word,
    name: text,
    version: text,
    version_code_name: word,
    version_id: word,
    arch: text,
    cpe,
    pretty_name: text,
  },
  { title: "distribution" },
);

/** A repository that packages come from. */
export const RepositoryDocument = Type.Object(
  { id: someText, name: text, key: text, uri: text, cpe },
  { title: "repository" },
);

const EnvironmentDocument = Type.Object(
  {
    package_db: text,
    distribution_id: text,
    introduced_in: Type.Optional(DigestText),
    repository_ids: Type.Optional(Type.Array(someText, reportBounds.list)),
  },
  { title: "environment" },
);

/** The content of an image: members of the index report and of the vulnerability report. */
export const inventoryMembers = {
  packages: Type.Record(Type.String(), PackageDocument, reportBounds.map),
  distributions: Type.Record(Type.String(), DistributionDocument, reportBounds.map),
  repository: Type.Record(Type.String(), RepositoryDocument, reportBounds.map),
  environments: Type.Record(Type.String(), Type.Array(EnvironmentDocument, reportBounds.list), reportBounds.map),
};

/** The content of an image and how indexing went. */
export const IndexReportDocument = Type.Object(
  {
    manifest_hash: DigestText,
    state: someText,
    err: text,
    success: Type.Boolean(),
    ...inventoryMembers,
  },
  { title: "index_report" },
);
