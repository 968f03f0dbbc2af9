// Looks through the chapters and the names of the reference, offline. The index is loaded when somebody asks for the first time.
"use strict";

(() => {
  const root = document.documentElement.dataset.root;
  const form = document.querySelector("form.search"), query = document.getElementById("query"), found = document.getElementById("found");
  const most = 30;
  let rows = null;

  /// The index file calls this: rows of [title, address, where it stands, text].
  window.bookIndex = (list) => {
    rows = list.map(([title, url, where, text]) => ({ title, url, where, text, names: title.toLowerCase(), words: text.toLowerCase() }));
    show();
  };

  function load() {
    if (rows) return;
    rows = [];
    const script = document.createElement("script");
    script.src = root + "search_index.js";
    document.head.append(script);
  }

  /// How well a row answers: 0 if a word is missing. A title counts for more than a text, a beginning for more than a middle.
  function score(row, words) {
    let sum = 0;
    for (const word of words) {
      const name = row.names.split("::").pop();
      if (name === word) sum += 100;
      else if (name.startsWith(word)) sum += 40;
      else if (row.names.includes(word)) sum += row.text ? 30 : 10;
      else if (row.words.includes(word)) sum += 5;
      else return 0;
    }
    const phrase = words.length > 1 && row.words.includes(words.join(" "));
    return sum + (phrase ? 100 : 0) + (row.text ? 20 : 0);
  }

  /// Some words around the place where all words stand together, or else the first of them.
  function excerpt(row, words) {
    const together = row.words.indexOf(words.join(" "));
    const at = together < 0 ? row.words.indexOf(words[0]) : together;
    if (at < 0) return row.text.slice(0, 100);
    const from = Math.max(0, row.text.lastIndexOf(" ", Math.max(0, at - 40)));
    return (from ? "… " : "") + row.text.slice(from, at + 80) + " …";
  }

  function show() {
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    found.replaceChildren();
    found.hidden = !words.length;
    if (found.hidden || !rows) return;
    const hits = rows.map((row) => [score(row, words), row]).filter(([points]) => points > 0).sort((a, b) => b[0] - a[0]);
    const count = document.createElement("p");
    count.textContent = hits.length ? hits.length + " found" + (hits.length > most ? ", the first " + most : "") : "Nothing found";
    found.append(count);
    for (const [, row] of hits.slice(0, most)) {
      const link = document.createElement("a"), title = document.createElement("b"), where = document.createElement("span"), text = document.createElement("small");
      link.href = root + row.url;
      title.textContent = row.title;
      where.textContent = row.where;
      text.textContent = row.text ? excerpt(row, words) : "";
      link.append(title, where, text);
      found.append(link);
    }
  }

  form.hidden = false;
  query.addEventListener("focus", load);
  query.addEventListener("input", () => { load(); show(); });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    found.querySelector("a")?.click();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    query.value = "";
    show();
    query.focus();
  });
  document.addEventListener("click", (event) => { if (!form.contains(event.target)) found.hidden = true; });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) return;
    event.preventDefault();
    query.focus();
  });
})();
