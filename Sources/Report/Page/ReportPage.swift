import Formats
import Quantities

/// The page of a report: one HTML file without scripts, which loads nothing.
package enum ReportPage {
  /// The beginning of every page, by which a report is recognised.
  package static let mark =
    "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"generator\" content=\"lodestar report\">"

  /// The page as UTF-8.
  package static func html(_ report: Report) -> [UInt8] {
    var page: [UInt8] = []
    func add(_ text: String) { page.append(contentsOf: text.utf8) }
    let title = XMLText.escaped(report.title)
    add(mark)
    // Nothing may be loaded, whatever a name contains.
    add(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        + "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
        + "<title>\(title) – Lodestar report</title><style>\(PlotStyle.page)\(PlotStyle.plots)</style></head><body>"
    )
    add("<header><h1>\(title)</h1>")
    for verdict in report.verdicts.map(\.verdict) {
      add(
        "<p class=\"verdict \(verdict.answer.rawValue)\">\(XMLText.escaped(verdict.sentence))</p>")
    }
    add(
      "<p class=\"facts\">\(report.facts.map(XMLText.escaped).joined(separator: " · "))</p>")
    if report.isSimulated {
      add("<p class=\"note\">SIMULATED: the samples are not those of sensors.</p>")
    }
    for note in report.notes { add("<p class=\"note\">\(XMLText.escaped(note))</p>") }
    add("</header><main>")
    for section in report.sections where !section.isLeftOut { append(section, to: &page) }
    appendLeftOut(report.sections.filter { $0.isLeftOut }, to: &page)
    add(
      "<footer>\(XMLText.escaped(report.program)). Times count from the begin. The page has no coordinates, but the shape of the way.</footer></main></body></html>\n"
    )
    return page
  }

  /// What is not shown, with the reasons, in one list.
  private static func appendLeftOut(_ sections: [ReportSection], to page: inout [UInt8]) {
    guard !sections.isEmpty else { return }
    func add(_ text: String) { page.append(contentsOf: text.utf8) }
    add("<section class=\"out\"><h2>Not shown</h2><ul>")
    for section in sections {
      add(
        "<li id=\"\(section.name.rawValue)\">\(XMLText.escaped(section.name.title)): "
          + "\(XMLText.escaped(section.reason))</li>")
    }
    add("</ul></section>")
  }

  private static func append(_ section: ReportSection, to page: inout [UInt8]) {
    func add(_ text: String) { page.append(contentsOf: text.utf8) }
    add(
      "<section id=\"\(section.name.rawValue)\"\(section.isLeftOut ? " class=\"out\"" : "")>"
        + "<h2>\(XMLText.escaped(section.name.title))</h2>")
    if !section.plots.isEmpty {
      page += FigureSVG.element(
        section.plots, name: section.name.rawValue,
        description: "\(section.name.title): \(section.sentence)")
    }
    add("<p>\(XMLText.escaped(section.sentence))</p>")
    if let head = section.table.first {
      add("<table><tr>\(head.map { "<th>\(XMLText.escaped($0))</th>" }.joined())</tr>")
      for row in section.table.dropFirst() {
        add("<tr>\(row.map { "<td>\(XMLText.escaped($0))</td>" }.joined())</tr>")
      }
      add("</table>")
    }
    add("</section>")
  }
}

extension ReportSection {
  /// The plot as an SVG file.
  /// - Parameter isPicture: True for a program that draws it once, and then in light colours.
  /// - Returns: The file as UTF-8.
  package func svgFile(isPicture: Bool) -> [UInt8] {
    FigureSVG.element(
      plots, name: name.rawValue, description: "\(name.title): \(sentence)",
      style: isPicture ? PlotStyle.picture : PlotStyle.plots) + [UInt8(ascii: "\n")]
  }
}
