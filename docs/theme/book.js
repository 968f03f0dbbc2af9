// What the pages do beyond showing text. Without scripts they can all be read: the tree of contents is then always open.
"use strict";

(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  /// The button that opens the tree of contents where the window is narrow.
  function menu() {
    const button = document.querySelector("button.menu");
    button.addEventListener("click", () => {
      const open = document.documentElement.classList.toggle("menu-open");
      button.setAttribute("aria-expanded", String(open));
    });
  }

  /// Marks this page in the tree, and lists its sections below it.
  function tree() {
    const here = decodeURIComponent(location.pathname.split("/").pop()) || "index.html";
    const link = all("#tree a").find((a) => a.getAttribute("href").split("/").pop() === here);
    if (!link) return;
    link.setAttribute("aria-current", "page");
    const headings = all("main .textblock h2").filter((heading) => heading.querySelector("a.anchor"));
    if (headings.length > 1) {
      const list = document.createElement("ul");
      for (const heading of headings) {
        const item = document.createElement("li"), section = document.createElement("a");
        section.href = "#" + heading.querySelector("a.anchor").id;
        section.textContent = heading.textContent.trim();
        item.append(section);
        list.append(item);
      }
      link.after(list);
    }
    const nav = document.getElementById("tree");
    nav.scrollTop = link.offsetTop - nav.clientHeight / 3;
  }

  /// Whatever is wider than its place scrolls, and can be reached by keyboard.
  function scrolling() {
    for (const table of all("main .textblock table, main .memdoc table.markdownTable, main .memdoc table.doxtable, main .contents > table.directory")) {
      if (table.closest(".wide")) continue;
      const frame = document.createElement("div");
      frame.className = "wide";
      table.replaceWith(frame);
      frame.append(table);
    }
    const reachable = () => {
      for (const box of all("main .wide, main .fragment, main pre, main .diagram, main .formula, main .directory, main .memproto")) {
        if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
        else box.removeAttribute("tabindex");
      }
    };
    reachable();
    addEventListener("resize", reachable);
  }

  /// Doxygen's lists fold by clicks on arrows; a key does it too.
  function arrows() {
    for (const arrow of all("main [onclick]")) {
      if (arrow.matches("a[href]")) continue;
      arrow.tabIndex = 0;
      arrow.setAttribute("role", "button");
      if (!arrow.textContent.trim() || arrow.classList.contains("arrow")) arrow.setAttribute("aria-label", "Open or close");
      arrow.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        arrow.click();
      });
    }
  }

  /// An icon that leads to a file's source has no words; the link behind it, and the file's page, lead there too.
  function icons() {
    for (const link of all("main .directory a[href]")) {
      if (link.textContent.trim() !== "") continue;
      link.setAttribute("aria-hidden", "true");
      link.tabIndex = -1;
    }
  }

  menu();
  tree();
  scrolling();
  arrows();
  icons();
})();
