import Quantities

/// Whether something in a recording can be trusted, in one sentence with the reason.
package struct TrustVerdict: Equatable, Sendable {
  /// The answers.
  package enum Answer: String, Sendable {
    /// Nothing contradicts it, and its accuracy is known.
    case trusted
    /// It may be right, and something is not known.
    case doubtful
    /// Something contradicts it.
    case wrong
    /// The recording has none.
    case absent
  }

  package var answer: Answer
  package var sentence: String
}

/// A verdict with its subject.
package struct SubjectVerdict: Equatable, Sendable {
  /// What is judged.
  package enum Subject: String, Sendable { case heading, position }

  package var subject: Subject
  package var verdict: TrustVerdict
}

extension RecordingAnalysis {
  /// Share of the time above which a contradiction decides.
  private static let decisiveShare = 0.1
  /// Factor between the field and the model's above which iron or a wrong unit decides; buildings
  /// and ships change the field by less.
  private static let decisiveFactor = 1.6
  /// Course that has to be turned through, and the heading that may have turned meanwhile, degrees,
  /// for a compass that is stuck.
  private static let (turnedCourse, stuckHeading) = (120.0, 15.0)
  /// Tilt in the median above which the mounting is not the stated one, degrees.
  private static let overturnedTilt = 60.0
  /// Accuracy in the median above which a heading is only a hint, degrees.
  private static let coarseAccuracy = 20.0

  /// Whether the headings can be trusted, and why not.
  package var headingVerdict: TrustVerdict {
    let shown = heading.shown
    guard shown.series.range != nil else {
      return TrustVerdict(answer: .absent, sentence: "This recording has no heading.")
    }
    if let reason = headingContradiction(shown) {
      return TrustVerdict(answer: .wrong, sentence: "The heading is wrong: \(reason).")
    }
    if let reason = headingDoubt(shown) {
      return TrustVerdict(answer: .doubtful, sentence: "The heading is doubtful: \(reason).")
    }
    let median = FigureText.fixed(shown.accuracy.median, 1)
    return TrustVerdict(
      answer: .trusted,
      sentence: "The heading can be trusted to \(median)° (95 %): nothing contradicts it.")
  }

  private func headingContradiction(_ shown: HeadingTrack.North) -> String? {
    if let fault = heading.inputFault { return "\(fault); \(fault.remedy)" }
    if let measured = field.strengths.median, let model = field.modelStrengths.median, model > 0,
      measured > model * Self.decisiveFactor || measured < model / Self.decisiveFactor
    {
      return
        "the field has \(FigureText.fixed(measured, 0)) µT where the magnetic model has \(FigureText.fixed(model, 0)): a magnet or iron is near, or the magnetometer is not calibrated"
    }
    if let turned = courseSpan, turned >= Self.turnedCourse, let range = shown.series.range,
      range.upperBound - range.lowerBound < Self.stuckHeading
    {
      return
        "it stayed within \(FigureText.fixed(range.upperBound - range.lowerBound, 0))° while the course turned through \(FigureText.fixed(turned, 0))°"
    }
    if heading.seconds > 0, let angle = heading.contradiction.median,
      heading.contradiction.total / heading.seconds > Self.decisiveShare
    {
      return "the course contradicts the compass by \(FigureText.fixed(angle, 0))°"
    }
    if let angle = tilt.tilt.median, angle > Self.overturnedTilt, heading.courses > 0 {
      return
        "the board is tilted by \(FigureText.fixed(angle, 0))° in a vehicle that drives: the stated mounting is not that of the board"
    }
    return nil
  }

  private func headingDoubt(_ shown: HeadingTrack.North) -> String? {
    if let angle = heading.tiltContradiction.median {
      return "gravity contradicted the tilt by \(FigureText.fixed(angle, 0))°"
    }
    if calibrationState == .uncalibrated, intervals(of: .magnetometer) != nil {
      return "the magnetometer is not calibrated"
    }
    guard let accuracy = shown.accuracy.median else { return "its accuracy is not known" }
    if accuracy > Self.coarseAccuracy {
      return "it is known to \(FigureText.fixed(accuracy, 0))° only (95 %, median)"
    }
    if field.judged > 0, field.disturbedSeconds / field.judged > 0.5 {
      return
        "the field was disturbed for \(FigureText.percent(field.disturbedSeconds / field.judged)) of the time"
    }
    return nil
  }

  /// The arc of the courses at speed, degrees; nil where there are fewer than ten.
  private var courseSpan: Double? {
    guard heading.courses >= 10, heading.turned.total > 0 else { return nil }
    return heading.turned.range.map { $0.upperBound - $0.lowerBound }
  }

  /// Whether the positions can be trusted, and why not.
  package var positionVerdict: TrustVerdict {
    guard position.ranges != nil else {
      return TrustVerdict(answer: .absent, sentence: "This recording has no position.")
    }
    let share = seconds > 0 ? position.reckoned.seconds / seconds : 0
    if let back = position.longestReturn, back.stated.isFinite, back.metres > 3 * back.stated,
      back.metres > 30
    {
      return TrustVerdict(
        answer: .doubtful,
        sentence:
          "The position is doubtful after outages: the first fix after \(TimeText.text(back.seconds)) was \(FigureText.length(back.metres)) away where \(FigureText.length(back.stated)) were stated."
      )
    }
    if share > Self.decisiveShare {
      return TrustVerdict(
        answer: .doubtful,
        sentence:
          "The position is doubtful: for \(FigureText.percent(share)) of the time it was dead reckoning."
      )
    }
    guard let radius = position.radius.median else {
      return TrustVerdict(
        answer: .doubtful, sentence: "The position is doubtful: its accuracy is not known.")
    }
    return TrustVerdict(
      answer: radius > 50 ? .doubtful : .trusted,
      sentence: radius > 50
        ? "The position is doubtful: it is known to \(FigureText.length(radius)) only (68 %, median)."
        : "The position can be trusted to \(FigureText.length(radius)) (68 %): nothing contradicts it."
    )
  }
}
