import Formats
import Quantities

/// Draws plots below and beside each other as one SVG element, whose text is readable where it is
/// shown 360 points wide.
package struct FigureSVG {
  /// The width of a figure in its own units: that of a phone, so that text keeps its size there.
  package static let width = 360.0
  private static let (left, right, bottom) = (50.0, 12.0, 40.0)
  /// The height of a line of the title or the legend.
  private static let lineHeight = 18.0
  /// About the width of a character of the text.
  private static let characterWidth = 7.8

  private var svg: [UInt8] = []
  private let name: String

  private init(name: String) { self.name = name }

  /// The SVG element.
  /// - Parameters:
  ///   - plots: The plots from the top down; neighbours of a half width share a row.
  ///   - name: A word that is unique on the page.
  ///   - description: What the figure shows, for readers that do not see it.
  ///   - style: Rules for a figure that stands alone; nil where the page has them.
  /// - Returns: The element as UTF-8.
  package static func element(
    _ plots: [Plot], name: String, description: String, style: String? = nil
  ) -> [UInt8] {
    var figure = FigureSVG(name: name)
    var (top, row) = (0.0, 0.0)
    var column = 0
    var areas: [(plot: Plot, x: Double, y: Double, width: Double)] = []
    for plot in plots {
      let width = Self.width / Double(plot.columns)
      if column > 0, plot.columns == 1 || column == plot.columns {
        (top, row, column) = (top + row, 0, 0)
      }
      areas.append((plot, Double(column) * width, top, width))
      row = max(row, Self.height(of: plot, width))
      column += 1
      if column >= plot.columns { (top, row, column) = (top + row, 0, 0) }
    }
    let (across, down) = (Int(bounded: Self.width), Int(bounded: (top + row).rounded(.up)))
    figure.add("<svg class=\"plot\" role=\"img\" viewBox=\"0 0 \(across) \(down)\"")
    if style != nil {
      // Twice the size, for pictures.
      figure.add(
        " xmlns=\"http://www.w3.org/2000/svg\" width=\"\(across * 2)\" height=\"\(down * 2)\"")
    }
    figure.add("><title>\(XMLText.escaped(description))</title>")
    if let style {
      figure.add("<style>\(style)</style><rect class=\"back\" width=\"100%\" height=\"100%\"/>")
    }
    for (index, area) in areas.enumerated() {
      figure.draw(area.plot, index, area.x, area.y, area.width)
    }
    figure.add("</svg>")
    return figure.svg
  }

  // MARK: One plot

  private static func legend(_ plot: Plot, _ width: Double) -> [[Plot.Mark]] {
    var rows: [[Plot.Mark]] = []
    var used = Double.infinity
    for mark in plot.marks {
      guard let name = mark.name else { continue }
      let needed = 24 + Double(name.count) * characterWidth
      if used + needed > width - 8 {
        rows.append([])
        used = 0
      }
      rows[rows.count - 1].append(mark)
      used += needed
    }
    return rows
  }

  private static func head(_ plot: Plot, _ width: Double) -> Double {
    lineHeight * Double(1 + legend(plot, width).count) + 9
  }

  private static func height(of plot: Plot, _ width: Double) -> Double {
    head(plot, width) + (width - left(plot) - right) * plot.aspect + bottom(plot)
  }

  private static func left(_ plot: Plot) -> Double { plot.y.ticks.isEmpty ? right : left }
  private static func bottom(_ plot: Plot) -> Double {
    plot.x.ticks.isEmpty ? 8 : plot.x.label.isEmpty ? 20 : bottom
  }

  private mutating func draw(
    _ plot: Plot, _ index: Int, _ x0: Double, _ y0: Double, _ width: Double
  ) {
    let area = Area(
      plot: plot, left: x0 + Self.left(plot), top: y0 + Self.head(plot, width),
      width: width - Self.left(plot) - Self.right,
      height: (width - Self.left(plot) - Self.right) * plot.aspect)
    text(plot.title, x0 + 4, y0 + 12, "title")
    for (line, marks) in Self.legend(plot, width).enumerated() {
      var x = x0 + 4
      let y = y0 + 12 + Self.lineHeight * Double(line + 1)
      for mark in marks {
        swatch(mark, x, y - 4)
        text(mark.name ?? "", x + 18, y)
        x += 24 + Double(mark.name?.count ?? 0) * Self.characterWidth
      }
    }
    grid(area)
    let clip = "\(name)-\(index)"
    add("<clipPath id=\"\(clip)\"><rect x=\"")
    number(area.left)
    add("\" y=\"")
    number(area.top)
    add("\" width=\"")
    number(area.width)
    add("\" height=\"")
    number(area.height)
    add("\"/></clipPath><g clip-path=\"url(#\(clip))\">")
    for mark in plot.marks { draw(mark, area) }
    add("</g>")
  }

  /// The area of a plot in the figure's units.
  private struct Area {
    let plot: Plot
    let left, top, width, height: Double

    func x(_ value: Double) -> Double {
      let range = plot.x.range
      return left + (value - range.lowerBound) / (range.upperBound - range.lowerBound) * width
    }
    func y(_ value: Double) -> Double {
      let range = plot.y.range
      // Far points are clipped; their coordinates stay small.
      let part = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
      return top + height * (1 - min(max(part, -50), 50))
    }
    /// The turns in which values between two are visible.
    func turns(_ low: Double, _ high: Double) -> [Double] {
      guard let period = plot.period else { return [0] }
      let first = ((plot.y.range.lowerBound - high) / period).rounded(.up)
      let last = ((plot.y.range.upperBound - low) / period).rounded(.down)
      guard first <= last else { return [] }
      return stride(from: first, through: min(last, first + 3), by: 1).map { $0 * period }
    }
  }

  private mutating func grid(_ area: Area) {
    add("<path class=\"grid\" d=\"")
    for tick in area.plot.y.ticks { segment(area.left, area.y(tick.value), area.width, 0) }
    for tick in area.plot.x.ticks { segment(area.x(tick.value), area.top, 0, area.height) }
    segment(area.left, area.top + area.height, area.width, 0)
    segment(area.left, area.top, 0, area.height)
    if area.plot.y.ticks.isEmpty {
      segment(area.left, area.top, area.width, 0)
      segment(area.left + area.width, area.top, 0, area.height)
    }
    add("\"/>")
    for tick in area.plot.y.ticks {
      // Not into the labels below.
      let y = min(area.y(tick.value) + 4, area.top + area.height)
      text(tick.label, area.left - 4, y, anchor: "end")
    }
    for tick in area.plot.x.ticks {
      let x = area.x(tick.value)
      let isLast = x > area.left + area.width - 8
      let isFirst = x < area.left + 4
      text(
        tick.label, isLast ? x + 6 : isFirst ? x - 3 : x, area.top + area.height + 13,
        anchor: isLast ? "end" : isFirst ? "start" : "middle")
    }
    if !area.plot.x.label.isEmpty {
      text(
        area.plot.x.label, area.left + area.width / 2, area.top + area.height + 27,
        anchor: "middle")
    }
  }

  private mutating func draw(_ mark: Plot.Mark, _ area: Area) {
    let colour = mark.colour.rawValue
    switch mark.shape {
    case .lines(let lines): paths(lines, "line \(colour)", area)
    case .dashed(let lines): paths(lines, "dash \(colour)", area)
    case .bands(let bands):
      for band in bands {
        let outline = band.lower + band.upper.reversed()
        guard let low = outline.map(\.y).min(), let high = outline.map(\.y).max() else { continue }
        for turn in area.turns(low, high) {
          add("<path class=\"band \(colour)\" d=\"")
          path(outline, turn, area)
          add("Z\"/>")
        }
      }
    case .dots(let points, let radius):
      add("<g class=\"dot \(colour)\">")
      for point in points {
        for turn in area.turns(point.y, point.y) {
          add("<circle cx=\"")
          number(area.x(point.x))
          add("\" cy=\"")
          number(area.y(point.y + turn))
          add("\" r=\"")
          number(radius)
          add("\"/>")
        }
      }
      add("</g>")
    case .spans(let spans):
      for span in spans {
        let left = area.x(span.lowerBound)
        rectangle(
          "span", left, area.top, max(1, area.x(span.upperBound) - left), area.height, nil)
      }
    case .cells(let cells):
      for cell in cells {
        let (left, top) = (area.x(cell.x.lowerBound), area.y(cell.y.upperBound))
        rectangle(
          "cell \(colour)", left, top, area.x(cell.x.upperBound) - left,
          area.y(cell.y.lowerBound) - top, cell.opacity)
      }
    }
  }

  private mutating func paths(_ lines: [[PlotPoint]], _ style: String, _ area: Area) {
    add("<path class=\"\(style)\" d=\"")
    for line in lines where !line.isEmpty {
      guard area.plot.period != nil else {
        path(line, 0, area)
        continue
      }
      // Each stretch in the turns in which it is visible.
      let low = line.lazy.map(\.y).min() ?? 0
      let high = line.lazy.map(\.y).max() ?? 0
      guard let period = area.plot.period else { continue }
      var turn = ((area.plot.y.range.lowerBound - high) / period).rounded(.up)
      while turn * period <= area.plot.y.range.upperBound - low {
        visible(line, turn * period, area)
        turn += 1
      }
    }
    add("\"/>")
  }

  /// The parts of a line that are visible after it was moved by a turn.
  private mutating func visible(_ line: [PlotPoint], _ turn: Double, _ area: Area) {
    let range = area.plot.y.range
    func side(_ point: PlotPoint) -> Int {
      let y = point.y + turn
      return y < range.lowerBound ? -1 : y > range.upperBound ? 1 : 0
    }
    var run: [PlotPoint] = []
    for (point, next) in zip(line, line.dropFirst()) {
      if side(point) != 0, side(point) == side(next) {
        if !run.isEmpty { path(run, turn, area) }
        run = []
      } else {
        if run.isEmpty { run = [point] }
        run.append(next)
      }
    }
    if !run.isEmpty { path(run, turn, area) } else if line.count == 1 { path(line, turn, area) }
  }

  private mutating func path(_ points: [PlotPoint], _ turn: Double, _ area: Area) {
    for (index, point) in points.enumerated() {
      svg.append(UInt8(ascii: index == 0 ? "M" : "L"))
      number(area.x(point.x))
      svg.append(UInt8(ascii: " "))
      number(area.y(point.y + turn))
    }
    // A point alone is a dot by its round ends.
    if points.count == 1 { add("h.01") }
  }

  // MARK: Elements

  private mutating func swatch(_ mark: Plot.Mark, _ x: Double, _ y: Double) {
    let colour = mark.colour.rawValue
    switch mark.shape {
    case .lines: line("line \(colour)", x, y)
    case .dashed: line("dash \(colour)", x, y)
    case .bands: rectangle("band \(colour)", x, y - 4, 14, 8, nil)
    case .spans: rectangle("span", x, y - 4, 14, 8, nil)
    case .cells: rectangle("cell \(colour)", x, y - 4, 14, 8, 0.7)
    case .dots:
      add("<circle class=\"dot \(colour)\" cx=\"")
      number(x + 7)
      add("\" cy=\"")
      number(y)
      add("\" r=\"3\"/>")
    }
  }

  private mutating func line(_ style: String, _ x: Double, _ y: Double) {
    add("<path class=\"\(style)\" d=\"")
    segment(x, y, 14, 0)
    add("\"/>")
  }

  private mutating func segment(_ x: Double, _ y: Double, _ across: Double, _ down: Double) {
    svg.append(UInt8(ascii: "M"))
    number(x)
    svg.append(UInt8(ascii: " "))
    number(y)
    svg.append(UInt8(ascii: down == 0 ? "h" : "v"))
    number(down == 0 ? across : down)
  }

  private mutating func rectangle(
    _ style: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double,
    _ opacity: Double?
  ) {
    add("<rect class=\"\(style)\" x=\"")
    number(x)
    add("\" y=\"")
    number(y)
    add("\" width=\"")
    number(width)
    add("\" height=\"")
    number(height)
    if let opacity {
      add("\" opacity=\"")
      svg.append(opacity, decimals: 2)
    }
    add("\"/>")
  }

  private mutating func text(
    _ text: String, _ x: Double, _ y: Double, _ style: String? = nil, anchor: String? = nil
  ) {
    add("<text x=\"")
    number(x)
    add("\" y=\"")
    number(y)
    if let style { add("\" class=\"\(style)") }
    if let anchor { add("\" text-anchor=\"\(anchor)") }
    add("\">\(XMLText.escaped(text))</text>")
  }

  private mutating func number(_ value: Double) { svg.append(value, decimals: 1) }
  private mutating func add(_ text: String) { svg.append(contentsOf: text.utf8) }
}
