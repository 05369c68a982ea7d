import { useDeferredValue, useState } from "react";
import { FindingFilters } from "../findings/finding-filters.tsx";
import { countsOf, severities } from "../severities/severities.ts";
import { Answered } from "../shared/answered.tsx";
import { Chip } from "../shared/chip.tsx";
import { SearchField } from "../shared/fields.tsx";
import { PageButtons, pageNumber } from "../shared/page-buttons.tsx";
import { useOrder, useSearchParam } from "../shared/search-param.ts";
import { texts } from "../texts/texts.ts";
import { FindingTable } from "./finding-table.tsx";
import {
  type FindingPage,
  type FindingQuery,
  findingsOf,
  pageLength,
  shownCounts,
  totalOf,
  useFindingPage,
} from "./findings.ts";
import { useShownImage } from "./shown-image.ts";

const words = texts.findings;

/** The page of findings that the address names: filters, order, groups and the number of the page. */
export function useFindingQuery(): FindingQuery {
  const [text] = useSearchParam("find");
  const [severity] = useSearchParam("severity");
  const [fixed] = useSearchParam("fixed");
  const [exploited] = useSearchParam("exploited");
  const [group] = useSearchParam("group");
  const [page] = useSearchParam("page");
  const order = useFindingOrder();
  const find = useDeferredValue(text);
  const isGrouped = group === "upgrade";
  return {
    find: find || undefined,
    severity: severities.find((each) => each === severity),
    fixed: fixed === "yes" || undefined,
    exploited: exploited === "yes" || undefined,
    list: isGrouped ? "upgrades" : undefined,
    order: isGrouped || order.value === "-risk" ? undefined : order.value,
    page: pageNumber(page),
  };
}

function useFindingOrder() {
  return useOrder(["risk", "severity", "name", "score", "package"], "-risk");
}

interface Props {
  readonly found: FindingPage;
  readonly query: FindingQuery;
}

/** A page of the findings of an image, with filters. The filters, the order and the page are in the address. */
export function FindingsView({ found, query }: Props) {
  const order = useFindingOrder();
  const { counts, findings, upgrades, total } = found;
  if (totalOf(counts.findings) === 0) return undefined;
  const isThere = (query.list === "upgrades" ? upgrades : findings) !== undefined;
  return (
    <>
      <Filters counts={counts.findings} />
      {!isThere && <div className="skeleton" aria-busy="true" />}
      {isThere && total === 0 && <p className="empty">{words.noneLike}</p>}
      {isThere && findings !== undefined && findings.length > 0 && (
        <FindingTable findings={findingsOf(found)} order={order} query={query} />
      )}
      {isThere && upgrades?.map((upgrade) => <UpgradePart key={upgrade.key} upgrade={upgrade} query={query} />)}
      {isThere && <FoundPages found={found} />}
    </>
  );
}

/** The buttons for other pages of a list whose page is in the address. */
export function FoundPages({ found: { page, has_additional: hasMore, total, ...rows } }: Pick<Props, "found">) {
  const [, setPage] = useSearchParam("page", "added");
  const count = (rows.findings ?? rows.upgrades ?? rows.packages ?? []).length;
  return (
    <PageButtons
      page={page}
      hasMore={hasMore}
      rows={{ count, length: pageLength, total }}
      onPage={(next) => setPage(String(next))}
    />
  );
}

/** The field that filters by a part of a name. A change leads back to the first page. */
export function FindField({ label }: { readonly label: string }) {
  const [text, setText] = useSearchParam("find");
  const [, setPage] = useSearchParam("page");
  const filter = (typed: string) => {
    setPage("");
    setText(typed);
  };
  return <SearchField label={label} value={text} onValue={filter} />;
}

function Filters({ counts }: { readonly counts: FindingPage["counts"]["findings"] }) {
  return (
    <FindingFilters
      counts={shownCounts(counts)}
      search={<FindField label={words.filter} />}
      chip={({ param, value, label }) => (
        <Chip key={`${param} ${value}`} param={param} value={value}>
          {label}
        </Chip>
      )}
    >
      <Chip param="group" value="upgrade">
        {words.byUpgrade}
      </Chip>
    </FindingFilters>
  );
}

type Upgrade = NonNullable<FindingPage["upgrades"]>[number];

interface UpgradeProps extends Pick<Props, "query"> {
  readonly upgrade: Upgrade;
}

/** An upgrade, and on demand the findings that it removes. */
function UpgradePart({ upgrade, query }: UpgradeProps) {
  const [isOpen, setOpen] = useState(false);
  const { package: name, version, to, removes } = upgrade;
  const count = totalOf(removes);
  return (
    <details className="upgrade" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {to === "" ? words.noUpgrade(name, version) : words.upgrade({ name, from: version, to })}{" "}
        <small>
          {to === "" ? count : words.removes(count)}
          {": "}
          {words.severities(countsOf(removes))}
        </small>
      </summary>
      {isOpen && <UpgradeFindings upgrade={upgrade} query={query} />}
    </details>
  );
}

function UpgradeFindings({ upgrade: { key }, query }: UpgradeProps) {
  const [page, setPage] = useState(1);
  const own = { ...query, list: undefined, upgrade: key, page };
  const answer = useFindingPage(useShownImage(), own);
  return (
    <Answered query={answer}>
      {({ data: found }) =>
        found && (
          <>
            <FindingTable findings={findingsOf(found)} query={own} />
            <PageButtons
              page={page}
              hasMore={found.has_additional}
              rows={{ count: (found.findings ?? []).length, length: pageLength, total: found.total }}
              onPage={setPage}
            />
          </>
        )
      }
    </Answered>
  );
}
