import Chips
import Quantities

/// The details of a fault on one board, chosen by its seed.
package struct InjectedFault: Sendable {
  package let fault: BoardFault
  private let seed: UInt64

  /// The share of transfers that fail: about one in a hundred, as with pull-up resistors far too
  /// large.
  static var failingShare: Double { 0.01 }
  /// The share of samples that are lost.
  static var lostShare: Double { 0.2 }
  /// The flat top of a gyroscope, rad/s: 20 degrees a second.
  static var clippedRate: Double { 20 * .pi / 180 }
  /// The flat top of a magnetometer, microtesla: less than the earth's field.
  static var clippedField: Double { 20 }

  package init(_ fault: BoardFault, seed: UInt64) { (self.fault, self.seed) = (fault, seed) }

  /// Random numbers of this fault alone.
  var random: RandomStream { RandomStream(seed: seed, stream: 9) }

  /// One of some variants.
  private func variant(of count: Int) -> Int {
    var random = random
    return min(count - 1, Int(bounded: random.uniform() * Double(count)))
  }

  /// The mounts of a board whose file is wrong, relative to the file's: turned about the vertical,
  /// upside down, on its side, on its end.
  private static let mounts = [
    AxisMount(x: .right, y: .forward, z: .up), AxisMount(x: .left, y: .backward, z: .up),
    AxisMount(x: .backward, y: .right, z: .up), AxisMount(x: .forward, y: .right, z: .down),
    AxisMount(x: .forward, y: .up, z: .right), AxisMount(x: .up, y: .left, z: .backward),
  ]

  /// From where the file says the body's axes are to where they are.
  package var mounting: Rotation<BodyFrame, BodyFrame> {
    guard fault == .wrongMount else { return .identity }
    let mounts = Self.mounts.compactMap(\.self)
    let mount = mounts[variant(of: mounts.count)]
    return mount.rotation * AxisMount.standard.rotation.inverse
  }

  /// The changes of a chip's input; nil for a chip that is not concerned.
  func changes(of chip: ChipModel) -> InputChanges? {
    var changes = InputChanges()
    var random = random
    switch (fault, chip.quantity) {
    case (.swappedAxes, .field) where mirrored == .field,
      (.invertedAxis, .field) where mirrored == .field:
      changes.fieldAxes = mirroring
    case (.swappedAxes, .inertia) where mirrored == .gyroscope,
      (.invertedAxis, .inertia) where mirrored == .gyroscope:
      changes.rateAxes = mirroring
    case (.swappedAxes, .inertia) where mirrored == .accelerometer,
      (.invertedAxis, .inertia) where mirrored == .accelerometer:
      changes.forceAxes = mirroring
    case (.clippedRange, .inertia) where variant(of: 2) == 0: changes.largestRate = Self.clippedRate
    case (.clippedRange, .field) where variant(of: 2) == 1: changes.largestField = Self.clippedField
    case (.magnetOnBoard, .field):
      // A loudspeaker's magnet of 1 A m² 5 to 7 cm away: 600 to 1600 microtesla along its axis.
      let direction = random.gaussianVector().normalized ?? SIMD3(1, 0, 0)
      changes.magnet = direction * (600 + 1000 * random.uniform())
    case (.hotGyroscope, .inertia):
      let direction = random.gaussianVector().normalized ?? SIMD3(1, 0, 0)
      // 60 to 100 kelvin above the temperature of its test by the MPU-9250's 0.24 degrees a second
      // and kelvin (PS-MPU-9250A-01, table 1), on top of its offset; it warms up by ten kelvin in
      // the first minutes.
      changes.rateOffset = direction * ((60 + 40 * random.uniform()) * 0.24 * .pi / 180)
      changes.rateOffsetRise = direction * (10 * 0.24 * .pi / 180)
    default: return nil
    }
    return changes
  }

  /// The elements that may measure along mirrored axes.
  private enum Element: CaseIterable { case field, gyroscope, accelerometer }

  /// The one that does.
  private var mirrored: Element {
    var random = random
    _ = random.uniform()
    let elements = Element.allCases
    return elements[Int(bounded: random.uniform() * Double(elements.count))]
  }

  /// Two axes exchanged, or one with the wrong sign.
  private var mirroring: Matrix3 {
    if fault == .swappedAxes {
      let swaps = [SIMD3(1, 0, 2), SIMD3(0, 2, 1), SIMD3(2, 1, 0)]
      return Matrix3.permutation(swaps[variant(of: swaps.count)], signs: SIMD3(1, 1, 1))
    }
    var signs = SIMD3(1, 1, 1)
    signs[variant(of: 3)] = -1
    return Matrix3.permutation(SIMD3(0, 1, 2), signs: signs)
  }

  /// The rate of the inertial unit as a share of the one that is set; 1 without a fault of it.
  var rateRatio: Double { fault == .wrongRate ? variant(of: 2) == 0 ? 0.5 : 2 : 1 }

  /// The sensor that is dead, by the number of sensors; nil for another fault.
  package func deadSensor(of count: Int) -> Int? {
    fault == .deadSensor && count > 0 ? variant(of: count) : nil
  }

  /// The byte that a dead chip still answers with; nil where it does not answer.
  package var deadByte: UInt8? {
    var random = random
    _ = random.uniform()
    let choice = random.uniform()
    return choice < 1.0 / 3 ? nil : choice < 2.0 / 3 ? 0x00 : 0xFF
  }

  /// The speeds at which the receiver sends and the port is read, bits per second.
  package var speeds: (sent: Int, read: Int)? {
    guard fault == .wrongBaud else { return nil }
    let pairs = [(9600, 38_400), (38_400, 9600), (9600, 4800), (115_200, 9600), (4800, 9600)]
    return pairs[variant(of: pairs.count)]
  }
}

extension Matrix3 {
  fileprivate static func permutation(_ axes: SIMD3<Int>, signs: SIMD3<Int>) -> Matrix3 {
    var matrix = Matrix3.zero
    for row in 0..<3 { matrix[row, axes[row]] = Double(signs[row]) }
    return matrix
  }
}
