import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { texts } from "../texts/texts.ts";
import { CoverageLine } from "./coverage-line.tsx";
import { Downloads } from "./downloads.tsx";
import { findingsOf, summaryOf } from "./findings.ts";
import { FindingsView } from "./findings-view.tsx";
import { PackageTable } from "./package-table.tsx";
import { ShownImageContext } from "./shown-image.ts";
import { WithoutResult } from "./without-result.tsx";

const words = texts.findings;

/** How often the result of a queued image is fetched again, in milliseconds. */
const refetchEveryMs = 3000;

interface Props {
  readonly repository: string;
  readonly digest: string;
  readonly view: "vulnerabilities" | "packages";
}

/** The result of a scan, or the reason why there is none. */
export function SecurityView({ repository, digest, view }: Props) {
  const security = useOperation(
    "GET /repository/{repository}/manifest/{manifestref}/security",
    { params: { repository, manifestref: digest }, query: {} },
    { refetchInterval: ({ state }) => (state.data?.status === "queued" ? refetchEveryMs : false) },
  );
  return (
    <Answered query={security}>
      {({ status, data, reason }) => {
        if (data === null) return <WithoutResult status={status} reason={reason} />;
        const { Layer: found } = data;
        const findings = findingsOf(found);
        return (
          <ShownImageContext value={{ repository, digest }}>
            <div className="overview">
              <div>
                <p className="summary">{findings.length === 0 ? words.none : words.summary(summaryOf(findings))}</p>
                <Downloads />
              </div>
              <CoverageLine found={found} />
            </div>
            {view === "packages" ? <PackageTable features={found.Features} /> : <FindingsView findings={findings} />}
          </ShownImageContext>
        );
      }}
    </Answered>
  );
}
