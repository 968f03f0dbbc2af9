// What scripts/accessibility looks for in a page that is shown in a frame. The numbers are those of WCAG 2.2, level AA.
"use strict";

const leastTextContrast = 4.5, leastLargeTextContrast = 3, leastControlContrast = 3;
const largeText = 24, largeBoldText = 18.66, bold = 700; // px, px, weight
const leastTarget = 24, pixelShare = 0.5; // px; what is drawn is rounded to pixels

/// "<button id=play class=wide> Play": enough to find an element again.
function described(element) {
  const name = [element.localName, element.id && `id=${element.id}`, element.getAttribute("class") && `class=${element.getAttribute("class")}`];
  return `<${name.filter(Boolean).join(" ")}> ${element.textContent.trim().replace(/\s+/g, " ").slice(0, 40)}`;
}

// Colours.

function channels(view, colour) {
  const numbers = colour.match(/-?[\d.]+/g).map(Number);
  const scale = colour.startsWith("color(") ? 255 : 1;
  return { rgb: numbers.slice(0, 3).map((value) => value * scale), alpha: numbers.length > 3 ? numbers[3] : 1 };
}

const over = (top, below) => top.rgb.map((value, i) => value * top.alpha + below[i] * (1 - top.alpha));

function luminance(rgb) {
  const [r, g, b] = rgb.map((value) => value / 255).map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

/// What Chromium paints behind a page that sets no background.
function canvasOf(view) {
  const knowsDark = view.getComputedStyle(view.document.documentElement).colorScheme.includes("dark");
  return knowsDark && view.matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18] : [255, 255, 255];
}

/// The colour behind the content of `element`: its own background over that of what it lies in.
function backgroundOf(view, element) {
  if (element === null) return canvasOf(view);
  const own = channels(view, view.getComputedStyle(element).backgroundColor);
  return own.alpha === 1 ? own.rgb : over(own, backgroundOf(view, element.parentElement));
}

/// The colour behind a text of a drawing: the last shape before it that covers its middle, else what the drawing lies on.
function backgroundInDrawing(view, text) {
  const drawing = text.ownerSVGElement, box = text.getBoundingClientRect();
  const x = box.left + box.width / 2, y = box.top + box.height / 2;
  let colour = backgroundOf(view, drawing.parentElement);
  for (const shape of drawing.querySelectorAll("rect, polygon, ellipse, circle, path")) {
    if (!(shape.compareDocumentPosition(text) & view.Node.DOCUMENT_POSITION_FOLLOWING)) continue;
    const area = shape.getBoundingClientRect(), fill = view.getComputedStyle(shape).fill;
    if (fill === "none" || x < area.left || x > area.right || y < area.top || y > area.bottom) continue;
    colour = over(channels(view, fill), colour);
  }
  return colour;
}

function isSeen(view, element) {
  const box = element.getBoundingClientRect(), style = view.getComputedStyle(element);
  return element.getClientRects().length > 0 && box.width > 1 && box.height > 1 && style.visibility === "visible" && style.opacity !== "0";
}

function leastContrastOf(style) {
  const size = parseFloat(style.fontSize);
  return size >= largeText || (size >= largeBoldText && Number(style.fontWeight) >= bold) ? leastLargeTextContrast : leastTextContrast;
}

function textFaults(view, page, fault) {
  const walker = page.createTreeWalker(page.body, view.NodeFilter.SHOW_TEXT);
  const judged = new Set();
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (walker.currentNode.data.trim() === "" || judged.has(element) || !isSeen(view, element)) continue;
    if (element.closest("script, style, title, desc, option, :disabled, [aria-disabled=true]")) continue;
    judged.add(element);
    judgeText(view, element, fault);
  }
  for (const element of page.querySelectorAll("input:not([type=range], [type=checkbox]), select, textarea")) {
    if (isSeen(view, element)) judgeText(view, element, fault);
  }
}

function judgeText(view, element, fault) {
  const style = view.getComputedStyle(element), drawn = element.ownerSVGElement;
  const background = drawn ? backgroundInDrawing(view, element) : backgroundOf(view, element);
  const ratio = contrast(over(channels(view, drawn ? style.fill : style.color), background), background);
  if (ratio < leastContrastOf(style) - 0.005) fault(element, `text has a contrast of ${ratio.toFixed(2)} (1.4.3)`);
}

// Names.

function nameOf(page, element) {
  const named = (element.getAttribute("aria-labelledby") || "").split(/\s+/).filter(Boolean).map((id) => page.getElementById(id));
  const words = [
    ...named.map((other) => (other ? other.textContent : "")),
    element.getAttribute("aria-label") || "",
    ...[...(element.labels || [])].map((label) => label.textContent),
    element.getAttribute("alt") || "",
    ...[...element.querySelectorAll(":scope > title")].map((title) => title.textContent),
    element.matches("button, a, summary") ? element.textContent + [...element.querySelectorAll("img[alt]")].map((image) => image.alt).join(" ") : "",
    element.getAttribute("title") || "",
    element.getAttribute("placeholder") || "",
  ];
  return words.join(" ").trim();
}

function nameFaults(view, page, fault) {
  for (const element of page.querySelectorAll("a[href], button, summary, input:not([type=hidden]), select, textarea, iframe, [role=img], [role=group], [role=region]")) {
    if (!element.closest("[aria-hidden=true]") && isSeen(view, element) && nameOf(page, element) === "") fault(element, "has no name (4.1.2)");
  }
  for (const image of page.querySelectorAll("img")) {
    if (!image.hasAttribute("alt")) fault(image, "a picture without alt (1.1.1)");
  }
  for (const drawing of page.querySelectorAll("svg")) {
    if (drawing.closest("[aria-hidden=true], [role=presentation]") || drawing.querySelector("title")) continue;
    fault(drawing, "a drawing with neither title nor aria-hidden (1.1.1)");
  }
}

// Structure.

function structureFaults(view, page, fault) {
  const root = page.documentElement;
  if (!/^[a-z]{2}/.test(root.lang)) fault(root, "no language (3.1.1)");
  if (page.title.trim() === "") fault(root, "no title (2.4.2)");
  if (!page.querySelector("meta[name=viewport]")) fault(root, "no viewport: a phone would shrink the page (1.4.4)");
  if (page.querySelectorAll("main, [role=main]").length !== 1) fault(root, "there is not one main part (1.3.1)");
  headingFaults(page, fault);
  const ids = new Set();
  for (const element of page.querySelectorAll("[id]")) {
    if (ids.has(element.id)) fault(element, "its id is there twice (4.1.1)");
    ids.add(element.id);
  }
  for (const attribute of ["for", "aria-labelledby", "aria-describedby", "aria-controls"]) {
    for (const element of page.querySelectorAll(`[${attribute}]`)) {
      const gone = element.getAttribute(attribute).split(/\s+/).filter((id) => id && !ids.has(id));
      if (gone.length > 0) fault(element, `${attribute} names ${gone.join(", ")}, which is not there (1.3.1)`);
    }
  }
  for (const element of page.querySelectorAll("[data-result], #result")) {
    if (!page.querySelector("[aria-live], [role=status], output")) fault(element, "a result that nobody hears (4.1.3)");
  }
}

function headingFaults(page, fault) {
  const headings = [...page.querySelectorAll("h1, h2, h3, h4, h5, h6, [role=heading]")];
  const levelOf = (heading) => Number(heading.getAttribute("aria-level") || heading.localName[1]);
  if (!headings.some((heading) => levelOf(heading) === 1)) fault(page.documentElement, "no first heading (1.3.1)");
  let before = 0;
  for (const heading of headings) {
    const level = levelOf(heading);
    if (level > before + 1) fault(heading, `a heading of level ${level} after one of level ${before} (1.3.1)`);
    before = level;
  }
}

// Keyboard and finger.

const controls = "a[href], button, input:not([type=hidden]), select, textarea, summary, iframe, [tabindex]";

function keyboardFaults(view, page, fault) {
  for (const element of page.querySelectorAll(controls)) {
    if (element.tabIndex > 0) fault(element, "a tabindex that jumps the queue (2.4.3)");
    if (element.tabIndex < 0 || !isSeen(view, element) || element.matches(":disabled")) continue;
    if (element.closest("[aria-hidden=true]")) fault(element, "is hidden from some, and takes the focus of all (4.1.2)");
    focusFaults(view, page, element, fault);
    const box = element.getBoundingClientRect();
    const isInText = view.getComputedStyle(element).display === "inline" || element.matches("[type=checkbox] + *");
    if (element.matches("a, button, input, select, textarea, summary") && !isInText && (Math.min(box.width, box.height) < leastTarget - pixelShare)) {
      const label = element.labels && element.labels[0];
      if (!label || label.getBoundingClientRect().height < leastTarget) fault(element, `a target of ${box.width.toFixed(0)} x ${box.height.toFixed(0)} (2.5.8)`);
    }
  }
  for (const element of page.querySelectorAll("[onclick], [role=button], [role=link]")) {
    if (element.tabIndex < 0 && !element.matches(controls)) fault(element, "can be clicked, but not reached by keyboard (2.1.1)");
  }
  for (const element of page.body.querySelectorAll("*")) {
    if (!/auto|scroll/.test(view.getComputedStyle(element).overflowX) || element.scrollWidth <= element.clientWidth + 1 || !isSeen(view, element)) continue;
    if (element.tabIndex < 0 && !element.querySelector(controls)) fault(element, "scrolls, but not by keyboard (2.1.1)");
  }
}

function focusFaults(view, page, element, fault) {
  const look = () => {
    const style = view.getComputedStyle(element);
    return [style.outlineStyle, style.outlineWidth, style.boxShadow, style.backgroundColor, style.borderColor].join();
  };
  if (page.activeElement) page.activeElement.blur();
  const before = look();
  element.focus({ preventScroll: true });
  if (page.activeElement !== element) return fault(element, "takes no focus (2.1.1)");
  if (look() === before) fault(element, "its focus is not to be seen (2.4.7)");
  element.blur();
}

function controlFaults(view, page, fault) {
  for (const element of page.querySelectorAll("input:not([type=range], [type=checkbox]), select, textarea, button")) {
    if (!isSeen(view, element) || element.matches(":disabled")) continue;
    const style = view.getComputedStyle(element), around = backgroundOf(view, element.parentElement);
    const border = parseFloat(style.borderTopWidth) > 0 ? contrast(over(channels(view, style.borderTopColor), around), around) : 1;
    const filled = contrast(backgroundOf(view, element), around);
    if (Math.max(border, filled) < leastControlContrast - 0.005) fault(element, `its edge has a contrast of ${border.toFixed(2)} (1.4.11)`);
  }
}

/// Faults of the page in `frame`, in words.
function findFaults(frame) {
  const view = frame.contentWindow, page = frame.contentDocument, faults = [];
  const fault = (element, words) => faults.push(`${words}: ${described(element)}`);
  if (page.documentElement.scrollWidth > view.innerWidth) fault(page.documentElement, `wider than the window, ${page.documentElement.scrollWidth} (1.4.10)`);
  for (const find of [structureFaults, nameFaults, textFaults, controlFaults, keyboardFaults]) find(view, page, fault);
  return faults;
}

/// Uses a page that has a result: presses every button, and sets every field to its least, its most and to nothing. Faults:
/// errors of its scripts, a field without a number that is not marked, a result that is empty.
function useAll(frame) {
  const view = frame.contentWindow, page = frame.contentDocument, faults = [];
  const result = page.getElementById("result");
  if (!result) return [];
  const set = (field, value) => {
    field.value = value;
    for (const type of ["input", "change"]) field.dispatchEvent(new view.Event(type, { bubbles: true }));
  };
  for (const field of page.querySelectorAll("input[type=number], input[type=range]")) {
    const before = field.value;
    for (const value of [field.min, field.max]) set(field, value);
    if (field.type === "number") {
      set(field, "");
      if (field.getAttribute("aria-invalid") !== "true" || page.getElementById("problem").textContent === "") faults.push(`takes nothing for a number: ${described(field)} ${field.name}`);
    }
    set(field, before);
  }
  for (const choice of page.querySelectorAll("select")) {
    for (const option of [...choice.options].reverse()) set(choice, option.value);
  }
  for (const button of page.querySelectorAll("button")) button.click();
  if (result.textContent.trim() === "") faults.push("there is no result");
  if (page.getElementById("problem").textContent !== "") faults.push(`complains of an example: ${page.getElementById("problem").textContent}`);
  return [...faults, ...(view.scriptErrors || [])];
}
