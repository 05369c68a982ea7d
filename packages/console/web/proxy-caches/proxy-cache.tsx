import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { Command } from "../shared/command.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Section } from "../shared/section.tsx";
import { texts } from "../texts/texts.ts";
import { NewProxyCache } from "./new-proxy-cache.tsx";

const words = texts.proxyCaches;

/** The registry that an organization caches, or a form that makes it a proxy cache. */
export function ProxyCache({ organization }: { readonly organization: string }) {
  const cache = useOperation("GET /organization/{orgname}/proxycache", { params: { orgname: organization } });
  return (
    <Section title={words.title} about={words.about}>
      <Answered query={cache}>
        {(shown) =>
          shown.upstream_registry === "" ? (
            <NewProxyCache organization={organization} />
          ) : (
            <Configured organization={organization} cache={shown} />
          )
        }
      </Answered>
    </Section>
  );
}

interface ConfiguredProps {
  readonly organization: string;
  readonly cache: ResultOf<"GET /organization/{orgname}/proxycache">;
}

function Configured({ organization, cache: { upstream_registry: upstream, expiration_s: seconds } }: ConfiguredProps) {
  const change = useChange("DELETE /organization/{orgname}/proxycache", ["GET /organization/{orgname}/proxycache"]);
  return (
    <>
      <p>{words.isCache(upstream)}</p>
      <p>{seconds === null || seconds === "" ? words.keptAlways : words.kept(seconds / 3600)}</p>
      <p>{words.pull}</p>
      <Command line={`docker pull ${window.location.host}/${organization}/NAME:TAG`} />
      <ConfirmedButton
        label={words.remove}
        consequence={words.removed}
        change={change}
        given={{ params: { orgname: organization } }}
      />
    </>
  );
}
