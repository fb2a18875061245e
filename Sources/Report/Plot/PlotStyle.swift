/// The style of the plots and of the page, in light and dark colours. Without variables, so that
/// programs that draw a plot alone understand it.
package enum PlotStyle {
  private struct Colours {
    var surface, text, soft, grid: String
    var series: [(Plot.Colour, String)]
    var disturbedOpacity: String
  }

  // The series' colours are apart for people with impaired colour vision too, on both surfaces.
  private static let light = Colours(
    surface: "#ffffff", text: "#10151a", soft: "#4a545e", grid: "#dde2e7",
    series: [
      (.first, "#1f6fd0"), (.second, "#d9580d"), (.third, "#12875c"), (.fourth, "#8a4fc4"),
      (.fifth, "#8c6d00"), (.reference, "#4a545e"), (.disturbed, "#d03b3b"),
    ], disturbedOpacity: ".16")
  private static let dark = Colours(
    surface: "#1a1d21", text: "#f2f4f6", soft: "#b4bcc4", grid: "#363c43",
    series: [
      (.first, "#5b9df0"), (.second, "#f08748"), (.third, "#3fbf8c"), (.fourth, "#b48ae6"),
      (.fifth, "#cfae3c"), (.reference, "#b4bcc4"), (.disturbed, "#f06a6a"),
    ], disturbedOpacity: ".22")

  /// The rules of plots in light colours, with the dark ones where the reader's system asks for
  /// them.
  package static let plots =
    shapes + rules(light) + "@media (prefers-color-scheme:dark){" + rules(dark) + "}"

  /// The rules of a plot that is drawn once, as in a picture: light.
  package static let picture = shapes + rules(light)

  /// The rules of the page around the plots.
  package static let page = """
    *{box-sizing:border-box}\
    html{-webkit-text-size-adjust:100%;color-scheme:light dark}\
    body{margin:0;background:#eef1f4;color:#10151a;font:16px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;\
    font-variant-numeric:tabular-nums;overflow-wrap:anywhere}\
    main,header{max-width:1000px;margin:0 auto;padding:12px}\
    header{padding-bottom:0}\
    h1{font-size:1.35rem;margin:.2rem 0}\
    h2{font-size:1.05rem;margin:0 0 .4rem}\
    .facts{color:#4a545e;margin:.2rem 0}\
    .verdict{margin:.4rem 0;padding:.5rem .7rem;border-radius:8px;border-left:6px solid #4a545e;background:#fff;\
    font-weight:600}\
    .verdict.trusted{border-color:#12875c}\
    .verdict.doubtful{border-color:#8c6d00}\
    .verdict.wrong{border-color:#c62828;background:#ffe3e0}\
    .note{margin:.4rem 0;padding:.5rem .7rem;border-radius:8px;background:#ffe9b8;color:#4a2b00}\
    main{columns:340px 2;column-gap:12px}\
    section{background:#fff;border-radius:12px;padding:12px;margin:0 0 12px;break-inside:avoid}\
    section p{margin:.5rem 0 0}\
    section.out{background:none;border:1px solid #c4ccd4}\
    svg{display:block;width:100%;max-width:520px;height:auto;margin:0 auto}\
    table{border-collapse:collapse;width:100%;margin-top:.6rem;font-size:.8rem;overflow-wrap:normal}\
    th,td{text-align:right;white-space:nowrap;padding:.15rem .25rem;border-top:1px solid #dde2e7}\
    th:first-child,td:first-child{text-align:left;padding-left:0}\
    td:first-child{white-space:normal}\
    th{font-weight:600;white-space:normal;color:#4a545e;border-top:0}\
    footer{padding:0 12px 8px;color:#4a545e;font-size:.85rem;break-inside:avoid}\
    @media (prefers-color-scheme:dark){body{background:#101215;color:#f2f4f6}.facts,footer,th{color:#b4bcc4}\
    section{background:#1a1d21}section.out{border-color:#363c43}th,td{border-color:#363c43}\
    .note{background:#4a3600;color:#ffe9b8}}\
    section ul{margin:.2rem 0 0;padding-left:1.1rem}\
    @media (prefers-color-scheme:dark){.verdict{background:#1a1d21}.verdict.wrong{background:#4a1512}}\
    @media (max-width:480px){main,header{padding:4px}section{padding:8px 2px}section p,section h2,section ul,table{\
    margin-left:6px;margin-right:6px}}\
    @page{margin:12mm}\
    @media print{body{background:#fff;color:#10151a;font-size:10pt}main,header{max-width:none;padding:0}\
    main{columns:2;column-gap:6mm}section{border:1px solid #c4ccd4;border-radius:4px;padding:2mm;margin-bottom:4mm}}
    """

  private static let shapes = """
    .plot text{font:14px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}\
    .plot .line{fill:none;stroke-width:1.3;stroke-linejoin:round;stroke-linecap:round}\
    .plot .dash{fill:none;stroke-width:1.3;stroke-dasharray:5 3}\
    .plot .band{opacity:.22;stroke:none}\
    .plot .dot{stroke:none;opacity:.75}\
    .plot .cell{stroke:none}\
    .plot .grid{stroke-width:1;fill:none}\

    """

  private static func rules(_ colours: Colours) -> String {
    var text =
      ".plot .back{fill:\(colours.surface)}.plot text{fill:\(colours.soft)}.plot .title{fill:\(colours.text)}"
      + ".plot .grid{stroke:\(colours.grid)}"
    for (colour, value) in colours.series {
      let name = colour.rawValue
      text += ".plot .line.\(name),.plot .dash.\(name){stroke:\(value)}"
      text += ".plot .band.\(name),.plot .dot.\(name),.plot .cell.\(name){fill:\(value)}"
    }
    return text
      + ".plot .span{fill:\(colours.series.last?.1 ?? "red");opacity:\(colours.disturbedOpacity)}"
  }
}
