import { ApiError } from "../api/api-error.ts";
import { getRepoManifest } from "../api/generated/manifest.ts";
import { listRepoTags } from "../api/generated/tag.ts";
import { useOperation } from "../api/use-operation.ts";
import type { Reference } from "../places.ts";
import type { ListedTag } from "../repositories/tag-query.ts";
import { Answered } from "../shared/answered.tsx";
import { Command } from "../shared/command.tsx";
import { Failure } from "../shared/failure.tsx";
import { texts } from "../texts/texts.ts";
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
  return (
    <>
      <h1>{reference.kind === "tag" ? `${repository}:${reference.tag}` : repository}</h1>
      <Command line={`docker pull ${window.location.host}/${namespace}/${repository}${suffixOf(reference)}`} />
      {reference.kind === "tag" ? (
        <TaggedImage namespace={namespace} repository={repository} tag={reference.tag} />
      ) : (
        <ManifestOf namespace={namespace} repository={repository} digest={reference.digest} />
      )}
    </>
  );
}

function suffixOf(reference: Reference): string {
  return reference.kind === "tag" ? `:${reference.tag}` : `@${reference.digest}`;
}

interface InRepository {
  readonly namespace: string;
  readonly repository: string;
}

function TaggedImage({ namespace, repository, tag }: InRepository & { readonly tag: string }) {
  const params = { repository: `${namespace}/${repository}` };
  const found = useOperation(listRepoTags, {
    params,
    query: { onlyActiveTags: true, specificTag: tag, pushers: true },
  });
  return (
    <Answered query={found}>
      {({ tags: [first] }) =>
        first === undefined ? (
          <Failure
            error={
              new ApiError({ status: 404, code: "not_found", message: texts.failure.notFound, requestId: undefined })
            }
          />
        ) : (
          <ManifestOf namespace={namespace} repository={repository} digest={first.manifest_digest} tag={first} />
        )
      }
    </Answered>
  );
}

interface NamedManifest extends InRepository {
  readonly digest: string;
  readonly tag?: ListedTag;
}

function ManifestOf({ namespace, repository, digest, tag }: NamedManifest) {
  const params = { repository: `${namespace}/${repository}`, manifestref: digest };
  const manifest = useOperation(getRepoManifest, { params, query: tag === undefined ? { pushers: true } : {} });
  return (
    <Answered query={manifest}>
      {(found) => <ManifestView namespace={namespace} repository={repository} manifest={found} tag={tag} />}
    </Answered>
  );
}
