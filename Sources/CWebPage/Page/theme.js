// Runs before the first paint, so that the page is never white at night.
{
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const device = () => (dark.matches ? "night" : "day");
  const stored = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  const apply = (theme) => {
    root.dataset.theme = theme;
    document.querySelector("meta[name=theme-color]").content = theme === "night" ? "#000000" : "#ffffff";
    dispatchEvent(new Event("themechange"));
  };
  // A choice that equals the device's own is not stored: the page changes with the device again.
  window.switchTheme = () => {
    const wanted = root.dataset.theme === "night" ? "day" : "night";
    try {
      if (wanted === device()) localStorage.removeItem("theme");
      else localStorage.setItem("theme", wanted);
    } catch { /* Private browsing: the choice ends with the page. */ }
    apply(wanted);
  };
  dark.addEventListener("change", () => apply(stored() ?? device()));
  apply(stored() ?? device());
}
