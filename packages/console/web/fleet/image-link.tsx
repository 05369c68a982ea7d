import { Link } from "wouter";
import { imagePath } from "../places.ts";
import { shortDigest } from "../shared/units.ts";

interface Props {
  /** `NAMESPACE/NAME` */
  readonly repository: string;
  readonly digest: string;
}

/** A link to an image, by its digest: tags may show lists of images. */
export function ImageLink({ repository, digest }: Props) {
  const slash = repository.indexOf("/");
  const [namespace, name] = [repository.slice(0, slash), repository.slice(slash + 1)];
  return (
    <>
      <Link href={imagePath(namespace, name, { kind: "digest", digest })}>{repository}</Link>{" "}
      <code title={digest}>{shortDigest(digest)}</code>
    </>
  );
}
