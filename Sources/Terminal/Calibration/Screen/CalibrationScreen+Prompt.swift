import CalibrationFit

/// The sentence that the user should follow or answer now.
extension CalibrationScreen {
  /// A sentence with its role and, for a direction, an arrow.
  struct Prompt: Equatable {
    var text: String
    var role: Role
    var arrow: TurnTarget.Arrow?
  }

  func prompt(_ view: View) -> Prompt {
    let (text, words) = (view.text, view.words)
    switch text.question {
    case .stop:
      let time = words.time(view.progress.seconds)
      return Prompt(text: "Stop and lose \(time) of samples? y / n", role: .banner)
    case .restart: return Prompt(text: "Throw every sample away? y / n", role: .banner)
    case .savePoor:
      let meaning = words.meaning(.poor, for: view.progress.use)
      return Prompt(text: "Only poor so far: \(meaning). Save it? y / n", role: .banner)
    case nil: break
    }
    if text.end != nil {
      let saving = view.quality == .unknown ? "" : " s saves what there is,"
      return Prompt(text: "No more samples:\(saving) q stops.", role: .alarm)
    }
    if text.isPaused { return Prompt(text: "Paused: p goes on.", role: .caution) }
    if let silence = text.silentSeconds {
      let time = words.time(silence)
      return Prompt(text: "No new sample for \(time): is the sensor connected?", role: .alarm)
    }
    var sentence = words.advice(view.progress)
    switch view.progress.advice {
    case .slower, .leaveDisturbance: return Prompt(text: sentence, role: .caution)
    case .done:
      sentence += view.quality == .unknown ? "" : " Press s to save."
      return Prompt(text: sentence, role: .good)
    case .tilt(let side) where view.isLevelOffered:
      return Prompt(text: words.tiltOrLevel(side), role: .accent, arrow: view.target.arrow)
    case .holdStill, .turnLevel, .tilt, .turnOver:
      return Prompt(text: sentence, role: .accent, arrow: view.target.arrow)
    }
  }

  /// Writes the sentence after its arrow, wrapped to at most `rows` rows.
  func drawPrompt(
    _ view: View, on canvas: inout Canvas, _ column: Int, _ row: Int, rows: Int
  ) {
    let prompt = prompt(view)
    let arrow = prompt.arrow.map { glyphs.arrow($0) + " " } ?? ""
    let lines = wrapped(arrow + prompt.text, width: canvas.columns - column - 1)
    for (index, line) in lines.prefix(rows).enumerated() {
      let isBanner = prompt.role == .banner
      canvas.write(
        isBanner ? " \(line) " : line, isBanner ? column - 1 : column, row + index, prompt.role)
    }
  }

  /// Writes the findings, wrapped to the remaining rows; dots at the end mean that there are more.
  /// - Returns: The number of rows used.
  @discardableResult
  func drawFindings(
    _ view: View, on canvas: inout Canvas, _ column: Int, _ row: Int, rows: Int
  ) -> Int {
    let dots = glyphs == .ascii ? "..." : "…"
    let width = canvas.columns - column - 1
    let end = view.text.end.map { [CalibrationFinding($0, weight: .warning)] } ?? []
    let lines = (end + view.text.findings).flatMap { finding in
      wrapped(finding.text, width: width).map { (text: $0, weight: finding.weight) }
    }
    let shown = lines.prefix(max(0, rows))
    for (index, line) in shown.enumerated() {
      let isCut = index == rows - 1 && lines.count > rows
      let text = isCut ? line.text.prefix(width - dots.count) + dots : line.text
      canvas.write(text, column, row + index, line.weight == .warning ? .caution : .plain)
    }
    return shown.count
  }
}
