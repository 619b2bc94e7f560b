// The timeline: a lane for each node with its states, requests as ticks on it. What is outside the
// visible part isn't drawn. Names and errors are put into the page as text, never as markup.
//
// data has: about (pairs of label and value), failures (text and names), start and end (seconds since
// the epoch), lanes (name, uuid, failed, states, due), ticks, and in a report title and note. Times in it are
// seconds since the start. A state is [time, real time, state, error], null for a removed node; a
// tick is [time, real time, number of its lane or -1, text, kind, details]; due has [time, text] of all that is pending, in order.

const ROW = 22, AXIS = 24, PADDING = 6, NEAR = 5;
const STEPS = [0.001, 0.01, 0.1, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 86400];
const GOOD = ["active", "available", "manageable", "enroll", "rescue"];
const COLOURS = { active: "good", available: "free", rescue: "good", manageable: "quiet", enroll: "quiet" };
const MOST_ROWS = 500, MOST_NAMES = 20, MOST_IN_TIP = 8;

export function kindOf(state) {
  if (/failed|error/.test(state || "")) return "bad";
  return GOOD.includes(state) ? "good" : "busy";
}

export function colourOf(state) {
  if (kindOf(state) === "bad") return "bad";
  return COLOURS[state] || (/wait/.test(state || "") ? "wait" : "busy");
}

export function paints(root) {
  const style = getComputedStyle(root);
  const names = ["good", "free", "quiet", "busy", "wait", "bad", "ink", "faint", "ground"];
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--paint-${name}`)]));
}

export function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Put the colours of states into an element.
export function explain(legend, states) {
  legend.replaceChildren(...[...new Set(states)].filter(Boolean).sort().map(
    (state) => make("span", { class: `swatch ${colourOf(state)}` }, state)));
}

// A canvas that stays in the visible part of a box that scrolls.
// shape.height(width) is the height of all, shape.draw(context, width, height, top) draws the part
// from top on, shape.at(x, y) is what is there, y from the top of all: {lines, open}.
export function scroller(root, shape) {
  const canvas = make("canvas", { tabindex: "0", role: "img", "aria-label": shape.label });
  const sizer = make("div", { class: "sizer" });
  const tip = make("div", { class: "tip", hidden: "" });
  const box = make("div", { class: "scroller" }, canvas, sizer);
  root.append(box, tip);
  let asked = false;

  function draw() {
    asked = false;
    const width = box.clientWidth;
    if (!width) return;
    sizer.style.height = `${shape.height(width)}px`;
    box.style.height = `${shape.height(width) + 2}px`;
    const height = box.clientHeight, scale = devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    const context = canvas.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    shape.draw(context, width, height, box.scrollTop);
  }

  function redraw() {
    if (!asked) requestAnimationFrame(draw);
    asked = true;
  }

  function found(event) {
    const at = canvas.getBoundingClientRect();
    return shape.at(event.clientX - at.left, event.clientY - at.top + box.scrollTop, box.scrollTop);
  }

  canvas.addEventListener("pointermove", (event) => {
    const item = event.buttons ? null : found(event);
    canvas.style.cursor = item && item.open ? "pointer" : "";
    tip.hidden = !item;
    if (!item) return;
    tip.replaceChildren(...item.lines.map((line) => make("div", {}, line)));
    const edge = document.documentElement.clientWidth - tip.offsetWidth - 8;
    tip.style.left = `${Math.max(0, Math.min(event.clientX + 14, edge))}px`;
    tip.style.top = `${Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8)}px`;
  });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  canvas.addEventListener("click", (event) => {
    const item = found(event);
    if (item && item.open) item.open();
  });
  box.addEventListener("scroll", redraw);
  new ResizeObserver(redraw).observe(box);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  new MutationObserver(redraw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return { box, canvas, redraw };
}

// Show a timeline. open(tick) is called for a request that is clicked, pick(lane) for a lane.
export function showTimeline(root, first, { open, pick }) {
  let data, lanes, view, steps, chosen = null;
  let byOrder = null, filter = "";
  const all = make("button", { type: "button", class: "plain" }, "All");
  const closer = make("button", { type: "button", class: "plain", "aria-label": "Zoom in" }, "+");
  const wider = make("button", { type: "button", class: "plain", "aria-label": "Zoom out" }, "−");
  const order = make("select", { "aria-label": "Horizontal axis" },
    make("option", { value: "time" }, "by time"), make("option", { value: "steps" }, "step by step"));
  const search = make("input", { type: "search", placeholder: "Name, UUID or state",
    "aria-label": "Filter the lanes by name, UUID or state" });
  const legend = make("span", { class: "legend" });
  root.replaceChildren(make("div", { class: "timeline-bar" }, search, order, wider, closer, all, legend));
  const left = () => (shown.box.clientWidth < 600 ? 90 : 170);

  function take(given) {
    data = given;
    const events = [];
    data.lanes.forEach((lane) => {
      lane.ticks = [];
      const last = lane.states.at(-1);
      lane.bad = lane.failed ?? (last && kindOf(last[2]) === "bad");
      events.push(...lane.states);
    });
    const others = { name: "no node", states: [], ticks: [] };
    for (const tick of data.ticks) (data.lanes[tick[2]] || others).ticks.push(tick);
    events.push(...data.ticks);
    events.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
    steps = new Map(events.map((event, place) => [event, place]));
    byOrder ??= !(data.end > data.start);
    order.value = byOrder ? "steps" : "time";
    lanes = data.lanes.filter((lane) => matches(lane));
    lanes = [...lanes.filter((lane) => lane.bad), ...lanes.filter((lane) => !lane.bad)];
    if (others.ticks.length && !filter) lanes.unshift(others);
    explain(legend, data.lanes.flatMap((lane) => lane.states.map((one) => one[2])));
  }

  function matches(lane) {
    const last = lane.states.at(-1);
    return [lane.name, lane.uuid, last && last[2]].some(
      (text) => (text || "").toLowerCase().includes(filter));
  }

  const where = (event) => (byOrder ? steps.get(event) : event[0]);
  const end = () => (byOrder ? steps.size : data.end - data.start);

  function whole() {
    const due = data.lanes.some((lane) => lane.due.length);
    return [0, (end() || 1) * (due ? 1.15 : 1.02)];
  }

  const scale = (width) => (width - left() - PADDING) / (view[1] - view[0]);
  const x = (place, width) => left() + (place - view[0]) * scale(width);

  function drawAxis(context, width, paint) {
    context.fillStyle = paint.ground;
    context.fillRect(0, 0, width, AXIS);
    context.fillStyle = paint.faint;
    const most = Math.max(2, Math.floor((width - left()) / 90)), span = view[1] - view[0];
    if (byOrder) {
      context.fillText(`${steps.size} steps`, left(), AXIS / 2);
      return;
    }
    const step = STEPS.find((one) => span / one <= most) || Math.ceil(span / most / 86400) * 86400;
    for (let at = Math.ceil((data.start + view[0]) / step) * step; at <= data.start + view[1]; at += step) {
      const place = x(at - data.start, width);
      context.fillText(clock(at, step < 1), place + 3, AXIS / 2);
      context.fillRect(place, 0, 1, AXIS);
    }
  }

  function drawLane(context, lane, y, width, paint) {
    const base = left();
    lane.states.forEach((one, place) => {
      const next = lane.states[place + 1];
      const from = Math.max(x(where(one), width), base), to = x(next ? where(next) : end(), width);
      if (one[2] === null || to < base || from > width) return;
      context.fillStyle = paint[colourOf(one[2])];
      context.fillRect(from, y + 6, Math.max(to - from - 0.5, 1.5), ROW - 9);
      if (to - from > context.measureText(one[2]).width + 8) {
        context.fillStyle = paint.ground;
        context.fillText(one[2], from + 4, y + ROW / 2 + 1.5);
      }
    });
    if (lane.due.length) {
      const from = Math.max(x(end(), width), base);
      const to = byOrder ? width : Math.min(x(lane.due[0][0], width), width);
      context.strokeStyle = paint.busy;
      context.setLineDash([3, 3]);
      if (to > from) context.strokeRect(from + 1, y + 6.5, to - from - 2, ROW - 10);
      context.setLineDash([]);
    }
    // Of several in the same place, the worst is drawn.
    const places = new Map();
    for (const tick of lane.ticks) {
      const place = Math.round(x(where(tick), width));
      const other = places.get(place);
      if (place >= base && place <= width && !(other && other[4] > tick[4])) places.set(place, tick);
    }
    for (const [place, tick] of places) {
      context.fillStyle = paint.ground;
      context.fillRect(place - 1, y + 1, 4, tick[4] ? ROW - 2 : 8);
      context.fillStyle = tick[4] > 1 ? paint.bad : tick[4] ? paint.busy : paint.ink;
      context.fillRect(place, y + 1, 2, tick[4] ? ROW - 2 : 8);
      if (tick[5] && tick[5].fault) context.fillRect(place - 3, y + 1, 7, 4);
    }
    context.fillStyle = paint.ground;
    context.fillRect(0, y, base - 1, ROW);
    context.fillStyle = lane.bad ? paint.bad : paint.ink;
    context.font = `${lane === chosen ? "bold " : ""}12px system-ui, sans-serif`;
    context.fillText(shortened(context, lane.name, base - 10), 4, y + ROW / 2 + 1);
    context.font = "12px system-ui, sans-serif";
  }

  function shortened(context, text, width) {
    if (context.measureText(text).width <= width) return text;
    let most = text.length;
    while (most > 1 && context.measureText(`${text.slice(0, most)}…`).width > width) most--;
    return `${text.slice(0, most)}…`;
  }

  const shape = {
    label: "Timeline of the nodes; the list below tells the same as text",
    height: () => AXIS + lanes.length * ROW + PADDING,
    draw(context, width, height, top) {
      const paint = paints(root);
      const from = Math.floor(top / ROW), to = Math.ceil((top + height - AXIS) / ROW);
      lanes.slice(from, to).forEach((lane, place) => drawLane(
        context, lane, AXIS + (from + place) * ROW - top, width, paint));
      drawAxis(context, width, paint);
    },
    at(pointer, y, top) {
      const lane = lanes[Math.floor((y - AXIS) / ROW)];
      if (!lane || y - top < AXIS) return null;
      const width = shown.box.clientWidth;
      const open_lane = () => choose(lane);
      if (pointer < left()) return { lines: [lane.name, lane.uuid || ""], open: open_lane };
      const near = lane.ticks.filter((tick) => Math.abs(x(where(tick), width) - pointer) <= NEAR);
      if (near.length) {
        const more = near.length > MOST_IN_TIP ? [`and ${near.length - MOST_IN_TIP} more`] : [];
        const lines = near.slice(0, MOST_IN_TIP).map((tick) => `${moment(tick)} ${tick[3]}`);
        const worst = near.reduce((one, other) => (other[4] > one[4] ? other : one));
        return { lines: [...lines, ...more], open: () => { choose(lane); open?.(worst); } };
      }
      const place = lane.states.findLastIndex((one) => x(where(one), width) <= pointer);
      const one = lane.states[place];
      if (!one || one[2] === null) return null;
      if (pointer > x(end(), width)) {
        const lines = lane.due.map(([at, what]) => `due at ${clock(data.start + at)}: ${what}`);
        return lines.length ? { lines, open: open_lane } : null;
      }
      const next = lane.states[place + 1];
      const seconds = (next ? next[0] : data.end - data.start) - one[0];
      const lines = [`${lane.name}: ${one[2]}`, `${moment(one)}, for ${lasting(seconds)}`, one[3] || ""];
      return { lines: lines.filter(Boolean), open: open_lane };
    },
  };
  const moment = (event) => clock(data.start + event[0], true);

  function choose(lane) {
    chosen = lane;
    pick?.(lane, data);
    shown.redraw();
  }

  function zoom(factor, at = (view[0] + view[1]) / 2) {
    const [from, to] = whole(), least = byOrder ? 3 : 0.01;
    const span = Math.min(Math.max((view[1] - view[0]) * factor, least), to - from);
    const start = at - (at - view[0]) * (span / (view[1] - view[0]));
    move(Math.min(Math.max(start, from), to - span), span);
  }

  function move(from, span) {
    const [least, most] = whole();
    const start = Math.min(Math.max(from, least), Math.max(most - span, least));
    view = [start, start + span];
    shown.redraw();
  }

  function reset() {
    take(data);
    view = whole();
    shown.redraw();
  }

  take(first);
  view = whole();
  const shown = scroller(root, shape);
  const { canvas, box } = shown;
  all.addEventListener("click", reset);
  closer.addEventListener("click", () => zoom(0.5));
  wider.addEventListener("click", () => zoom(2));
  order.addEventListener("change", () => { byOrder = order.value === "steps"; reset(); });
  search.addEventListener("input", () => { filter = search.value.toLowerCase(); take(data); shown.redraw(); });
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const place = event.clientX - canvas.getBoundingClientRect().left - left();
    zoom(event.deltaY > 0 ? 1.25 : 0.8, view[0] + place / scale(box.clientWidth));
  }, { passive: false });
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons === 1 && event.movementX) {
      move(view[0] - event.movementX / scale(box.clientWidth), view[1] - view[0]);
    }
  });
  canvas.addEventListener("keydown", (event) => {
    const span = view[1] - view[0], place = lanes.indexOf(chosen);
    const act = {
      "+": () => zoom(0.5), "-": () => zoom(2), 0: reset,
      ArrowLeft: () => move(view[0] - span / 8, span), ArrowRight: () => move(view[0] + span / 8, span),
      ArrowDown: () => choose(lanes[Math.min(place + 1, lanes.length - 1)]),
      ArrowUp: () => choose(lanes[Math.max(place - 1, 0)]),
    }[event.key];
    if (!act || !lanes.length) return;
    event.preventDefault();
    act();
  });
  return {
    lanes: () => lanes,
    choose,
    update(next) {
      const untouched = view.join() === whole().join(), before = JSON.stringify([chosen, data.end]);
      take(next);
      if (untouched) view = whole();
      chosen &&= lanes.find((lane) => lane.name === chosen.name && lane.uuid === chosen.uuid);
      if (chosen && JSON.stringify([chosen, data.end]) !== before) choose(chosen);
      shown.redraw();
    },
  };
}

// What happened in a lane, in words and in order.
export function story(lane, data) {
  const until = (place) => (lane.states[place + 1] ? lane.states[place + 1][0] : data.end - data.start);
  const events = [
    ...lane.states.map((one, place) => ({ at: one, state: one[2], error: one[3],
      text: one[2] === null ? "removed" : one[1] === 0 ? `${one[2]} at the beginning`
        : `${one[2]}, for ${lasting(until(place) - one[0])}` })),
    ...lane.ticks.map((one) => ({ at: one, text: one[3], kind: one[4], details: one[5] })),
  ].sort((one, other) => one.at[0] - other.at[0] || one.at[1] - other.at[1]);
  const rows = events.slice(-MOST_ROWS).map((event) => {
    const looks = event.details ? ["", "busy", "bad"][event.kind] : colourOf(event.state);
    const cell = make("td", {}, make("span", { class: event.details ? looks : `swatch ${looks}` }, event.text));
    if (event.error) cell.append(make("div", { class: "bad" }, event.error));
    for (const [name, text] of Object.entries(event.details || {})) {
      if (name !== "id" && text) {
        cell.append(make("div", { class: "detail" }, `${name}: ${text}`));
      }
    }
    return make("tr", {}, make("td", {}, clock(data.start + event.at[0], true)), cell);
  });
  for (const [at, what] of lane.due) {
    rows.push(make("tr", {}, make("td", {}, clock(data.start + at)), make("td", {}, `due: ${what}`)));
  }
  const left = events.length > MOST_ROWS ? [make("p", {}, `The last ${MOST_ROWS} of ${events.length}:`)] : [];
  return make("section", { class: "story" }, make("h2", {}, lane.name),
    make("p", { class: "detail" }, lane.uuid || ""), ...left, make("table", {}, make("tbody", {}, ...rows)));
}

// Show a whole report: the summary, the timeline, and what happened in the lane that is chosen.
export function showReport(root, data) {
  const about = make("dl", {}, ...data.about.map(
    ([label, value]) => make("div", {}, make("dt", {}, label), make("dd", {}, value))));
  const failures = data.failures.map(({ text, names }) => {
    const some = names.slice(0, MOST_NAMES).join(", ");
    const more = names.length > MOST_NAMES ? [make("details", {},
      make("summary", {}, `and ${names.length - MOST_NAMES} more`), names.slice(MOST_NAMES).join(", "))] : [];
    return make("li", {}, make("span", { class: "bad" }, text),
      make("div", { class: "detail" }, some), ...more);
  });
  const lanes = make("div", { class: "timeline" }), told = make("div");
  root.append(make("h1", {}, data.title), about);
  if (failures.length) root.append(make("h2", {}, "Failures"), make("ul", {}, ...failures));
  if (data.note) root.append(make("pre", {}, data.note));
  root.append(lanes, told);
  const timeline = showTimeline(lanes, data, {
    pick: (lane) => told.replaceChildren(story(lane, data)),
  });
  const first = data.lanes.find((lane) => lane.bad) || data.lanes.find((lane) => lane.ticks.length);
  if (first || timeline.lanes().length) timeline.choose(first || timeline.lanes()[0]);
}

function clock(seconds, exact = false) {
  return new Date(seconds * 1000).toISOString().slice(11, exact ? 23 : 19);
}

export function lasting(seconds) {
  if (seconds < 60) return `${Number(seconds.toFixed(seconds < 10 ? 2 : 0))} s`;
  const minutes = Math.floor(seconds / 60), rest = Math.round(seconds % 60);
  return minutes < 60 ? `${minutes} min ${rest} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
