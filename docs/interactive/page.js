// What the interactive pages have in common: elements, numbers in words, forms that explain what is wrong, and a voice for
// those who hear the page.
"use strict";

const page = (() => {
  const svgNamespace = "http://www.w3.org/2000/svg";

  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  }

  const element = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
  const mark = (tag, attributes = {}, ...children) => fill(document.createElementNS(svgNamespace, tag), attributes, children);
  const text = (x, y, words, attributes = {}) => mark("text", { x, y, ...attributes }, words);
  const byId = (id) => document.getElementById(id);

  /// 1,234,567
  const whole = (number) => Math.round(number).toLocaleString("en-US");
  const decimals = (number, digits) =>
    number.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const percent = (share) => decimals(100 * share, 1) + " %";

  /// 23,040 bytes; 23.6 MB
  function bytes(count) {
    const units = ["bytes", "kB", "MB", "GB", "TB", "PB"];
    let value = count, unit = 0;
    for (; value >= 1000 && unit + 1 < units.length; ++unit) value /= 1000;
    return unit === 0 ? `${whole(count)} bytes` : `${decimals(value, value < 10 ? 2 : 1)} ${units[unit]}`;
  }

  /// A drawing of `width` x `height` with a title and a description for who cannot see it. It keeps its size: where it is
  /// wider than the page, the box around it scrolls, also by keyboard.
  function drawing(id, title, description, width, height, marks) {
    const box = byId(id);
    box.className = "scroll";
    fill(box, { role: "group", "aria-label": title }, []);
    box.replaceChildren(mark("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-labelledby": `${id}-t ${id}-d` },
      mark("title", { id: `${id}-t` }, title), mark("desc", { id: `${id}-d` }, description), ...marks));
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }

  /// rows: lists of cells, the first of which names the row.
  function table(id, caption, head, rows) {
    const line = (tag, cells) => element("tr", {}, ...cells.map((cell, column) => tag === "th"
      ? element("th", { scope: "col" }, cell) : column === 0 ? element("th", { scope: "row" }, cell) : element("td", {}, cell)));
    const box = byId(id);
    box.className = "scroll";
    fill(box, { role: "group", "aria-label": caption }, []);
    box.replaceChildren(element("table", {}, element("caption", {}, caption), element("thead", {}, line("th", head)),
      element("tbody", {}, ...rows.map((row) => line("td", row)))));
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }

  /// What the marks of a drawing mean: pairs of a class and words.
  function keys(pairs) {
    byId("keys").replaceChildren(...pairs.map(([name, words]) => element("span", { class: "key" },
      mark("svg", { width: 14, height: 14, "aria-hidden": "true" }, mark("rect", { x: 1, y: 1, width: 12, height: 12, class: name })), words)));
  }

  /// Says the result, once it has settled: a slider that is moved must not babble.
  let saying = 0;
  function say(words) {
    const settled = 300; // ms
    byId("result").textContent = words;
    clearTimeout(saying);
    saying = setTimeout(() => { byId("spoken").textContent = words; }, settled);
  }

  /// The numbers of a form by their names; null, and a message below the form, if one of them is no number or out of its
  /// range. A number field is whole unless it has the attribute `step`.
  function numbers(form) {
    const values = {}, wrong = [];
    for (const input of form.querySelectorAll("input[type=number], input[type=range]")) {
      const value = Number(input.value), [least, most] = [Number(input.min), Number(input.max)];
      const good = input.value.trim() !== "" && value >= least && value <= most && (input.step || Number.isInteger(value));
      input.setAttribute("aria-invalid", String(!good));
      if (!good) wrong.push(`${input.labels[0].firstChild.textContent.trim()}: ${input.step ? "a" : "a whole"} number from ${whole(least)} to ${whole(most)}`);
      values[input.name] = value;
    }
    byId("problem").textContent = wrong.join("; ");
    return wrong.length === 0 ? values : null;
  }

  /// Draws now, and whenever something in the form changes.
  function live(form, draw) {
    form.addEventListener("input", draw);
    form.addEventListener("submit", (event) => event.preventDefault());
    addEventListener("resize", draw);
    draw();
  }

  return { element, mark, text, byId, whole, decimals, percent, bytes, drawing, table, keys, say, numbers, live };
})();
