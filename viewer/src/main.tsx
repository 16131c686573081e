import { render } from "preact";
import { LiveSource } from "./api/live";
import { setSource } from "./api/source";
import { embeddedData, StaticSource } from "./api/static";
import { App } from "./app";
import { startRouter } from "./router";
import { startShortcuts } from "./shortcuts";
import "./style/index.css";

async function start(root: HTMLElement): Promise<void> {
  const embedded = await embeddedData(document);
  setSource(embedded ? new StaticSource(embedded) : new LiveSource());
  startRouter();
  startShortcuts();
  render(<App />, root);
}

const root = document.getElementById("app");
if (root) {
  start(root).catch(() => {
    root.textContent = "The data in this page cannot be read: the file may be damaged, or the browser too old.";
  });
}
