// What is wrong with a page, measured in it. Evaluates to a list of sentences.
(() => {
  const faults = [];
  const name = (n) => `${n.tagName.toLowerCase()}${n.id ? "#" + n.id : ""} "${n.textContent.trim().slice(0, 40)}"`;
  const isSeen = (n) => n.getClientRects().length > 0 && !n.closest(".hidden, .skip, noscript, [hidden]") && getComputedStyle(n).visibility !== "hidden";
  const level = (c) => { const v = c.map((x) => { x /= 255; return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2]; };
  const read = (text) => (text.match(/[\d.]+/g) ?? []).map(Number);
  const helm = document.getElementById("helm");
  // Behind the helm view and a dialog nothing is looked at.
  const root = helm && !helm.hidden ? helm : document.querySelector("dialog[open]") ?? document.body;
  if (document.documentElement.scrollWidth > innerWidth) faults.push(`the page is ${document.documentElement.scrollWidth - innerWidth} px wider than the screen`);
  const texts = [];
  for (const n of root.querySelectorAll("*")) {
    const own = [...n.childNodes].filter((c) => c.nodeType === 3 && c.data.trim());
    if (own.length === 0 || !isSeen(n) || n.closest("script, style, title")) continue;
    const style = getComputedStyle(n);
    const isSVG = n instanceof SVGElement;
    const size = parseFloat(style.fontSize) * (isSVG ? Math.abs(Math.hypot(n.getScreenCTM().a, n.getScreenCTM().b)) : 1);
    if (size < 11.95) faults.push(`${name(n)} has letters of ${size.toFixed(1)} px`);
    const range = document.createRange();
    for (const part of own) {
      range.selectNodeContents(part);
      for (const b of range.getClientRects()) {
        if (b.width < 1) continue;
        if (!n.closest(".scroll") && (b.left < -0.5 || b.right > innerWidth + 0.5)) faults.push(`${name(n)} is cut at the side`);
        if (!isSVG) texts.push([n, b]);
      }
    }
    if (n instanceof HTMLElement && n.scrollWidth > n.clientWidth + 1 && n.clientWidth > 0 && style.overflow !== "visible" && !n.closest(".scroll")) faults.push(`${name(n)} is cut`);
    if (n.closest(":disabled") || !/[\p{L}\p{N}]/u.test(n.textContent)) continue;
    let b = n, back;
    while (b) {
      const c = read(getComputedStyle(b).backgroundColor);
      if (c.length === 3 || c[3] > 0.9) { back = c.slice(0, 3); break; }
      b = b.parentElement;
    }
    back ??= [255, 255, 255];
    // A label of a mark lies on it.
    const mark = isSVG ? n.previousElementSibling : undefined;
    if (mark?.tagName === "circle" && n.parentElement.tagName === "g" && n.parentElement.hasAttribute("transform")) back = read(getComputedStyle(mark).fill);
    const ink = read(isSVG ? style.fill : style.color).slice(0, 3);
    let opacity = 1;
    for (let up = n; up; up = up.parentElement) opacity *= Number(getComputedStyle(up).opacity);
    // Values that are no longer valid are greyed on purpose, with a strip that says so.
    if (opacity < 1 && document.body.classList.contains("stale")) continue;
    const mixed = ink.map((x, k) => x * opacity + back[k] * (1 - opacity));
    const [x, y] = [level(mixed), level(back)];
    const ratio = (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
    if (ratio < 4.5) faults.push(`${name(n)} has a contrast of ${ratio.toFixed(1)}`);
  }
  // Texts of different elements, none of which contains the other, do not overlap.
  for (let i = 0; i < texts.length; i += 1) for (let k = i + 1; k < texts.length; k += 1) {
    const [[m, a], [n, b]] = [texts[i], texts[k]];
    if (m === n || m.contains(n) || n.contains(m) || m.closest(".top") !== n.closest(".top") || m.closest(".commands") !== n.closest(".commands")) continue;
    // A line's box is higher than its letters.
    const ink = (box) => ({ top: box.top + 0.15 * box.height, bottom: box.bottom - 0.15 * box.height });
    const [p, q] = [ink(a), ink(b)];
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left), down = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
    if (across > 2 && down > 5) faults.push(`${name(m)} overlaps ${name(n)}`);
  }
  return [...new Set(faults)];
})()
