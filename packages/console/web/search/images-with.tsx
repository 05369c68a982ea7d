import { useDeferredValue } from "react";
import type { ResultOf } from "../api/operation.ts";
import { useOneAtATime } from "../api/use-one-at-a-time.ts";
import { readAllRows, usePages } from "../api/use-pages.ts";
import { ImageLink } from "../fleet/image-link.tsx";
import { Failure } from "../shared/failure.tsx";
import { chosenOf } from "../shared/fields.tsx";
import { Paged } from "../shared/paged.tsx";
import { saveCsv, saveFile } from "../shared/save-file.ts";
import { useSearchParam } from "../shared/search-param.ts";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.imagesWith;

type FoundImage = ResultOf<"GET /security/images">["images"][number];
type Fact = keyof typeof words.facts;

interface Wanted {
  readonly fact: Fact;
  readonly value: string;
  /** Of a package; any if empty. */
  readonly version: string;
}

/** Finds images by what is in them. What is wanted is in the address: `?by=license&with=MIT`. */
export function ImagesWith() {
  const [by, setBy] = useSearchParam("by");
  const [value, setValue] = useSearchParam("with");
  const [version, setVersion] = useSearchParam("version");
  const fact = by in words.facts ? (by as Fact) : "package_name";
  const wanted = useDeferredValue(value.trim());
  return (
    <Section title={words.title} about={words.about}>
      <div className="line">
        <label>
          {words.fact}
          <select value={fact} onChange={({ target }) => setBy(chosenOf(words.facts, target.value))}>
            {Object.entries(words.facts).map(([each, text]) => (
              <option key={each} value={each}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.value}
          <input type="search" value={value} maxLength={512} onChange={({ target }) => setValue(target.value)} />
        </label>
        {fact === "package_name" && (
          <label>
            {words.version}
            <input type="search" value={version} maxLength={512} onChange={({ target }) => setVersion(target.value)} />
          </label>
        )}
      </div>
      {wanted !== "" && <FoundImages fact={fact} value={wanted} version={version.trim()} />}
    </Section>
  );
}

function queryOf({ fact, value, version }: Wanted) {
  return { [fact]: value, ...(fact === "package_name" && version !== "" && { version }) };
}

function FoundImages(wanted: Wanted) {
  const found = usePages("GET /security/images", { query: queryOf(wanted) });
  const saving = useOneAtATime({ mutationFn: (format: Format) => saveImages(wanted, format) });
  return (
    <>
      <Paged query={found}>
        {(pages) => (
          <Table
            columns={columns}
            rows={pages.flatMap(({ images }) => images)}
            keyOf={(image) => `${image.repository} ${image.manifest_digest}`}
            empty={words.none}
          />
        )}
      </Paged>
      {found.data?.pages.some(({ images }) => images.length > 0) && (
        <div className="actions">
          <span className="detail">{words.save}</span>
          {formats.map((format) => (
            <button key={format} type="button" disabled={saving.isPending} onClick={() => saving.mutate(format)}>
              {words.formats[format]}
            </button>
          ))}
          {saving.isError && <Failure error={saving.error} />}
        </div>
      )}
    </>
  );
}

const columns: readonly Column<FoundImage>[] = [
  {
    title: words.columns.image,
    isName: true,
    cell: ({ repository, manifest_digest: digest, tags }) => (
      <ImageLink repository={repository} digest={digest} tags={tags} />
    ),
  },
  {
    title: words.columns.packages,
    isText: true,
    cell: ({ packages }) => packages.map(({ name, version }) => `${name} ${version}`).join(", "),
  },
];

const formats = ["csv", "json"] as const;
type Format = (typeof formats)[number];

/** Saves all images that are found, not only those that are shown. */
async function saveImages(wanted: Wanted, format: Format): Promise<void> {
  const query = { ...queryOf(wanted), limit: 100 };
  const images = await readAllRows("GET /security/images", { query }, (page) => page.images);
  if (format === "csv") saveCsv("images", rowsOf(images));
  else saveFile("images.json", new Blob([JSON.stringify(images, undefined, 2)], { type: "application/json" }));
}

/** A row for each package of each image. */
function rowsOf(images: readonly FoundImage[]): readonly (readonly string[])[] {
  const rows = images.flatMap(({ repository, manifest_digest: digest, tags, packages }) =>
    packages.map(({ name, version }) => [repository, digest, tags.join(" "), name, version]),
  );
  return [["repository", "digest", "tags", "package", "version"], ...rows];
}
