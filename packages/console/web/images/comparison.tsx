import { getRepoManifest } from "../api/generated/manifest.ts";
import { getRepoManifestSecurityDiff } from "../api/generated/secscan.ts";
import { listRepoTags } from "../api/generated/tag.ts";
import type { ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { SelectField } from "../shared/select-field.tsx";
import { texts } from "../texts/texts.ts";
import { DiffTables } from "./diff-tables.tsx";
import { missingResultText, type ShownImage } from "./shown-image.ts";
import { platformsOf } from "./shown-manifest.ts";

const words = texts.comparison;

/** How many of the latest tags are offered. */
const maxTags = 100;

type Tag = ResultOf<typeof listRepoTags>["tags"][number];

/** The differences between the image and the image of another tag, which is in the address: `?view=compare&compare=1.0`. */
export function Comparison({ repository, digest }: ShownImage) {
  const [before] = useSearchParam("compare");
  const query = { onlyActiveTags: true, limit: maxTags };
  const tags = useOperation(listRepoTags, { params: { repository }, query });
  const named = useOperation(
    listRepoTags,
    { params: { repository }, query: { onlyActiveTags: true, specificTag: before } },
    { enabled: before !== "" },
  );
  return (
    <>
      <Answered query={tags}>{({ tags: all }) => <TagChoice tags={all} digest={digest} />}</Answered>
      {before !== "" && (
        <Answered query={named}>
          {({ tags: [first] }) =>
            first === undefined ? (
              <p className="empty">{texts.failure.notFound}</p>
            ) : (
              <WithTag image={{ repository, digest }} before={first} />
            )
          }
        </Answered>
      )}
    </>
  );
}

function TagChoice({ tags, digest }: { readonly tags: readonly Tag[]; readonly digest: string }) {
  const [before, setBefore] = useSearchParam("compare");
  const others = tags.filter(({ manifest_digest: of, name }) => name === before || of !== digest);
  if (others.length === 0) return <NoOther tags={tags} digest={digest} />;
  return (
    <>
      <label>
        {words.title}{" "}
        <select value={before} onChange={({ target }) => setBefore(target.value)}>
          <option value="">{words.choose}</option>
          {others.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {before === "" && <p className="empty">{words.nothingChosen}</p>}
    </>
  );
}

/** The reason why there is no tag to choose. */
function NoOther({ tags, digest }: { readonly tags: readonly Tag[]; readonly digest: string }) {
  const areSame = tags.length > 1 && tags.every(({ manifest_digest: of }) => of === digest);
  return <p className="empty">{areSame ? words.sameImage : words.noOther}</p>;
}

function WithTag({ image, before }: { readonly image: ShownImage; readonly before: Tag }) {
  if (before.is_manifest_list) return <WithPlatform image={image} list={before.manifest_digest} />;
  return <Diff image={image} before={before.manifest_digest} />;
}

/** The comparison with a tag of several platforms. The platform is in the address too; the default is the first. */
function WithPlatform({ image, list }: { readonly image: ShownImage; readonly list: string }) {
  const [chosen, choose] = useSearchParam("platform");
  const params = { repository: image.repository, manifestref: list };
  return (
    <Answered query={useOperation(getRepoManifest, { params, query: {} })}>
      {(manifest) => {
        const images = platformsOf(manifest).filter(({ platform }) => platform.includes("/"));
        const current = images.find(({ platform }) => platform === chosen) ?? images[0];
        if (current === undefined) return <p className="empty">{words.noPlatform}</p>;
        const options = Object.fromEntries(images.map(({ platform }) => [platform, platform]));
        return (
          <>
            <SelectField
              key={current.platform}
              name="platform"
              label={words.platform}
              options={options}
              defaultValue={current.platform}
              onChoice={choose}
            />
            <Diff image={image} before={current.digest} />
          </>
        );
      }}
    </Answered>
  );
}

/** @param before the digest of the earlier image */
function Diff({ image, before }: { readonly image: ShownImage; readonly before: string }) {
  const { repository, digest } = image;
  if (before === digest) return <p className="empty">{words.sameDigest}</p>;
  const given = { params: { repository, manifestref: digest }, query: { before } };
  return <DiffOf given={given} />;
}

interface DiffQuery {
  readonly params: { readonly repository: string; readonly manifestref: string };
  readonly query: { readonly before: string };
}

function DiffOf({ given }: { readonly given: DiffQuery }) {
  return (
    <Answered query={useOperation(getRepoManifestSecurityDiff, given)}>
      {({ status, diff, reason }) =>
        diff === null ? <p role="status">{missingResultText(status, reason)}</p> : <DiffTables diff={diff} />
      }
    </Answered>
  );
}
