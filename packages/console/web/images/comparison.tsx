import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import type { ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { SelectField } from "../shared/select-field.tsx";
import { texts } from "../texts/texts.ts";
import { DiffTables } from "./diff-tables.tsx";
import { missingResultText, type ShownImage } from "./shown-image.ts";

const words = texts.comparison;

/** How many of the latest tags are offered. */
const maxTags = 100;

type Tag = ResultOf<"GET /repository/{repository}/tag/">["tags"][number];

/** The differences between the image and the image of another tag, which is in the address: `?view=compare&compare=1.0`. */
export function Comparison(image: ShownImage) {
  const [before, setBefore] = useSearchParam("compare", "added");
  const [, choosePlatform] = useSearchParam("platform");
  const chooseOther = () => {
    setBefore("");
    choosePlatform(""); // another tag may not have it
  };
  if (before === "") return <TagChoice image={image} onChoice={setBefore} />;
  return (
    <>
      <p className="actions">
        {words.comparedWith(before)}
        <button type="button" onClick={chooseOther}>
          {words.chooseOther}
        </button>
      </p>
      <Diff image={image} before={before} />
    </>
  );
}

interface ChoiceProps {
  readonly image: ShownImage;
  readonly onChoice: (tag: string) => void;
}

function TagChoice({ image: { repository, digest }, onChoice }: ChoiceProps) {
  const query = { onlyActiveTags: true, limit: maxTags };
  const found = useOperation("GET /repository/{repository}/tag/", { params: { repository }, query });
  const [tag, setTag] = useState("");
  return (
    <Answered query={found}>
      {({ tags }) => {
        const others = tags.filter(({ manifest_digest: of }) => of !== digest);
        if (others.length === 0) return <NoOther tags={tags} digest={digest} />;
        return (
          <>
            <div className="line">
              <label>
                {words.title}
                <select value={tag} onChange={({ target }) => setTag(target.value)}>
                  <option value="">{words.choose}</option>
                  {others.map(({ name }) => (
                    <option key={name}>{name}</option>
                  ))}
                </select>
              </label>
              <div className="actions">
                <button type="button" disabled={tag === ""} onClick={() => onChoice(tag)}>
                  {words.compare}
                </button>
              </div>
            </div>
            <p className="empty">{words.nothingChosen}</p>
          </>
        );
      }}
    </Answered>
  );
}

/** The reason why there is no tag to choose. */
function NoOther({ tags, digest }: { readonly tags: readonly Tag[]; readonly digest: string }) {
  const areSame = tags.length > 1 && tags.every(({ manifest_digest: of }) => of === digest);
  return <p className="empty">{areSame ? words.sameImage : words.noOther}</p>;
}

interface DiffProps {
  readonly image: ShownImage;
  /** A tag; where it names a list of images, the platform is in the address as well: the first where it names none. */
  readonly before: string;
}

function Diff({ image: { repository, digest }, before }: DiffProps) {
  const [platform, choose] = useSearchParam("platform");
  const found = useOperation(
    "GET /repository/{repository}/manifest/{manifestref}/security/diff",
    { params: { repository, manifestref: digest }, query: { before, platform: platform || undefined } },
    { placeholderData: keepPreviousData },
  );
  return (
    <Answered query={found}>
      {({ status, diff, reason, before: { digest: compared, platform: current, platforms = [] } }) => (
        <>
          {platforms.length > 0 && (
            <SelectField
              key={current}
              name="platform"
              label={words.platform}
              options={Object.fromEntries(platforms.map((name) => [name, name]))}
              defaultValue={current ?? ""}
              onChoice={choose}
            />
          )}
          {compared === digest && <p className="empty">{words.sameDigest}</p>}
          {compared !== digest && diff === null && <p role="status">{missingResultText(status, reason)}</p>}
          {compared !== digest && diff !== null && <DiffTables diff={diff} />}
        </>
      )}
    </Answered>
  );
}
