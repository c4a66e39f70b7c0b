// What of a page's text cannot be read (readable.py).
({ least, whole }) => {
  const page = document.documentElement;
  const seen = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true };
  const describe = (text) => {
    const near = text.e.closest("[id], [class]") ?? text.e;
    return `${near.tagName.toLowerCase()}#${near.id}.${near.getAttribute("class")}: “${text.words}”`;
  };
  const isHidden = (e) => {
    for (let up = e; up && up !== document.body; up = up.parentElement) {
      const style = getComputedStyle(up);
      if (style.clip !== "auto" || /inset\((50|100)%/.test(style.clipPath)) return true;
      if (up.tagName === "OPTION" || up.tagName === "NOSCRIPT") return true;
    }
    return !e.checkVisibility(seen);
  };
  const stayOf = (e) => {
    for (let up = e; up; up = up.parentElement) {
      if (["fixed", "sticky"].includes(getComputedStyle(up).position)) return up;
    }
    return null;
  };
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const words = node.data.trim().replace(/\s+/g, " ").slice(0, 60);
    const e = node.parentElement;
    if (!words || e.closest("script, style, template, title") || isHidden(e)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter((r) => r.width > 0.5 && r.height > 0.5);
    if (rects.length) texts.push({ e, words, rects, stay: stayOf(e) });
  }
  const wrong = [];
  const spare = (r) => 0.2 * r.height;
  for (const text of texts) {
    const matrix = text.e instanceof SVGElement ? text.e.getScreenCTM?.() : null;
    const scale = matrix ? Math.hypot(matrix.a, matrix.b) : 1;
    const size = parseFloat(getComputedStyle(text.e).fontSize) * scale;
    if (size < least - 0.05) wrong.push(`${size.toFixed(1)} px small: ${describe(text)}`);
    const limits = [[page.getBoundingClientRect(), 0, page.clientWidth, -1e6, whole ? innerHeight : 1e6]];
    for (let up = text.e; up && up !== document.body; up = up.parentElement) {
      const style = getComputedStyle(up);
      if (up.namespaceURI.endsWith("svg") && up.tagName !== "svg") continue;
      const box = up.getBoundingClientRect();
      const clips = (flow) => ["hidden", "clip"].includes(flow);
      if (style.display === "inline" && up.tagName !== "svg") continue;
      if (clips(style.overflowX) || clips(style.overflowY)) {
        limits.push([box, clips(style.overflowX) ? box.left : -1e6, clips(style.overflowX) ? box.right : 1e6,
          clips(style.overflowY) ? box.top : -1e6, clips(style.overflowY) ? box.bottom : 1e6]);
      } else if (["auto", "scroll"].includes(style.overflowX)) break;
      if (style.position === "fixed") break;
    }
    const isCut = text.rects.some((r) => limits.some(([, left, right, top, bottom]) =>
      r.left < left - 1.5 || r.right > right + 1.5 || r.top + spare(r) < top || r.bottom - spare(r) > bottom));
    if (isCut) wrong.push(`cut: ${describe(text)}`);
  }
  // Letters fill about three fifths of the height of their font.
  const meet = (a, b) => {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom - spare(a), b.bottom - spare(b)) - Math.max(a.top + spare(a), b.top + spare(b));
    return wide > 2 && high > 0.1 * Math.min(a.height, b.height);
  };
  const lies = (e) => e.closest(".piece, [data-piece], .marker"); // As at the table, what lies on something hides it.
  for (const [n, one] of texts.entries()) {
    for (const other of texts.slice(n + 1)) {
      if (one.e === other.e || one.stay !== other.stay || lies(one.e) || lies(other.e)) continue;
      if (one.rects.some((a) => other.rects.some((b) => meet(a, b)))) {
        wrong.push(`overlap: ${describe(one)} and ${describe(other)}`);
      }
    }
  }
  const covered = texts.filter((text) => text.rects.some((r) => {
    const [x, y] = [r.left + r.width / 2, r.top + r.height / 2];
    const [top] = document.elementsFromPoint(x, y);
    if (!top || top.contains(text.e) || text.e.contains(top) || stayOf(top) !== text.stay) return false;
    if (top.closest("label, button, a, summary")?.contains(text.e) || lies(text.e)) return false;
    return getComputedStyle(text.e).pointerEvents !== "none" && paints(top);
  }));
  function paints(e) {
    const style = getComputedStyle(e);
    return parseFloat(style.opacity) > 0 && (e.tagName === "IMG" || style.backgroundImage !== "none"
      || !/rgba\(.*, 0\)|transparent/.test(style.backgroundColor));
  }
  return [...wrong, ...covered.map((text) => `covered: ${describe(text)}`)];
}
