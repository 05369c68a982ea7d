import { useChange } from "../api/use-change.ts";
import { ActionButton } from "../shared/action-button.tsx";
import { Fact } from "../shared/fact.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import type { ShownCatalog } from "./catalog-fields.tsx";

const words = texts.organizationMirrors;

/** The result and the times of the last and the next read of the catalog, and a button that reads it now. */
export function CatalogState({
  organization,
  mirror,
}: {
  readonly organization: string;
  readonly mirror: ShownCatalog;
}) {
  const { discovery_status: status, discovery_message: message, last_discovery: last, next_discovery: next } = mirror;
  const discover = useChange("POST /organization/{orgname}/mirror/discover", ["GET /organization/{orgname}/mirror"]);
  return (
    <>
      <dl className="facts">
        <Fact name={words.registry}>{mirror.external_registry}</Fact>
        <Fact name={texts.mirrors.state}>
          <span role="status">
            {words.states[status]}
            {message !== "" && `: ${message}`} {!mirror.is_enabled && texts.mirrors.off}
          </span>
        </Fact>
        <Fact name={words.last}>{last === null ? texts.mirrors.none : <Time at={Date.parse(last)} />}</Fact>
        <Fact name={texts.mirrors.next}>{next === null ? texts.mirrors.none : <Time at={Date.parse(next)} />}</Fact>
      </dl>
      <ActionButton label={words.discover} change={discover} given={{ params: { orgname: organization } }} />
    </>
  );
}
