// What is wrong with how a page looks, a line each: what is cut, what overlaps, what can hardly be
// read (WCAG 2.2, success criterion 1.4.3), what scrolls sideways, lists that scroll within the page.
(() => {
  const found = [];
  const narrow = innerWidth <= 640;
  const visible = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !one.closest(".unseen, [hidden], datalist, dialog:not([open])") && one.getClientRects().length;
  const named = (one) => `${one.localName}${one.id ? "#" + one.id : ""} ${JSON.stringify(
    (one.textContent || one.placeholder || "").trim().slice(0, 40))}`;
  const all = [...document.body.querySelectorAll("*")].filter(visible);
  const root = document.documentElement;

  if (root.scrollWidth > root.clientWidth) found.push(`the page scrolls sideways: ${root.scrollWidth}`);
  for (const one of all) {
    const style = getComputedStyle(one);
    if (["TEXTAREA", "SELECT", "INPUT", "SUMMARY"].includes(one.tagName)) continue;
    if (one.scrollWidth > one.clientWidth + 1 && one.clientWidth && style.display !== "inline") {
      found.push(`cut at its side: ${named(one)} (${one.scrollWidth} > ${one.clientWidth})`);
    }
    const scrolls = /auto|scroll/.test(style.overflowY) && one.scrollHeight > one.clientHeight + 1;
    if (narrow && scrolls && one !== root && one !== document.body) found.push(`a list in the page scrolls: ${named(one)}`);
  }

  // A placeholder has to fit into its field.
  const pen = document.createElement("canvas").getContext("2d");
  for (const field of all.filter((one) => one.placeholder && one.localName === "input")) {
    const style = getComputedStyle(field);
    pen.font = style.font;
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (pen.measureText(field.placeholder).width > room + 1) found.push(`cut: ${named(field)}`);
  }

  // What is used or read must not lie on something else.
  const boxes = all.filter((one) => one.matches("button, input, select, textarea, h1, h2, th, td, p, canvas"))
    .filter((one) => !one.closest("thead") || !narrow).map((one) => [one, one.getBoundingClientRect()]);
  boxes.forEach(([one, box], place) => {
    for (const [other, its] of boxes.slice(place + 1)) {
      if (one.contains(other) || other.contains(one) || one.closest("dialog") !== other.closest("dialog")) continue;
      const wide = Math.min(box.right, its.right) - Math.max(box.left, its.left);
      const high = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
      const scrolled = one.closest(".scroll") !== other.closest(".scroll");
      if (wide > 2 && high > 2 && !scrolled) found.push(`${named(one)} lies on ${named(other)}`);
    }
  });

  // The ratio of the contrast of a text, with its ground.
  const channels = (text) => (text.match(/[\d.]+/g) || []).map(Number);
  const light = ([red, green, blue]) => [red, green, blue].map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }).reduce((sum, part, place) => sum + part * [0.2126, 0.7152, 0.0722][place], 0);
  const ground = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const colour = channels(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] > 0.99) return colour;
    }
    return matchMedia("(prefers-color-scheme: dark)").matches ? [0, 0, 0] : [255, 255, 255];
  };
  for (const one of all) {
    const own = [...one.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim());
    if (!own || one.disabled) continue;
    const style = getComputedStyle(one);
    const [ink, paper] = [light(channels(style.color)), light(ground(one))];
    const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    const large = parseFloat(style.fontSize) >= 24
      || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) found.push(`contrast ${ratio.toFixed(2)}: ${named(one)}`);
  }
  return [...new Set(found)];
})()
