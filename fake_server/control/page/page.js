"use strict";
// Everything is put into the page as text, never as markup.

const PERIOD = 1000;
const byId = (id) => document.getElementById(id);
let token = sessionStorage.getItem("token") || "";
let generation = 0;

async function ask(method, path, body) {
  const headers = { "Content-Type": "application/json" };
  if (token) headers["X-Fake-Token"] = token;
  const answer = await fetch("/_fake/" + path, {
    method, headers, body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  const value = text ? JSON.parse(text) : null;
  if (!answer.ok) {
    byId("guard").hidden = !(answer.status === 403 && value.error.includes("token"));
    throw new Error(value.error);
  }
  byId("guard").hidden = true;
  return value;
}

function element(name, ...children) {
  const made = document.createElement(name);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

function row(...cells) {
  return element("tr", ...cells.map((cell) => {
    if (cell instanceof HTMLTableCellElement) return cell;
    return element("td", cell === null || cell === undefined ? "" : cell);
  }));
}

function lines(items) {
  return element("td", ...items.map((item) => element("div", item)));
}

function button(text, act) {
  const made = element("button", text);
  made.addEventListener("click", () => change(act));
  return made;
}

function duration(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

function nodeRow(node) {
  const name = element("td", node.name || "", element("small", node.uuid));
  const state = element("td", node.provision_state || "");
  if (node.target_provision_state) state.append(` → ${node.target_provision_state}`);
  if (node.reservation) state.classList.add("busy");
  if (/failed|error/.test(node.provision_state || "")) state.classList.add("failed");
  if (node.step) state.append(element("small", node.step));
  if (node.maintenance) state.append(element("small", "maintenance"));
  const timer = element("td", node.due ? `${node.due.what} ${duration(node.due.seconds)}` : "");
  timer.className = "timer";
  const target = node.target_power_state ? ` → ${node.target_power_state}` : "";
  return row(
    name, state, timer, `${node.power_state || ""}${target}`, lines(node.traits),
    lines(node.vifs), lines([...node.connectors, ...node.targets]), node.last_error,
  );
}

function faultRow(fault) {
  const met = `${fault.done} of ${fault.seen}` + (fault.times ? `, at most ${fault.times}` : "");
  return row(
    String(fault.id), JSON.stringify(fault.match), JSON.stringify(fault.do), met,
    button("Remove", () => ask("DELETE", `faults/${fault.id}`)),
  );
}

function requestRow(entry) {
  const query = entry.query ? `?${entry.query}` : "";
  return row(
    entry.at.slice(11, 23), `${entry.method} ${entry.path}${query}`, entry.version,
    entry.status ? String(entry.status) : "dropped", `${(entry.seconds * 1000).toFixed(1)} ms`,
  );
}

function snapshotButton(ident) {
  return button(`Back to ${ident}`, () => ask("POST", `snapshots/${ident}/restore`));
}

function show(found) {
  const { clock } = found;
  byId("now").textContent = new Date(clock.now * 1000).toISOString().slice(0, 19).replace("T", " ");
  byId("pace").textContent = clock.mode === "scaled" ? `${clock.factor} times as fast` : clock.mode;
  const shown = found.nodes.length < found.number ? `the first ${found.nodes.length} of ` : "";
  byId("number").textContent = `(${shown}${found.number})`;
  byId("nodes").replaceChildren(...found.nodes.map(nodeRow));
  byId("faults").replaceChildren(...found.faults.map(faultRow));
  byId("requests").replaceChildren(...found.requests.reverse().map(requestRow));
  byId("snapshots").replaceChildren(...found.snapshots.map(snapshotButton));
}

function tell(trouble) {
  byId("trouble").textContent = trouble;
  byId("trouble").hidden = !trouble;
}

async function look() {
  const mine = ++generation;
  try {
    const text = encodeURIComponent(byId("filter").value);
    const found = await ask("GET", `overview?text=${text}`);
    if (mine === generation) {
      show(found);
      if (!byId("trouble").dataset.kept) tell("");
    }
  } catch (trouble) {
    tell(trouble.message);
  }
}

async function change(act) {
  try {
    await act();
    delete byId("trouble").dataset.kept;
  } catch (trouble) {
    tell(trouble.message);
    byId("trouble").dataset.kept = "yes";
  }
  await look();
}

for (const made of document.querySelectorAll("[data-mode]")) {
  made.addEventListener("click", () => change(() => {
    const body = { mode: made.dataset.mode };
    if (body.mode === "scaled") body.factor = Number(byId("factor").value);
    return ask("PUT", "clock", body);
  }));
}
for (const made of document.querySelectorAll("[data-advance]")) {
  made.addEventListener("click", () => change(
    () => ask("POST", "clock/advance", { seconds: Number(made.dataset.advance) })));
}
byId("reset").addEventListener("click", () => change(() => ask("POST", "reset")));
byId("take").addEventListener("click", () => change(() => ask("POST", "snapshots")));
byId("filter").addEventListener("input", look);
byId("enter").addEventListener("click", () => {
  token = byId("token").value;
  sessionStorage.setItem("token", token);
  look();
});

async function keepLooking() {
  if (!document.hidden) await look();
  setTimeout(keepLooking, PERIOD);
}
keepLooking();
