import { getRepoManifestSecurityDiff } from "../api/generated/secscan.ts";
import { listRepoTags } from "../api/generated/tag.ts";
import type { ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { texts } from "../texts/texts.ts";
import { DiffTables } from "./diff-tables.tsx";
import { type ShownImage, withoutResult } from "./shown-image.ts";

const words = texts.comparison;

/** How many tags can be chosen from: the latest. */
const mostTags = 100;

type Tag = ResultOf<typeof listRepoTags>["tags"][number];

/** What differs between the image and that of another tag, which is in the address: `?view=compare&compare=1.0`. */
export function Comparison({ repository, digest }: ShownImage) {
  const [before] = useSearchParam("compare");
  const query = { onlyActiveTags: true, limit: mostTags };
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
              <Diff image={{ repository, digest }} before={first} />
            )
          }
        </Answered>
      )}
    </>
  );
}

function TagChoice({ tags, digest }: { readonly tags: readonly Tag[]; readonly digest: string }) {
  const [before, setBefore] = useSearchParam("compare");
  const others = tags.filter(
    ({ manifest_digest: of, is_manifest_list: isList, name }) => name === before || (of !== digest && !isList),
  );
  if (others.length === 0) return <NoOther tags={tags} digest={digest} />;
  return (
    <div className="filters">
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
    </div>
  );
}

/** Why there is nothing to choose from. */
function NoOther({ tags, digest }: { readonly tags: readonly Tag[]; readonly digest: string }) {
  const areSame = tags.length > 1 && tags.every(({ manifest_digest: of }) => of === digest);
  return <p className="empty">{areSame ? words.sameImage : words.noOther}</p>;
}

function Diff({ image, before }: { readonly image: ShownImage; readonly before: Tag }) {
  const { repository, digest } = image;
  const asked = { params: { repository, manifestref: digest }, query: { before: before.manifest_digest } };
  return (
    <Answered query={useOperation(getRepoManifestSecurityDiff, asked)}>
      {({ status, diff, reason }) =>
        diff === null ? <p role="status">{withoutResult(status, reason)}</p> : <DiffTables diff={diff} />
      }
    </Answered>
  );
}
