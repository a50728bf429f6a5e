// Before the first paint: the reader's theme, and whether what the build drew is what the address asks for.
{
  const { dataset } = document.documentElement;
  const asked = new URLSearchParams(location.search);
  const [theme, language] = [asked.get("theme"), asked.get("lang") ?? navigator.language.slice(0, 2)];
  const isDark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  dataset.theme = isDark ? "dark" : "light";
  asked.delete("theme");
  asked.delete("lang");
  if (asked.size || language === "zh") dataset.link = "pending";
}
