import { useLocation } from "wouter";
import { Account } from "./account/account.tsx";
import { useRegistryConfig } from "./api/registry-config.ts";
import { Explorer } from "./explorer/explorer.tsx";
import { FirstSteps } from "./first-steps/first-steps.tsx";
import { Home } from "./home/home.tsx";
import { Image } from "./images/image.tsx";
import { Namespace } from "./namespaces/namespace.tsx";
import { type Place, placeOf } from "./places.ts";
import { Repository } from "./repositories/repository.tsx";
import { SearchPage } from "./search/search-page.tsx";
import { Lazily } from "./shared/lazily.tsx";
import { PageBoundary } from "./shared/page-boundary.tsx";
import { useQuery } from "./shared/query.ts";
import { PasswordQuestion } from "./shell/password-question.tsx";
import { Shell } from "./shell/shell.tsx";
import { UnknownPage } from "./shell/unknown-page.tsx";

const loadAdmin = async () => (await import("./admin/admin.tsx")).Admin;

/** The console: the page of the current address in the common frame. */
export function App() {
  const [path] = useLocation();
  const query = useQuery();
  const config = useRegistryConfig();
  if (config.data?.first_user !== undefined) return <FirstSteps config={config.data} />;
  return (
    <PasswordQuestion>
      <Shell>
        <PageBoundary address={`${path}?${query}`}>
          <Page place={placeOf(path)} />
        </PageBoundary>
      </Shell>
    </PasswordQuestion>
  );
}

const loadVulnerability = async () => (await import("./vulnerabilities/vulnerability.tsx")).Vulnerability;

function Page({ place }: { readonly place: Place }) {
  switch (place.kind) {
    case "home":
      return <Home />;
    case "search":
      return <SearchPage />;
    case "account":
      return <Account />;
    case "admin":
      return (
        <Lazily name="admin" load={loadAdmin}>
          {(Admin) => <Admin />}
        </Lazily>
      );
    case "explorer":
      return <Explorer />;
    case "vulnerability":
      return (
        <Lazily name="vulnerability" load={loadVulnerability}>
          {(Vulnerability) => <Vulnerability key={place.id} id={place.id} />}
        </Lazily>
      );
    case "namespace":
      return <Namespace key={place.namespace} {...place} />;
    case "repository":
      return <Repository key={`${place.namespace}/${place.repository}`} {...place} />;
    case "image":
      return <Image {...place} />;
    case "unknown":
      return <UnknownPage />;
  }
}
