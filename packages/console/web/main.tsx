import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError } from "./api/api-error.ts";
import { shareAnswers } from "./api/entity-tags.ts";
import { App } from "./app.tsx";
import { showTheme } from "./shell/user-menu.tsx";
import { language } from "./texts/language.ts";
import "./design/tokens.css";
import "./design/base.css";
import "./design/layout.css";

/** Queries are retried after network and server errors, not after a refusal (a status below 500). */
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      structuralSharing: shareAnswers,
      retry: (failures, error) =>
        navigator.onLine && failures < 2 && !(error instanceof ApiError && error.status < 500),
      // Without a network, a page says so at once: it does not wait for one.
      networkMode: "always",
      refetchOnReconnect: true,
    },
    mutations: { networkMode: "always" },
  },
});

showTheme();
document.documentElement.lang = language;
const root = document.getElementById("console");
if (root === null) throw new Error("expected an element with the id console in the page");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
