import CalibrationFit

/// The help page of `?`.
extension CalibrationScreen {
  func drawHelp(_ view: View, on canvas: inout Canvas) {
    drawHeader(view, on: &canvas)
    let width = min(canvas.columns - 2, 90)
    var row = canvas.rows > 20 ? 2 : 1
    for (name, explanation) in helpLines(view.words) {
      if explanation.isEmpty, canvas.rows > 20 { row += 1 }
      let indent = name.isEmpty ? 0 : Self.nameColumns
      let lines = wrapped(explanation, width: width - indent)
      // The last row is reserved for the exit key.
      guard row + lines.count <= canvas.rows - 1 else { break }
      canvas.write(name, 1, row, .strong)
      for line in lines {
        canvas.write(line, 1 + indent, row)
        row += 1
      }
    }
    canvas.write("any key closes this", 1, canvas.rows - 1, .label)
  }

  private static let nameColumns = 7

  private func helpLines(_ words: CalibrationWords) -> [(name: String, explanation: String)] {
    let degree = words.degree
    return [
      ("s", "save (Enter too)"), ("q", "stop without saving (Esc, Ctrl-C); it asks first"),
      ("u", "undo: throw the last 10 s away"), ("r", "start again"),
      ("p", "pause, to put it down or to carry it past iron; space too"), ("c", "other colours"),
      ("", ""),
      ("", "Do what the second line says, and watch the marks get better."),
      (
        "error",
        "how far a heading may be off, predicted for the worst tilt up to 45\(degree): not how well "
          + "the samples fit. In level use: for the level board."
      ),
      ("good", words.meaning(.good)), ("fair", words.meaning(.fair)),
      ("poor", words.meaning(.poor)),
      ("", ""),
      (
        "map",
        "every way the board can be tilted, nose in the middle; [] is where it is, >< where to go. "
          + "Filled: been there."
      ),
      ("ring", "every way the level board can point; its top is the heading it began with."),
      ("", "What the calibration's own checks do not confirm counts one class lower."),
    ]
  }
}
