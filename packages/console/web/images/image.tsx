import { useOperation } from "../api/use-operation.ts";
import type { Reference } from "../places.ts";
import { Answered } from "../shared/answered.tsx";
import { Command } from "../shared/copy-button.tsx";
import { ManifestView } from "./manifest-view.tsx";

/** An image, named by its repository and a tag or digest. */
export interface ImageName {
  readonly namespace: string;
  readonly repository: string;
  readonly reference: Reference;
}

/** The page of an image or, for an image index, of its platforms. */
export function Image(name: ImageName) {
  const { namespace, repository, reference } = name;
  const manifestref = reference.kind === "tag" ? reference.tag : reference.digest;
  const params = { repository: `${namespace}/${repository}`, manifestref };
  const manifest = useOperation("GET /repository/{repository}/manifest/{manifestref}", {
    params,
    query: { pushers: true },
  });
  return (
    <>
      <h1>{reference.kind === "tag" ? `${repository}:${reference.tag}` : repository}</h1>
      <Command line={`docker pull ${window.location.host}/${namespace}/${repository}${suffixOf(reference)}`} />
      <Answered query={manifest}>
        {(found) => <ManifestView namespace={namespace} repository={repository} manifest={found} />}
      </Answered>
    </>
  );
}

function suffixOf(reference: Reference): string {
  return reference.kind === "tag" ? `:${reference.tag}` : `@${reference.digest}`;
}
