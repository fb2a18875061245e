import Quantities

/// Draws an estimate as a compass of characters in the size of the terminal. It has no clock,
/// terminal or state, so the same estimate always gives the same screen.
public struct CompassScreen: Sendable {
  /// The north of the large figures and the cards.
  public enum North: Sendable {
    /// Magnetic north; available without a place.
    case magnetic
    /// True north; needs a place and a date.
    case `true`

    /// The other north.
    public var other: North { self == .true ? .magnetic : .true }
  }

  /// What is drawn.
  public enum View: Sendable {
    /// Everything that is known.
    case compass
    /// The heading and the course to steer, to be read from three metres.
    case helm
  }

  /// A terminal's size in character cells.
  public struct Size: Equatable, Sendable {
    /// Cells across.
    public var columns: Int
    /// Cells down.
    public var rows: Int
    /// Makes a size.
    public init(columns: Int, rows: Int) {
      self.columns = columns
      self.rows = rows
    }
  }

  /// The characters that may be used.
  public var glyphs: GlyphSet
  /// The number of colours that may be used.
  public var depth: ColourDepth
  /// The colours.
  public var theme: Theme
  /// The north of the large figures.
  public var north: North
  /// The program's name in the first row.
  public var title: String
  /// What is drawn.
  public var view: View
  /// The course to steer of the helm view; nil for none.
  public var course: CourseToSteer?
  /// The figures of a course that are pressed so far.
  private(set) var typedCourse = ""

  /// Makes a screen for a terminal with these capabilities.
  public init(
    glyphs: GlyphSet = .full, depth: ColourDepth = .indexed, theme: Theme = .standard,
    north: North = .magnetic, title: String = "lodestar heading", view: View = .compass,
    course: CourseToSteer? = nil
  ) {
    self.glyphs = glyphs
    self.depth = depth
    self.theme = theme
    self.north = north
    self.title = title
    self.view = view
    self.course = course
  }

  /// Processes a key: t, c and h of both views; of the helm view s for the course at present, three
  /// figures for another one, plus and minus for a degree, x for none. Every key but a figure
  /// removes the figures pressed before it.
  public mutating func press(_ key: UInt8, _ estimate: Estimate?) {
    let figures = typedCourse
    typedCourse = ""
    switch key {
    case UInt8(ascii: "t"): north = north.other
    case UInt8(ascii: "c"): theme = theme.next
    case UInt8(ascii: "h"): view = view == .helm ? .compass : .helm
    default: if view == .helm { steer(key, after: figures, estimate) }
    }
  }

  private mutating func steer(_ key: UInt8, after figures: String, _ estimate: Estimate?) {
    switch key {
    case UInt8(ascii: "s"):
      let heading =
        north == .true ? estimate?.trueHeading?.angle : estimate?.magneticHeading?.angle
      guard let heading else { return }
      course = CourseToSteer(degrees: heading.degrees.rounded(), north: north) ?? course
    case UInt8(ascii: "+"), UInt8(ascii: "="): course = course?.changed(by: 1)
    case UInt8(ascii: "-"): course = course?.changed(by: -1)
    case UInt8(ascii: "x"): if figures.isEmpty { course = nil }
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      typedCourse = figures + String(UnicodeScalar(key))
      guard typedCourse.count == 3 else { return }
      let suffix = north == .true ? "T" : "M"
      course = CourseToSteer(typedCourse + suffix) ?? course
      typedCourse = ""
    default: break
    }
  }

  /// The rows of the screen, each as wide as the terminal.
  /// - Parameters:
  ///   - estimate: The newest estimate; nil before the first.
  ///   - size: The terminal's size.
  ///   - age: Seconds since the estimate last changed; nil if unknown.
  ///   - notice: A message for the last row, such as a lost daemon; nil for none.
  /// - Returns: The rows of the screen.
  public func lines(
    _ estimate: Estimate?, size: Size, age: Double? = nil, notice: String? = nil
  ) -> [String] {
    var canvas = Canvas(columns: size.columns, rows: size.rows)
    let readings = Readings(
      estimate: estimate, north: north,
      figures: Figures(isASCII: glyphs == .ascii, isCompact: true), age: age)
    if view == .helm {
      drawHelm(readings, on: &canvas)
    } else if size.columns >= Self.smallestFull.columns, size.rows >= Self.smallestFull.rows {
      drawFull(readings, on: &canvas)
    } else if size.columns >= Self.smallestNarrow.columns, size.rows >= Self.smallestNarrow.rows {
      drawNarrow(readings, on: &canvas)
    } else {
      drawTiny(readings, on: &canvas)
    }
    if let notice { drawNotice(notice, on: &canvas) }
    return canvas.lines(theme: theme, depth: depth)
  }

  // The panel's 16 rows and 43 columns with header, tape and a rose beside them.
  private static let smallestFull = Size(columns: 78, rows: 20)
  // Header, tape, low digits and one row of figures.
  private static let smallestNarrow = Size(columns: 30, rows: 8)

  // The date and time of the first row, with its margin.
  private static let clockColumns = 27

  // The heading and its accuracy stay visible above the notice.
  private static let fewestRowsWithNotice = 4

  /// The last row: a message in place of keys or figures, cut at the right edge.
  private func drawNotice(_ text: String, on canvas: inout Canvas) {
    guard canvas.rows >= Self.fewestRowsWithNotice else { return }
    let (row, room) = (canvas.rows - 1, canvas.columns - 2)
    let mark = glyphs == .ascii ? "..." : "…"
    let isWhole = text.unicodeScalars.count <= room
    let start = text.unicodeScalars.prefix(max(0, room - mark.count))
    canvas.fill(" ", 0..<canvas.columns, row, .plain)
    canvas.write(isWhole ? text : String(start) + mark, 1, row, .alarm)
  }

  /// The first row: name and time, or the banner of simulated figures.
  func drawHeader(_ readings: Readings, on canvas: inout Canvas) {
    let width = canvas.columns
    let (estimate, figures) = (readings.estimate, readings.figures)
    let role: Role = readings.isSimulated ? .banner : .label
    canvas.fill(" ", 0..<width, 0, role)
    let date = figures.date(estimate?.utc)
    var clock = figures.timeOfDay(estimate?.utc).map { $0 + " UTC" } ?? "UTC " + figures.unknown
    if width >= 70, let date { clock = date + "  " + clock }
    canvas.write(clock, endingAt: width - 1, 0, readings.isSimulated ? .banner : .plain)
    if readings.isSimulated {
      let room = width - clock.count - 4
      let reason = "no sensor stands behind this"
      let mark = glyphs == .ascii ? "***" : "■"
      // Old figures use this space: see drawStaleness.
      let isOld = readings.staleness != nil
      let long = "\(mark) SIMULATED \(mark)" + (isOld ? "" : " \(reason)")
      let short = "\(mark) SIMULATED \(mark)"
      canvas.write(
        long.count <= room ? long : short.count <= room ? short : "SIMULATED", 1, 0, role)
    } else {
      canvas.write(title, 1, 0, .accent)
    }
  }

  /// Writes a message about old figures if necessary: in the first row of a wide screen, else over
  /// the row's figures, which are old too.
  func drawStaleness(_ readings: Readings, on canvas: inout Canvas, insteadOf row: Int?) {
    guard let words = readings.staleness else { return }
    guard let row else {
      // Words that reach the clock replace it: the time of old figures matters less.
      let start = max(19, min(22, canvas.columns - words.count - 1))
      if start + words.count + 2 > canvas.columns - Self.clockColumns {
        canvas.fill(" ", start..<canvas.columns, 0, .plain)
      }
      return canvas.write(words, start, 0, .alarm)
    }
    canvas.fill(" ", 0..<canvas.columns, row, .plain)
    canvas.write(words, around: canvas.columns / 2, row, .alarm)
  }
}
