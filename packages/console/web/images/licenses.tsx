import { useDeferredValue, useMemo } from "react";
import type { ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { SearchField } from "../shared/fields.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { texts } from "../texts/texts.ts";
import { missingResultText, type ShownImage } from "./shown-image.ts";

const words = texts.licenses;

type Found = NonNullable<ResultOf<"GET /repository/{repository}/manifest/{manifestref}/licenses">["data"]>;
type Licensed = Found["packages"][number];

/** The value of the filter for packages that state no licence. */
const unstated = "none";

/** The licences of the packages in an image. The filters are in the address: `?view=licenses&license=MIT`. */
export function Licenses({ repository, digest }: ShownImage) {
  const found = useOperation("GET /repository/{repository}/manifest/{manifestref}/licenses", {
    params: { repository, manifestref: digest },
  });
  return (
    <Answered query={found}>
      {({ status, data, reason }) =>
        data === null ? <p role="status">{missingResultText(status, reason)}</p> : <LicenseList found={data} />
      }
    </Answered>
  );
}

function LicenseList({ found }: { readonly found: Found }) {
  const [text, setText] = useSearchParam("find");
  const [license, setLicense] = useSearchParam("license");
  const filter = useDeferredValue(text.trim().toLowerCase());
  const shown = useMemo(
    () => found.packages.filter((each) => hasLicense(each, license) && hasText(each, filter)),
    [found, license, filter],
  );
  return (
    <>
      <p className="summary">{words.summary(found.packages.length, found.unstated)}</p>
      {found.partial && <p role="status">{words.partial}</p>}
      <div className="line">
        <label>
          {words.license}
          <select value={license} onChange={({ target }) => setLicense(target.value)}>
            <option value="">{words.all}</option>
            {found.licenses.map((each) => (
              <option key={each.license} value={each.license}>
                {words.counted(each.license, each.packages)}
              </option>
            ))}
            {found.unstated > 0 && <option value={unstated}>{words.counted(words.notStated, found.unstated)}</option>}
          </select>
        </label>
        <SearchField label={words.filter} value={text} onValue={setText} />
      </div>
      <Table
        columns={columns}
        rows={shown}
        keyOf={({ purl, name }, index) => `${purl || name} ${index}`}
        empty={words.noneLike}
      />
    </>
  );
}

function hasLicense({ license }: Licensed, wanted: string): boolean {
  if (wanted === "") return true;
  if (wanted === unstated) return license === null;
  return (license ?? "").split(/[()]| AND | OR /).includes(wanted);
}

function hasText({ name, version, license }: Licensed, text: string): boolean {
  return `${name} ${version} ${license ?? ""}`.toLowerCase().includes(text);
}

const columns: readonly Column<Licensed>[] = [
  { title: words.columns.name, isName: true, cell: ({ name }) => name },
  { title: words.columns.version, cell: ({ version }) => version },
  { title: words.columns.license, isText: true, cell: ({ license }) => license ?? words.notStated },
  { title: words.columns.statedIn, isText: true, isExtra: true, cell: ({ statements: [first] }) => first?.path ?? "–" },
  { title: words.columns.supplier, isText: true, isExtra: true, cell: ({ supplier }) => supplier ?? "–" },
];
