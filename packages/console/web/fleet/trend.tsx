import { useOperation } from "../api/use-operation.ts";
import { severities } from "../severities/severities.ts";
import { Answered } from "../shared/answered.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { formatCount } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import type { SecuredNamespace } from "./secured-namespace.ts";
import { TrendChart } from "./trend-chart.tsx";
import type { TrendDay } from "./trend-shapes.ts";

const words = texts.fleet;

/** The periods to choose from, in days. */
const spans = [30, 90, 365] as const;

/** The number of vulnerabilities of a namespace's images by day, as a chart and as a table. The period is in the address. */
export function Trend({ namespace, isOrganization }: SecuredNamespace) {
  const [text, setDays] = useSearchParam("days");
  const days = spans.find((each) => String(each) === text) ?? spans[0];
  const own = useOperation("GET /user/security/trend", { query: { days } }, { enabled: !isOrganization });
  const params = { orgname: namespace };
  const shared = useOperation(
    "GET /organization/{orgname}/security/trend",
    { params, query: { days } },
    { enabled: isOrganization },
  );
  return (
    <Section title={words.trend}>
      <label>
        {words.days}{" "}
        <select value={days} onChange={({ target }) => setDays(target.value)}>
          {spans.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <Answered query={isOrganization ? shared : own}>
        {({ days: found }) =>
          found.length === 0 ? (
            <p className="empty">{words.noTrend}</p>
          ) : (
            <>
              <TrendChart days={found} />
              <details>
                <summary>{words.figures}</summary>
                <Table columns={columns} rows={found.toReversed()} keyOf={({ day }) => day} />
              </details>
            </>
          )
        }
      </Answered>
    </Section>
  );
}

const columns: readonly Column<TrendDay>[] = [
  { title: words.day, isName: true, cell: ({ day }) => day },
  ...severities.map((severity): Column<TrendDay> => {
    const name = severity.toLowerCase() as Lowercase<typeof severity>;
    return { title: severity, isNumber: true, cell: ({ severities: counts }) => formatCount(counts[name]) };
  }),
  { title: words.notAssessed, isNumber: true, cell: ({ uncounted }) => formatCount(uncounted) },
];
