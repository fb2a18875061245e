/// A point of a plot, in the axes' units.
package struct PlotPoint: Equatable, Sendable {
  /// Along the horizontal axis.
  package var x: Double
  /// Along the vertical axis.
  package var y: Double

  /// Makes a point.
  package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
}

/// One pair of axes with what is drawn in it.
package struct Plot: Equatable, Sendable {
  /// The colours by meaning; the style sheet has them for light and dark.
  package enum Colour: String, Sendable {
    /// The series of a plot, in their order.
    case first = "a"
    case second = "b"
    case third = "c"
    case fourth = "d"
    case fifth = "e"
    /// A model or a limit.
    case reference = "r"
    /// A disturbed span.
    case disturbed = "x"
  }

  /// What is drawn.
  package enum Shape: Equatable, Sendable {
    /// Lines; each ends where values are missing.
    case lines([[PlotPoint]])
    /// A dashed line.
    case dashed([[PlotPoint]])
    /// Areas between a lower and an upper bound, which have equal x.
    case bands([(lower: [PlotPoint], upper: [PlotPoint])])
    /// Dots of a radius.
    case dots([PlotPoint], radius: Double)
    /// Vertical spans over the whole height.
    case spans([ClosedRange<Double>])
    /// Rectangles with an opacity.
    case cells([Cell])

    package static func == (a: Shape, b: Shape) -> Bool {
      switch (a, b) {
      case (.lines(let a), .lines(let b)), (.dashed(let a), .dashed(let b)): a == b
      case (.bands(let a), .bands(let b)):
        a.map(\.lower) == b.map(\.lower) && a.map(\.upper) == b.map(\.upper)
      case (.dots(let a, let r), .dots(let b, let s)): a == b && r == s
      case (.spans(let a), .spans(let b)): a == b
      case (.cells(let a), .cells(let b)): a == b
      default: false
      }
    }
  }

  /// A rectangle.
  package struct Cell: Equatable, Sendable {
    /// Its sides.
    package var x: ClosedRange<Double>
    package var y: ClosedRange<Double>
    /// 0 to 1.
    package var opacity: Double

    package init(x: ClosedRange<Double>, y: ClosedRange<Double>, opacity: Double) {
      (self.x, self.y, self.opacity) = (x, y, opacity)
    }
  }

  /// A shape with its colour and its name in the legend.
  package struct Mark: Equatable, Sendable {
    package var shape: Shape
    package var colour: Colour
    /// Nil for no entry.
    package var name: String?

    package init(_ shape: Shape, _ colour: Colour, _ name: String? = nil) {
      (self.shape, self.colour, self.name) = (shape, colour, name)
    }
  }

  /// The title above the vertical axis: the quantity with its unit.
  package var title: String
  package var x: PlotAxis
  package var y: PlotAxis
  package var marks: [Mark]
  /// How many plots stand side by side in the figure's width: 1 or 2.
  package var columns = 1
  /// Height over width of the area.
  package var aspect = 0.5
  /// The turn after which an angle begins anew, in the vertical axis's unit; the marks are drawn in
  /// every turn.
  package var period: Double?

  package init(_ title: String, x: PlotAxis, y: PlotAxis, marks: [Mark]) {
    (self.title, self.x, self.y, self.marks) = (title, x, y, marks)
  }
}
