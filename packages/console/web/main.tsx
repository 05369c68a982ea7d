import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError } from "./api/api-error.ts";
import { shareAnswers } from "./api/entity-tags.ts";
import { App } from "./app.tsx";
import { showTheme } from "./shell/theme.ts";
import "./design/tokens.css";
import "./design/base.css";
import "./design/layout.css";

/** A question is asked again where another answer may come: not after a refusal. */
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      structuralSharing: shareAnswers,
      retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
    },
  },
});

showTheme();
const root = document.getElementById("console");
if (root === null) throw new Error("the page has no element called console");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
