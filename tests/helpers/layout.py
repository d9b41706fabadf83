"""What a page must not look like: faults of its layout, found in the page itself.

Looked for are text that is wider than its box or cut by one around it, text and controls beside the window, texts that
lie on each other, and controls that do.  What scrolls may lie out of sight in its scroller, or under what stays at its
edge.  What only readers hear, and pictures, are left out: cards, chips and the amounts on them lie where they lie, and
wheels have letters at every angle.
"""

from __future__ import annotations

from playwright.sync_api import Page

_FAULTS = """() => {
  const PICTURES = ".wheel, .bigwheel, .card, .chip, .stake, .stack, .puck, .road, .print, .sr, [hidden]";
  const CONTROLS = "button, a[href], select, input";
  const found = [];
  const styleOf = new Map();
  const style = (node) => styleOf.get(node) ?? styleOf.set(node, getComputedStyle(node)).get(node);
  const name = (node) => `${node.tagName.toLowerCase()}${node.id ? `#${node.id}` : ""}.${node.getAttribute("class")}`;
  const above = (node) => (node.parentElement ? [node.parentElement, ...above(node.parentElement)] : []);
  const isForReaders = (node) => [node, ...above(node)].some((each) => style(each).clipPath === "inset(50%)");
  const shown = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && style(node).fontSize !== "0px" && !node.closest(PICTURES) && !isForReaders(node);
  const floats = (each) => ["fixed", "sticky"].includes(style(each).position);
  const layerOf = (node) => [node, ...above(node)].find(floats) ?? null;
  // The part of a box that its scrollers leave in sight; what a box without a scroll bar cuts off is a fault.
  const inSight = (node, box) => {
    let { left, right, top, bottom } = box;
    for (const each of layerOf(node) === node ? [] : above(node)) {
      if (each === document.body || each === document.documentElement) break;
      if (style(each).overflowX === "visible" && style(each).overflowY === "visible") continue;
      const frame = each.getBoundingClientRect();
      const cuts = ["hidden", "clip"].includes(style(each).overflowX);
      if (cuts && (left < frame.left - 2 || right > frame.right + 2))
        found.push(`${name(each)} cuts "${node.textContent.trim().slice(0, 40)}"`);
      [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
      [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
      if (style(each).position === "fixed") break;
    }
    return { left, right, top, bottom };
  };
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text; (text = walker.nextNode()); ) {
    const node = text.parentElement;
    if (!text.data.trim() || !shown(node) || node.closest("option")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const own = node.getBoundingClientRect();
    const clamps = ["hidden", "clip"].includes(style(node).overflowY) && !node.closest("svg");
    for (const rect of node.closest("svg") ? [own] : range.getClientRects()) {
      const box = inSight(node, rect);
      // A text of so many lines at most ends with them.
      if (clamps) box.bottom = Math.min(box.bottom, own.bottom);
      if (box.right - box.left > 1 && box.bottom - box.top > 1)
        texts.push({ node, box, layer: layerOf(node), says: text.data.trim() });
      if (box.right > box.left && (box.left < -1 || box.right > innerWidth + 1))
        found.push(`"${text.data.trim()}" lies beside the window`);
    }
    const block = !node.closest("svg") && style(node).display !== "inline";
    if (block && node.scrollWidth > node.clientWidth + 1)
      found.push(`${name(node)} "${text.data.trim()}": ${node.scrollWidth} in ${node.clientWidth}`);
  }
  const boxed = (node) => inSight(node, node.getBoundingClientRect());
  const controls = [...document.querySelectorAll(CONTROLS)].filter((node) => shown(node) || node.matches(".pick"))
    .map((node) => ({ node, box: boxed(node), layer: layerOf(node), says: name(node) }));
  const apart = (all, least) => all.forEach((one, index) => all.slice(index + 1).forEach((other) => {
    const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
    const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
    if (wide <= 3 || high <= 2 || one.layer !== other.layer) return;
    if (one.node.contains(other.node) || other.node.contains(one.node)) return;
    const lines = Math.min(one.box.bottom - one.box.top, other.box.bottom - other.box.top);
    if (high > lines * least) found.push(`"${one.says}" lies on "${other.says}"`);
  }));
  apart(texts, 0.3);
  apart(controls, 0);
  const beyond = document.documentElement.scrollWidth - innerWidth;
  if (beyond > 0) found.push(`the page is ${beyond} wider than the window`);
  return [...new Set(found)];
}"""


def faults(page: Page) -> list[str]:
    """What lies wrong on a page as it is now."""
    found: list[str] = page.evaluate(_FAULTS)
    return found
