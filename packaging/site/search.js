// The search box of the site. Its index is a script next to the pages, loaded when the box gets the focus, so that
// search also works from disk. Terms match anywhere in a word, because Chinese text does not separate words.
(() => {
  const base = JSON.parse(document.getElementById("__config").textContent).base;
  const chinese = document.documentElement.lang.startsWith("zh");
  const words = chinese ? { search: "搜索", none: "没有结果" } : { search: "Search", none: "No results" };
  const most = 20;
  let sections = null;

  const form = document.createElement("form");
  form.className = "plimsoll-search";
  form.setAttribute("role", "search");
  const input = document.createElement("input");
  Object.assign(input, { type: "search", placeholder: words.search, autocomplete: "off" });
  input.setAttribute("aria-label", words.search);
  const list = document.createElement("ol");
  list.hidden = true;
  form.append(input, list);
  document.querySelector(".md-header__inner").append(form);

  window.plimsollSearch = (index) => {
    sections = index.map(([page, anchor, title, heading, text]) =>
      ({ page, anchor, title, heading, text, all: [title, heading, text].join("\n").toLowerCase() }));
    show();
  };

  function load() {
    if (!document.getElementById("plimsoll-index")) {
      const script = document.createElement("script");
      script.id = "plimsoll-index";
      script.src = base + "/search-index.js";
      document.head.append(script);
    }
  }

  function score(section, terms) {
    return terms.reduce((sum, term) => sum
      + (section.heading.toLowerCase().includes(term) ? 10 : 0)
      + (section.title.toLowerCase().includes(term) ? 5 : 0)
      + Math.min(3, section.text.toLowerCase().split(term).length - 1), 0);
  }

  function excerpt(section, terms) {
    const at = Math.max(0, Math.min(...terms.map((term) => section.text.toLowerCase().indexOf(term)).filter((i) => i >= 0), Infinity));
    const from = Number.isFinite(at) ? Math.max(0, at - 40) : 0;
    return (from > 0 ? "…" : "") + section.text.slice(from, from + 140);
  }

  function marked(text, terms) {
    const parts = document.createElement("span");
    const found = new RegExp("(" + terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|") + ")", "gi");
    text.split(found).forEach((part, i) => {
      const node = document.createElement(i % 2 ? "mark" : "span");
      node.textContent = part;
      parts.append(node);
    });
    return parts;
  }

  function show() {
    const terms = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.hidden = terms.length === 0 || sections === null;
    if (list.hidden) {
      return;
    }
    const found = sections.filter((section) => terms.every((term) => section.all.includes(term)))
      .map((section) => ({ section, score: score(section, terms) }))
      .sort((a, b) => b.score - a.score).slice(0, most);
    list.replaceChildren(...found.map(({ section }) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = base + "/" + section.page + (section.anchor ? "#" + section.anchor : "");
      const title = document.createElement("b");
      title.append(marked(section.title + (section.heading === section.title ? "" : " · " + section.heading), terms));
      const text = document.createElement("small");
      text.append(marked(excerpt(section, terms), terms));
      link.append(title, text);
      item.append(link);
      return item;
    }));
    if (found.length === 0) {
      const item = document.createElement("li");
      item.textContent = words.none;
      list.append(item);
    }
  }

  input.addEventListener("focus", load);
  input.addEventListener("input", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("a")?.click();
  });
  document.addEventListener("keydown", (event) => {
    const typing = /^(input|textarea|select)$/i.test(document.activeElement.tagName);
    if (event.key === "/" && !typing) {
      event.preventDefault();
      input.focus();
    } else if (event.key === "Escape" && form.contains(document.activeElement)) {
      list.hidden = true;
      input.blur();
    }
  });
  document.addEventListener("click", (event) => {
    if (!form.contains(event.target)) {
      list.hidden = true;
    }
  });
})();
