import { Link } from "wouter";
import { imagePath, partsOfName } from "../places.ts";
import { shortDigest } from "../shared/units.ts";

interface Props {
  /** `NAMESPACE/NAME` */
  readonly repository: string;
  readonly digest: string;
  readonly tags: readonly string[];
}

/** A link to an image, named by its first tag. It leads to the digest, because the tag may point to an image index. */
export function ImageLink({ repository, digest, tags: [tag] }: Props) {
  return (
    <>
      <Link href={imagePath(...partsOfName(repository), { kind: "digest", digest })}>
        {repository}
        {tag !== undefined && `:${tag}`}
      </Link>{" "}
      <code title={digest}>{shortDigest(digest)}</code>
    </>
  );
}
