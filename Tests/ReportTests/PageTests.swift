import Foundation
import FoundationXML
import Quantities
import Report
import Testing

@Suite("The page of a report", .timeLimit(.minutes(30)))
struct PageTests {
  private var report: Report {
    var section = ReportSection(.heading, "The heading <stayed> & \"more\".")
    var plot = Plot(
      "Degrees", x: .time(100), y: .degrees(0...360),
      marks: [
        Plot.Mark(
          .bands([
            (
              [PlotPoint(x: 0, y: 340), PlotPoint(x: 50, y: 350)],
              [PlotPoint(x: 0, y: 360), PlotPoint(x: 50, y: 370)]
            )
          ]), .first, "accuracy"),
        Plot.Mark(
          .lines([[PlotPoint(x: 0, y: 350), PlotPoint(x: 100, y: 730)]]), .first, "heading"),
        Plot.Mark(.dots([PlotPoint(x: 10, y: -20)], radius: 1), .second, "course"),
        Plot.Mark(.spans([10...20]), .disturbed, "disturbed"),
        Plot.Mark(.cells([Plot.Cell(x: 0...1, y: 0...1, opacity: 0.5)]), .third),
        Plot.Mark(.dashed([[PlotPoint(x: 0, y: 0), PlotPoint(x: 100, y: 0)]]), .reference),
      ])
    plot.period = 360
    section.plots = [plot, plot]
    section.table = [["A", "B"], ["1", "2"]]
    var report = Report(
      title: "a<script>.csv", program: "test",
      sections: [.leftOut(.noise, "no inertial unit"), section])
    report.notes = ["the magnetometer does not measure"]
    report.isSimulated = true
    return report
  }

  private var page: String { String(decoding: ReportPage.html(report), as: UTF8.self) }

  @Test("it has no script, and loads nothing from outside")
  func selfContained() {
    let page = page
    for word in [
      "<script", "javascript:", "http://", "https://", "src=", "href=", "@import", "<link",
      "<iframe",
    ] {
      #expect(!page.contains(word), "\(word)")
    }
    // Only parts of the page itself are referred to.
    #expect(page.matches(of: /url\([^#]/).isEmpty)
    #expect(page.contains("default-src 'none'"))
    // The escaped title is the only trace of the name's markup.
    #expect(page.contains("a&lt;script&gt;.csv"))
  }

  @Test(
    "it has dark colours, the width of a phone, the notes, the table, and what is left out at the end"
  )
  func content() throws {
    let page = page
    #expect(page.hasPrefix(ReportPage.mark))
    #expect(page.contains("prefers-color-scheme:dark"))
    #expect(page.contains("width=device-width"))
    #expect(page.contains("SIMULATED") && page.contains("the magnetometer does not measure"))
    #expect(page.contains("<td>2</td>"))
    #expect(page.contains("<p>The heading &lt;stayed&gt; &amp; &quot;more&quot;.</p>"))
    let heading = try #require(page.range(of: "id=\"heading\""))
    let noise = try #require(page.range(of: "<li id=\"noise\">"))
    #expect(heading.lowerBound < noise.lowerBound)
  }

  @Test("a plot alone is well-formed SVG with unique names, and readable at 360 points")
  func svg() throws {
    let section = try #require(report.section(.heading))
    for isPicture in [false, true] {
      let bytes = section.svgFile(isPicture: isPicture)
      let parser = XMLParser(data: Data(bytes))
      #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "")")
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(text.contains("viewBox=\"0 0 360 "))
      #expect(text.contains("font:14px"))
      #expect(text.contains("prefers-color-scheme") != isPicture)
      let names = text.matches(of: /id="([^"]+)"/).map { String($0.1) }
      #expect(names.count == 2 && Set(names).count == 2)
    }
  }

  @Test("an angle beyond a turn is drawn in each turn that it passes, and not beyond the plot")
  func turns() throws {
    let text = String(
      decoding: try #require(report.section(.heading)).svgFile(isPicture: true), as: UTF8.self)
    let line = try #require(text.firstMatch(of: /class="line a" d="(M[^"]*L[^"]*)"/)).1
    // From 350 to 730: 350 to 360, the whole circle, and 0 to 10.
    #expect(line.matches(of: /M/).count == 3, "\(line)")
  }

  @Test("the figures behind the sentences are JSON")
  func json() throws {
    var report = report
    report.sections[1].figures = [ReportFigure("span_deg", 12.345, 2), ReportFigure("none", nil)]
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(report.json)) as? [String: Any])
    let plots = try #require(object["plots"] as? [[String: Any]])
    #expect(plots.map { $0["name"] as? String } == ["noise", "heading"])
    #expect(plots.map { $0["drawn"] as? Bool } == [false, true])
    let figures = try #require(plots[1]["figures"] as? [String: Double])
    #expect(figures == ["span_deg": 12.35] || figures == ["span_deg": 12.34])
  }
}
