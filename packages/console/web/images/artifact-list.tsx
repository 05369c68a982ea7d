import { Link } from "wouter";
import type { ResultOf } from "../api/operation.ts";
import { usePages } from "../api/use-pages.ts";
import { imagePath } from "../places.ts";
import { Digest } from "../shared/copy-button.tsx";
import { Paged } from "../shared/paged.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";

type Artifact = ResultOf<"GET /repository/{repository}/manifest/{manifestref}/referrers">["referrers"][number];

const words = texts.artifacts;

interface Props {
  readonly namespace: string;
  readonly repository: string;
  /** The digest of the image manifest or image index. */
  readonly digest: string;
}

/** The artifacts that refer to an image: signatures, attestations, bills of materials and others. */
export function ArtifactList({ namespace, repository, digest }: Props) {
  const params = { repository: `${namespace}/${repository}`, manifestref: digest };
  const artifacts = usePages("GET /repository/{repository}/manifest/{manifestref}/referrers", { params, query: {} });
  const name: Column<Artifact> = {
    title: words.kind,
    isName: true,
    cell: (artifact) => (
      <Link href={imagePath(namespace, repository, { kind: "digest", digest: artifact.digest })}>
        {words.kinds[kindOfArtifact(artifact.artifact_type)]}
      </Link>
    ),
  };
  return (
    <Paged query={artifacts}>
      {(pages) => (
        <Table
          columns={[name, ...columns]}
          rows={pages.flatMap(({ referrers }) => referrers)}
          keyOf={(artifact) => artifact.digest}
          empty={words.none}
        />
      )}
    </Paged>
  );
}

const columns: readonly Column<Artifact>[] = [
  { title: words.type, isText: true, cell: ({ artifact_type: type }) => type ?? "–" },
  { title: words.digest, cell: ({ digest }) => <Digest digest={digest} /> },
  { title: words.pushed, cell: ({ created }) => <Time at={Date.parse(created)} /> },
];

/** The kind of an artifact, in common terms. */
type ArtifactKind = "signature" | "attestation" | "sbom" | "vex" | "other";

/** Patterns in artifact types and the kinds that they mean; the first match decides. */
const patterns: readonly (readonly [kind: ArtifactKind, text: RegExp])[] = [
  ["vex", /openvex|\bvex\b|csaf/],
  ["sbom", /cyclonedx|spdx|syft|sbom/],
  ["attestation", /in-toto|attestation|dsse|sigstore\.bundle/],
  ["signature", /simplesigning|cosign\.artifact\.sig|notary|signature/],
];

/** The kind of an artifact with a media or artifact type. */
export function kindOfArtifact(type: string | null): ArtifactKind {
  const text = (type ?? "").toLowerCase();
  return patterns.find(([, pattern]) => pattern.test(text))?.[0] ?? "other";
}
