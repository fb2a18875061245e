import CalibrationFit
import Foundation
import Quantities
import Testing

@Suite("Observations of field and attitude", .timeLimit(.minutes(30)))
struct FieldObserverTests {
  private func at(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: UInt64(bounded: (seconds * 1e9).rounded()))
  }

  /// Feeds a field at 50 Hz.
  private func feed(
    _ observer: inout FieldObserver, _ times: [Double],
    attitude: (Double) -> Rotation<BodyFrame, MagneticEarthFrame> = { _ in .identity },
    rate: SIMD3<Double> = .zero
  ) -> [FieldObservation] {
    times.compactMap {
      observer.add(
        field: SIMD3($0, 2, 3), at: at($0), attitude: attitude($0), rate: rate)
    }
  }

  @Test("a fifth of a second becomes one mean, in the middle of its time")
  func mean() throws {
    var observer = FieldObserver()
    let observed = feed(&observer, (0...60).map { Double($0) / 50 })
    #expect(observed.count == 6)
    for (n, o) in observed.enumerated() {
      #expect(abs(o.timestamp.seconds - (0.2 * Double(n) + 0.09)) < 1e-9)
      // The field is the time here, and its mean that of the middle.
      #expect((o.field - SIMD3(o.timestamp.seconds, 2, 3)).length < 1e-9)
    }
    #expect(
      observed[0].axes
        == ReferenceAxes(
          x: SIMD3(1, 0, 0), y: SIMD3(0, 1, 0), down: SIMD3(0, 0, 1), isYawCarried: true))
  }

  @Test("an interval with a lasting acceleration is marked and not used in operation")
  func lastingAcceleration() {
    var (observer, calibrator) = (FieldObserver(), OnlineCalibrator())
    var marked: [Bool] = []
    for i in 0..<100 {
      let t = Double(i) / 50
      let o = observer.add(
        field: SIMD3(20, 0, 40), at: at(t),
        attitude: Rotation<BodyFrame, MagneticEarthFrame>.identity, rate: SIMD3(0, 0, 0.5),
        isLevelCertain: !(0.5..<1).contains(t))
      guard let o else { continue }
      marked.append(!o.isLevelCertain)
      _ = calibrator.add(o)
    }
    #expect(marked.count == 9 && marked.filter { $0 }.count == 3, "\(marked)")
    let recent = Mirror(reflecting: calibrator).descendant("recent") as? [FieldObservation]
    #expect(recent?.count == 6)
  }

  @Test("after a gyroscope's limit samples are skipped and yaw starts a new stretch")
  func interruption() {
    var observer = FieldObserver()
    let times = (0...250).map { Double($0) / 50 }
    var observed = feed(&observer, times.filter { $0 <= 1 })
    observer.interrupt(at: at(1), .yaw)
    // The same flat top continues: it is one interruption.
    observer.interrupt(at: at(1.1), .yaw)
    observed += feed(&observer, times.filter { $0 > 1 })
    #expect(observed.contains { $0.timestamp.seconds < 1 && $0.stretch == 0 })
    #expect(!observed.contains { (1..<3.1).contains($0.timestamp.seconds) })
    #expect(observed.contains { $0.timestamp.seconds > 3.1 && $0.stretch == 1 })
  }

  @Test("after an accelerometer's limit a moment is skipped and yaw continues")
  func push() {
    var observer = FieldObserver()
    let times = (0...150).map { Double($0) / 50 }
    var observed = feed(&observer, times.filter { $0 <= 1 })
    observer.interrupt(at: at(1), .level)
    observed += feed(&observer, times.filter { $0 > 1 })
    #expect(!observed.contains { (1..<1.3).contains($0.timestamp.seconds) })
    #expect(observed.contains { $0.timestamp.seconds > 1.3 })
    #expect(observed.allSatisfy { $0.stretch == 0 })
  }

  @Test("axes are in sensor coordinates, with their rates and the rotation so far")
  func axes() throws {
    // A board that turns right at 1 rad/s: what is ahead moves to the left.
    var observer = FieldObserver()
    let observed = feed(
      &observer, (0...100).map { Double($0) / 50 },
      attitude: { Rotation(rotationVector: SIMD3(0, 0, $0)) }, rate: SIMD3(0, 0, 1))
    for o in observed {
      let t = o.timestamp.seconds
      let axes = try #require(o.axes)
      #expect((axes.x - SIMD3(cos(t), -sin(t), 0)).length < 0.01)
      #expect((axes.y - SIMD3(sin(t), cos(t), 0)).length < 0.01)
      #expect((axes.xRate - SIMD3(-sin(t), -cos(t), 0)).length < 0.01)
      #expect((axes.yRate - SIMD3(cos(t), -sin(t), 0)).length < 0.01)
      #expect(axes.downRate.length < 1e-12 && abs(axes.turned - t) < 0.01)
      #expect(abs(try #require(o.rate) - 1) < 1e-12)
    }
    #expect(observed.count == 10)
  }

  @Test("a pause, a step back in time and an invalid field give correct observations")
  func gaps() {
    var observer = FieldObserver()
    let observed = feed(&observer, [0, 0.02, 0.04, 2, 2.02, 1.5, 1.52, 1.6, 1.8])
    #expect(observed.map { $0.timestamp } == [at(0.02), at(2.01), at(1.55)])
    var other = FieldObserver()
    #expect(
      other.add(
        field: SIMD3(.nan, 0, 0), at: at(0),
        attitude: Rotation<BodyFrame, MagneticEarthFrame>.identity, rate: .zero) == nil)
    let rest = feed(&other, (0...10).map { Double($0) / 50 })
    #expect(rest.count == 1 && rest.allSatisfy { $0.field.isFinite })
  }

  @Test("without a gyroscope gravity is present at rest and absent during acceleration")
  func gravityOnly() throws {
    var observer = GravityFieldObserver()
    var observed: [FieldObservation] = []
    for i in 0..<600 {
      let t = Double(i) / 100
      let push = t > 3 && t < 4 ? 6 * sin(40 * t) : 0
      observer.add(force: SIMD3(push, 0, -9.81), at: at(t))
      if i % 2 == 0, let o = observer.add(field: SIMD3(20, 0, t), at: at(t)) { observed.append(o) }
    }
    #expect(observed.count > 35)
    for o in observed {
      let t = o.timestamp.seconds
      // A short mean: at most 30 ms.
      #expect(abs(o.field.z - t) < 0.03 && o.rate == nil)
      if t < 2.6 || t > 4.4 {
        let axes = try #require(o.axes)
        #expect(!axes.isYawCarried && (axes.down - SIMD3(0, 0, 1)).length < 1e-9)
      } else if t > 3.2 && t < 3.8 {
        #expect(o.axes == nil)
      }
    }
  }

  @Test("observations of a bare magnetometer have no axes")
  func fieldOnly() {
    var observer = GravityFieldObserver()
    let observed = (0..<200).compactMap {
      observer.add(field: SIMD3(20, 0, 40), at: at(Double($0) / 50))
    }
    #expect(observed.count > 20 && observed.allSatisfy { $0.axes == nil })
  }

  @Test("each twenty degrees of tilt or yaw is another cell, and nearby attitudes are the same one")
  func cells() {
    func cell(_ vector: SIMD3<Double>, isCarried: Bool = true) -> AttitudeCell {
      let (x, y, down) = Rotation<BodyFrame, MagneticEarthFrame>(rotationVector: vector).rows
      return AttitudeCell(ReferenceAxes(x: x, y: y, down: down, isYawCarried: isCarried))
    }
    let level = (0..<72).map { cell(SIMD3(0, 0, (Double($0) + 0.5) * .pi / 36)) }
    #expect(Set(level).count == 16)
    let tilted = (0..<36).map { cell(SIMD3((Double($0) + 0.5) * .pi / 18, 0, 0)) }
    #expect(Set(tilted).count > 10)
    #expect(cell(SIMD3(0.4, 0.03, 0.2)) == cell(SIMD3(0.43, 0.01, 0.25)))
    // Without a gyroscope yaw means nothing.
    let loose = (0..<72).map { cell(SIMD3(0, 0, Double($0) * .pi / 36), isCarried: false) }
    #expect(Set(loose).count == 1)
  }
}
