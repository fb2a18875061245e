import EarthModel
import Pipeline
import Quantities
import RealModule
import Report
import Testing

/// A recording that a test makes.
private struct Constructed {
  var analysis: RecordingAnalysis
  private var log: CalibrationLog?

  init(log: CalibrationLog? = nil) { analysis = RecordingAnalysis(log: log) }

  static func instant(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: UInt64(bounded: (seconds * 1e9).rounded()))
  }

  /// Adds an estimate; `fill` sets its values.
  mutating func estimate(_ seconds: Double, _ fill: (inout Estimate) -> Void) {
    let time = Self.instant(seconds)
    analysis.add(SensorSamples(timestamp: time))
    var estimate = Estimate(timestamp: time)
    fill(&estimate)
    analysis.add(estimate)
  }

  /// Adds a row with a field.
  mutating func field(_ seconds: Double, _ microtesla: SIMD3<Double>) {
    let time = Self.instant(seconds)
    analysis.add(
      SensorSamples(
        timestamp: time,
        field: FieldSample(timestamp: time, field: MagneticField(microtesla: microtesla))))
  }

  mutating func inertial(_ seconds: Double, _ rate: SIMD3<Double>, _ force: SIMD3<Double>) {
    let time = Self.instant(seconds)
    analysis.add(
      SensorSamples(
        timestamp: time,
        inertial: InertialSample(
          timestamp: time, angularRate: AngularRate(radiansPerSecond: rate),
          specificForce: SpecificForce(metresPerSecondSquared: force))))
  }
}

@Suite("The sentences of a report", .timeLimit(.minutes(30)))
struct SectionTests {
  private func attitude(_ heading: Double, pitch: Double = 0, roll: Double = 0)
    -> Rotation<BodyFrame, MagneticEarthFrame>
  {
    Rotation(
      AttitudeAngles(
        heading: Angle(degrees: heading), pitch: Angle(degrees: pitch), roll: Angle(degrees: roll)))
  }

  @Test("a heading through north stays between its ends, with the accuracy by time")
  func heading() {
    var made = Constructed()
    for k in 0...100 {
      made.estimate(Double(k)) { e in
        e.magneticHeading = MagneticHeading(Angle(degrees: Double(k) / 5 + 350).wrappedToTurn)
        // 30 s at 8°, then 2°.
        e.headingAccuracy = k < 10 ? nil : Angle(degrees: k <= 40 ? 8 : 2)
      }
    }
    made.analysis.finish()
    let section = made.analysis.headingSection
    #expect(
      section.sentence
        == "The magnetic heading stayed between 350° and 10°, with a 95 % accuracy of 2.0° in the median and 8.0° at worst "
        + "(not known for 9 % of the time); there is no receiver's course to compare it with.")
    #expect(section["span_deg"] == 20)
    #expect(section.plots.count == 1)
  }

  @Test("the course is compared with the true heading above the least speed only")
  func course() throws {
    var made = Constructed()
    for k in 0...200 {
      made.estimate(Double(k)) { e in
        e.magneticHeading = MagneticHeading(Angle(degrees: 355))
        e.trueHeading = TrueHeading(Angle(degrees: 358))
        e.position = GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 13)
        e.fixTimestamp = Constructed.instant(Double(k))
        // At a stand the course is noise.
        e.speedMetresPerSecond = k < 100 ? 0.3 : 4
        e.course = Angle(degrees: k < 100 ? 180 : 3 + Double(k % 3) - 1)
      }
    }
    made.analysis.finish()
    let section = made.analysis.headingSection
    #expect(section["courses"] == 101)
    #expect(abs(try #require(section["courseLessHeadingMedian_deg"]) - 5) < 0.1)
    #expect(section.sentence.contains("is 5.0° to the right of it in the median"))
    #expect(section.sentence.contains("for 80 % of 101 fixes"))
    #expect(section.sentence.hasPrefix("The true heading stayed at 358°, with"))
  }

  @Test("without a declination the course is not compared")
  func withoutDeclination() {
    var made = Constructed()
    for k in 0...10 {
      made.estimate(Double(k)) { e in
        e.magneticHeading = MagneticHeading(Angle(degrees: Double(k) * 40).wrappedToTurn)
        e.position = GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 13)
        e.fixTimestamp = e.timestamp
        e.speedMetresPerSecond = 4
        e.course = Angle(degrees: 90)
        e.calibration = .uncalibrated
      }
    }
    let sentence = made.analysis.headingSection.sentence
    #expect(sentence.contains("went through the whole circle"))
    #expect(sentence.contains("with an accuracy that is not known, as the field is not calibrated"))
    #expect(sentence.contains("as the declination is not known"))
  }

  @Test("turns and tilts have their extremes with their times")
  func motion() {
    var made = Constructed()
    for k in 0...100 {
      made.estimate(Double(k) / 10) { e in
        e.rateOfTurn = AngularSpeed(
          radiansPerSecond: (k == 73 ? -50 : k < 50 ? 0.5 : 3) * .pi / 180)
        e.attitude = attitude(90, pitch: k == 20 ? 31 : 4, roll: -2)
        e.isLevelKnown = true
      }
    }
    #expect(
      made.analysis.turnSection.sentence
        == "The fastest turn was 50.0°/s to the left, after 7.3 s; for 95 % of the time it was slower than 3.0°/s, "
        + "and for 49 % slower than 1°/s.")
    let tilt = made.analysis.tiltSection
    #expect(
      tilt.sentence.hasPrefix("The tilt from level was at most 31.1°, after 2.0 s, and below 4.5°"))
    #expect(tilt.sentence.contains("the roll was -2.0° (positive with the right side down)"))
    #expect(tilt.sentence.contains("the pitch 4.0°"))
  }

  @Test("the field is compared with the model, and its disturbed spans are counted")
  func field() throws {
    var made = Constructed()
    for k in 0...1000 {
      made.estimate(Double(k) / 10) { e in
        let isDisturbed = (200..<300).contains(k) || (500..<550).contains(k)
        let strength = isDisturbed ? 90.0 : 49 + Double(k % 3) / 1e3
        // 60° below level.
        e.field = MagneticField(microtesla: SIMD3(strength / 2, 0, strength * 0.75.squareRoot()))
        e.attitude = attitude(0)
        e.isLevelKnown = true
        e.disturbance = isDisturbed ? .disturbed : .clean
        e.modelField = EarthField(horizontal: 20, down: 45)
      }
    }
    made.analysis.finish()
    let section = made.analysis.fieldSection
    #expect(section["disturbedSpans"] == 2)
    #expect(abs(try #require(section["disturbedShare"]) - 0.15) < 1e-9)
    #expect(
      section.sentence
        == "The field's strength was 49.0 µT in the median (90 % of the time between 49.0 and 90.0) and its dip 60.0°, where the "
        + "World Magnetic Model has 49.2 µT and 66.0°; the filter took it as disturbed for 15 % of the time, in 2 spans, the longest "
        + "of 10.0 s after 20.0 s.")
    #expect(section.plots.count == 2)
    let spans = section.plots[0].marks.compactMap { mark -> [ClosedRange<Double>]? in
      if case .spans(let spans) = mark.shape { spans } else { nil }
    }
    #expect(spans.joined().map { $0.lowerBound.rounded() } == [20, 50])
    #expect(spans.joined().map { $0.upperBound.rounded() } == [30, 55])
  }

  @Test("the sphere has the strength before and after the calibration in use, and the coverage")
  func sphere() throws {
    let log = CalibrationLog()
    var configuration = PipelineConfiguration()
    configuration.calibration = .fitted(
      MagnetometerCalibration(
        softIron: .identity, hardIron: MagneticField(microtesla: SIMD3(100, 0, 0)),
        quality: .good))
    configuration.tap = log
    _ = Pipeline(configuration: configuration)
    var made = Constructed(log: log)
    // The upper half of a sphere of 50 µT about (100, 0, 0).
    var time = 0.0
    for row in 0...40 {
      for column in 0..<120 {
        let (z, turn) = (Double(row) / 40, Double(column) / 60 * .pi)
        let r = max(0, 1 - z * z).squareRoot()
        made.field(time, SIMD3(100 + 50 * r * Double.cos(turn), 50 * r * Double.sin(turn), 50 * z))
        time += 0.01
      }
    }
    let section = made.analysis.sphereSection
    #expect(section["coverage"] == 0.5)
    #expect(section.sentence.contains("after the calibration in use between 50.0 and 50.0 µT"))
    #expect(
      section.sentence.contains("of 96 equal parts of the sphere its direction was in 48 (50 %)"))
    let low = try #require(section["raw5_uT"])
    #expect((55...75).contains(low), "\(low)")
    #expect(section.plots.count == 5)
  }

  @Test("a rest gives the noise of its samples; a motion gives none")
  func noise() throws {
    var still = Constructed()
    var moving = Constructed()
    for k in 0..<4000 {
      let time = Double(k) / 100
      // Noise that changes its sign with every sample: 0.1 °/s.
      let rate = 0.1 * .pi / 180 * (k % 2 == 0 ? 1.0 : -1)
      still.inertial(time, SIMD3(rate, 0, 0), SIMD3(0, 0, 9.8))
      moving.inertial(
        time, SIMD3(Double.sin(time * 3), 0, 0), SIMD3(3 * Double.sin(time * 3), 0, 9.8))
    }
    let section = still.analysis.noiseSection
    #expect(abs(try #require(section["rest_s"]) - 36) < 1)
    #expect(section["rests"] == 1)
    #expect(section.sentence.contains("of the gyroscope (axis x, the noisiest)"))
    // At one sample the differences are 0.2 °/s, of which the deviation is the root of a half.
    let first = try #require(still.analysis.noise.rate.points.first)
    #expect(abs(first.deviation.x - 0.2 / 2.0.squareRoot()) < 1e-6)
    #expect(
      moving.analysis.noiseSection.sentence.hasPrefix("Left out: the board did not lie still"))
    #expect(moving.analysis.noiseSection.plots.isEmpty)
  }

  @Test("samples that are too rare do not tell rest from motion")
  func rare() {
    var made = Constructed()
    for k in 0..<100 { made.inertial(Double(k), .zero, SIMD3(0, 0, 9.8)) }
    #expect(made.analysis.noiseSection.sentence.contains("are 1.0 s apart"))
  }

  @Test("the changes of a calibration are counted, with the first and the last predicted error")
  func calibrations() {
    let log = CalibrationLog()
    var made = Constructed(log: log)
    func calibration(_ degrees: Double) -> MagnetometerCalibration {
      MagnetometerCalibration(
        softIron: .identity, hardIron: .zero, quality: .fair,
        predictedHeadingError: Angle(degrees: degrees))
    }
    log.record(.start, nil)
    made.field(0, SIMD3(20, 0, 45))
    made.field(10, SIMD3(20, 0, 45))
    log.record(.committed, calibration(5))
    made.field(20, SIMD3(20, 0, 45))
    log.record(.committed, calibration(2))
    made.field(60, SIMD3(20, 0, 45))
    made.analysis.finish()
    let section = made.analysis.calibrationSection
    #expect(
      section.sentence
        == "The calibration changed 2 times (2 found during use); the predicted heading error, one sigma, was 5.0° with the first, after "
        + "20.0 s, and 2.0° with the last known one, after 60.0 s.")
    #expect(section.plots.count == 1)
  }

  /// A way to the north at 20 m/s with an estimate a second, by dead reckoning from `out` s on
  /// until the fix `back`, whose place is 30 m to the east.
  private func way(seconds: Int, out: Int, back: Int) -> RecordingAnalysis {
    var made = Constructed()
    let plane = LocalPlane(origin: GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11))
    for second in 0...seconds {
      made.estimate(Double(second)) { e in
        e.fixTimestamp = e.timestamp
        e.position = plane.place(
          at: SIMD2(20 * Double(second), second >= back ? 30 : 0))
        e.speedMetresPerSecond = 20
        e.course = .zero
        let isOut = second >= out && second < back
        e.fixKind = isOut ? .deadReckoning : .threeDimensional
        e.horizontalAccuracyMetres = isOut ? 4 + Double(second - out) : 4
      }
    }
    made.analysis.finish()
    return made.analysis
  }

  @Test("an outage of the receiver shows how far dead reckoning was from the next fix")
  func outage() {
    let section = way(seconds: 600, out: 300, back: 360).positionSection
    #expect(
      section.sentence
        == "The way was 12.02 km long, at most at 20.0 m/s; the place was known to 4.1 m (radius of 68 %, median); in 1 outage of the receiver it was dead reckoning, and the first fix after the longest, 60.0 s, was 30.0 m from it where 63.0 m were stated."
    )
    #expect(section.plots.count == 2)
    #expect(section.plots[0].aspect == 1 && section.plots[0].marks.count == 2)
    #expect(section["outages"] == 1 && section["longestOutage_s"] == 60)
  }

  @Test("a way of any length has at most 2000 places")
  func longWay() {
    let analysis = way(seconds: 30_000, out: 20_000, back: 20_060)
    let lines = analysis.position.lines(reckoned: false)
    #expect(lines.count == 2)
    #expect((900...2000).contains(lines.reduce(0) { $0 + $1.count }))
    #expect(
      way(seconds: 50, out: 20, back: 100).positionSection.sentence.hasSuffix(
        "at the end by dead reckoning."))
    #expect(RecordingAnalysis().positionSection.isLeftOut)
  }

  @Test("fixes are counted by the estimates where the rows have none")
  func withoutFixes() {
    var analysis = RecordingAnalysis(hasFixes: false)
    for k in 0...100 {
      var estimate = Estimate(timestamp: Constructed.instant(Double(k) / 10))
      estimate.fixTimestamp = Constructed.instant((Double(k) / 10).rounded(.down))
      estimate.altitudeMetres = 100
      analysis.add(estimate)
    }
    #expect(
      analysis.sensorsSection.sentence
        == "Samples came at 1.00 (receiver) a second on average; no interval was longer than 2.5 usual ones."
    )
    #expect(analysis.altitudeSection.sentence.contains("is not known from the daemon"))
    #expect(analysis.calibrationSection.sentence.contains("are not known from this source"))
  }

  @Test("what a recording does not have is left out with the reason")
  func leftOut() {
    var made = Constructed()
    for k in 0..<10 { made.estimate(Double(k)) { _ in } }
    let report = Report(title: "x", program: "test", made.analysis)
    #expect(report.sections.count == 10)
    for section in report.sections {
      #expect(section.isLeftOut, "\(section.name)")
      #expect(section.sentence.hasPrefix("Left out: ") && section.sentence.hasSuffix("."))
    }
  }

  @Test("a share that is not none or all is not shown as such")
  func percent() {
    #expect(FigureText.percent(0) == "0 %" && FigureText.percent(1) == "100 %")
    #expect(FigureText.percent(0.001) == "less than 1 %")
    #expect(FigureText.percent(0.999) == "more than 99 %")
    #expect(FigureText.percent(nil) == "not known")
    #expect(FigureText.side(-0.3, 0) == "0°" && FigureText.side(-2.6, 0) == "3° to the left")
    #expect(
      FigureText.significant(9.999) == "10.0" && FigureText.significant(0.001_234, 2) == "0.0012")
    #expect(FigureText.direction(-0.2) == "0°" && FigureText.direction(719.8) == "0°")
    #expect(TimeText.text(0.005) == "5.0 ms" && TimeText.text(200) == "3 min 20 s")
  }
}
