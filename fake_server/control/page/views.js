// The ways in which the page shows nodes: a table, a wall of racks, a timeline. What the last two
// need is asked for only while they are shown, and the less often the longer the answer takes.

import { byId } from "./dom.js";
import { showTimeline, story } from "./timeline.js";
import { showWall } from "./wall.js";

const SHORTEST = 1000, SHARE = 10;

export function startViews({ ask, tell, openNode, openRequest }) {
  let view = "table", wall = null, timeline = null, next = 0, generation = 0;

  const looks = {
    async wall() {
      const found = await ask("GET", `wall?${new URLSearchParams({ by: byId("by").value })}`);
      return () => {
        wall ??= showWall(byId("wall-view"), openNode);
        wall.update(found);
      };
    },
    async timeline() {
      const found = await ask("GET", "timeline");
      return () => {
        if (timeline) timeline.update(found);
        else {
          timeline = showTimeline(byId("timeline-view"), found, {
            open: (tick) => openRequest(tick[5].id),
            pick: (lane, data) => byId("story").replaceChildren(story(lane, data)),
          });
        }
      };
    },
  };

  async function look() {
    clearTimeout(next);
    const mine = ++generation;
    if (!looks[view]) return;
    const began = performance.now();
    try {
      const show = document.hidden ? () => {} : await looks[view]();
      if (mine !== generation) return;
      show();
    } catch (trouble) {
      tell(trouble.message);
    }
    if (mine !== generation) return;
    next = setTimeout(look, Math.max(SHORTEST, SHARE * (performance.now() - began)));
  }

  for (const made of document.querySelectorAll("[data-view]")) {
    made.addEventListener("click", () => {
      view = made.dataset.view;
      document.querySelectorAll("[data-view]").forEach(
        (one) => one.setAttribute("aria-pressed", String(one === made)));
      for (const name of ["table", "wall", "timeline"]) byId(`${name}-part`).hidden = name !== view;
      byId("filter").hidden = view !== "table";
      byId("nodes-section").classList.toggle("whole", view !== "table");
      look();
    });
  }
  byId("by").addEventListener("change", look);
}
