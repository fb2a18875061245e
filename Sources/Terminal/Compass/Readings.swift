import Quantities

/// The texts of an estimate for the screen, for the selected north.
struct Readings {
  let estimate: Estimate?
  let north: CompassScreen.North
  let figures: Figures
  /// Seconds since the estimate last changed; nil if unknown.
  let age: Double?

  /// Age from which figures are shown as old, s: three epochs of a 1 Hz receiver.
  private static let oldAge = 3.0

  var isSimulated: Bool { estimate?.isSimulated ?? false }

  /// A message about the age, if it matters.
  var staleness: String? {
    guard estimate != nil else { return "no estimate so far" }
    guard isOld, let age, let text = figures.number(age, decimals: 0) else { return lostSource }
    return "no new estimate for \(text) s"
  }

  /// Whether the estimate is too old to be used.
  var isOld: Bool { (age ?? 0) >= Self.oldAge }

  /// What is lost or carried on, the heading before the position.
  private var lostSource: String? {
    guard let estimate else { return nil }
    func isLost(_ state: SourceState?) -> Bool {
      state == .late || state == .lost || state == .ended
    }
    if isLost(estimate.headingState) { return estimate.headingTrouble }
    return isLost(estimate.positionState) ? estimate.positionTrouble : nil
  }

  /// The heading relative to the selected north.
  var heading: Angle? { north == .true ? trueHeading : magneticHeading }
  var magneticHeading: Angle? { estimate?.magneticHeading?.angle }
  var trueHeading: Angle? { estimate?.trueHeading?.angle }

  /// The heading in degrees, if it is finite.
  var headingDegrees: Double? { heading.flatMap { $0.radians.isFinite ? $0.degrees : nil } }

  /// The course relative to the selected north; beside a magnetic heading this needs the true
  /// heading.
  var courseDegrees: Double? {
    guard let heading = headingDegrees, let trueHeading, trueHeading.radians.isFinite,
      let course = estimate?.course, course.radians.isFinite
    else { return nil }
    return heading + HeadingTape.difference(course.degrees, trueHeading.degrees)
  }

  /// Three figures, a point and a tenth; dashes if unknown.
  var bigHeading: String { figures.direction(heading, padded: true).map { $0 + "°" } ?? "---" }

  var northWord: String { north == .true ? "true" : "magnetic" }

  /// The other heading with its name.
  var otherHeading: (name: String, text: String) {
    north == .true
      ? ("magnetic", direction(magneticHeading)) : ("true", direction(trueHeading))
  }

  /// A direction in three figures with its sign, or the dash.
  func direction(_ angle: Angle?) -> String {
    figures.direction(angle, padded: true).map { $0 + figures.degree } ?? figures.unknown
  }

  /// The accuracy of the shown heading, or why there is none.
  var accuracyWords: String {
    guard let estimate else { return figures.unknown }
    if north == .true, let text = figures.accuracy(estimate.trueHeadingAccuracy) {
      return text + " (95 %)"
    }
    return figures.headingAccuracy(estimate)
  }

  /// The accuracy of the shown heading in a few characters.
  var accuracyShort: String {
    let angle = north == .true ? estimate?.trueHeadingAccuracy : estimate?.headingAccuracy
    return figures.accuracy(angle) ?? figures.plusMinus + " not known"
  }

  /// A signed angle with a word for its side.
  func signed(_ degrees: Double?, unit: String, side: String) -> String {
    guard let text = figures.signed(degrees, decimals: 1) else { return figures.unknown }
    return (text.leading(5) + unit).trailing(9) + side
  }

  func altitude(_ glyphs: GlyphSet) -> String {
    guard let text = figures.number(estimate?.altitudeMetres, decimals: 1) else {
      return figures.unknown
    }
    let accuracy = figures.accuracy(metres: estimate?.verticalAccuracyMetres)
    return text + " m" + (accuracy.map { " " + $0 } ?? "") + climb(glyphs)
  }

  private func climb(_ glyphs: GlyphSet) -> String {
    let speed = estimate?.verticalSpeedMetresPerSecond
    guard let rounded = speed.flatMap({ FixedPoint($0, decimals: 1) }) else { return "" }
    let arrow = rounded.count > 0 ? glyphs.up : rounded.count < 0 ? glyphs.down : " "
    return "  " + arrow + rounded.magnitudeText + " m/s"
  }

  var speed: String {
    let metres = estimate?.speedMetresPerSecond
    // From 50 m/s the tenths are noise, and the course beside needs their columns.
    let decimals = abs(metres ?? 0) < 50 ? 1 : 0
    guard let text = figures.number(metres, decimals: decimals),
      let knots = figures.number(Figures.knots(metres), decimals: decimals)
    else { return figures.unknown }
    return "\(text) m/s \(knots) kn"
  }

  var position: String {
    guard let latitude = figures.latitude(estimate?.position?.latitude),
      let longitude = figures.longitude(estimate?.position?.longitude)
    else { return figures.unknown }
    return latitude + "  " + longitude
  }

  var fixParts: [String] {
    let isAwaited = estimate?.fixKind == nil && estimate?.positionState == .awaited
    var parts = [isAwaited ? "searching" : figures.words(estimate?.fixKind)]
    if let used = estimate?.satellitesUsed { parts.append("\(used) sat") }
    if let text = figures.accuracy(metres: estimate?.horizontalAccuracyMetres) {
      parts.append(text)
    }
    return parts
  }

  var fixRole: Role {
    switch estimate?.fixKind {
    case nil, .some(.none): .caution
    case .deadReckoning, .network, .simulated: .caution
    case .twoDimensional, .threeDimensional, .differential, .rtkFloat, .rtkFixed: .good
    }
  }

  var calibrationRole: Role {
    switch estimate?.calibration {
    case nil: .plain
    case .uncalibrated: .alarm
    case .assumed, .poor: .caution
    case .fair, .good: .good
    }
  }

  /// The state of the field: a contradiction to gravity or a vehicle's course, else the disturbance
  /// by the field alone.
  var field: String? { contradiction ?? estimate?.disturbance?.rawValue }

  /// What contradicts the heading; nil for nothing.
  var contradiction: String? {
    if let fault = estimate?.inputs?.fault { return fault.label }
    if estimate?.tiltContradiction != nil { return "tilt contradicts gravity" }
    return estimate?.compassContradiction == nil ? nil : "contradicts course"
  }

  var fieldRole: Role {
    if contradiction != nil { return .alarm }
    return switch estimate?.disturbance {
    case nil: .plain
    case .clean: .good
    case .disturbed, .magnetNearby: .alarm
    case .recovering: .caution
    }
  }
}
