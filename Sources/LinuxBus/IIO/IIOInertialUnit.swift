import Bus
import Chips
import Quantities

/// An inertial unit that a kernel driver owns, along the axes of Lodestar's own driver for the chip.
///
/// Some drivers make two devices of one chip (st_lsm6dsx of an LSM9DS1). Through sysfs both are asked
/// together; of two buffers the samples are paired where their timestamps are less than half a period
/// apart, and handed out alone where not.
///
/// - Units: The ABI's radians per second and metres per second squared.
/// - Accuracy: The kernel's scales of the MPU family are up to 0.11 % below the data sheets':
///   0.000598 m/s² for 9.80665/16384, 131.14 counts a degree for 131.
/// - Staleness: Through sysfs each axis is asked for alone, the newest value each; `rateHertz` allows for
///   the time that takes. `mount_matrix` is not applied.
public struct IIOInertialUnit: InertialUnit {
  /// True where a kernel buffer keeps samples until they are fetched.
  public var keepsSamples: Bool { isBuffered }
  /// The chip that is read.
  public let model: ChipModel
  /// The chip's address on its bus, 7 bits.
  public var address: UInt8 { device.address }
  /// Samples a second: the slower of its devices'; the wish before `start`.
  public var rateHertz: Double { streams.map(\.rateHertz).min() ?? 0 }
  /// Half a period, as the kernel does not say how its filters are set.
  public var latencySeconds: Double { rateHertz > 0 ? 0.5 / rateHertz : 0 }
  /// When the kernel took the sample that was handed out last; nil without a buffer.
  public private(set) var newestTimestamp: Timestamp?

  private let device: IIODevice
  private let streams: [IIOStream]
  /// Where the gyroscope's channels begin: in which stream, at which place; likewise the accelerometer's.
  private let gyroscope: (stream: Int, place: Int)?
  private let accelerometer: (stream: Int, place: Int)?
  /// The sample that each stream is waiting with.
  private var waiting: [IIOStream.Sample?]

  /// Hertz without a wish, as Lodestar's own drivers take.
  private static var usualHertz: Double { 200 }

  /// Makes a driver; nothing is read or written before `start`.
  public init(device: IIODevice, model: ChipModel, settings: ChipSettings) {
    self.init(device: device, model: model, settings: settings) { MonotonicClock.now }
  }

  package init(
    device: IIODevice, model: ChipModel, settings: ChipSettings,
    clock: @escaping () -> Timestamp
  ) {
    self.device = device
    self.model = model
    let wish = settings.rateHertz ?? Self.usualHertz
    let quantities = [
      ("in_anglvel", settings.angularRateRadiansPerSecond),
      ("in_accel", settings.specificForceMetresPerSecondSquared),
    ]
    var streams: [IIOStream] = []
    var places: [String: (stream: Int, place: Int)] = [:]
    for node in device.nodes {
      var channels: [IIOChannels] = []
      for (stem, greatest) in quantities where node.has("\(stem)_x_raw") {
        places[stem] = (streams.count, 3 * channels.count)
        channels.append(
          IIOChannels(
            stem: stem, suffixes: ["_x", "_y", "_z"], unit: 1, greatest: greatest,
            rails: model.kernelRails(in: node.name), correction: model.scaleCorrection))
      }
      if !channels.isEmpty {
        streams.append(IIOStream(node, channels: channels, wish: wish, clock: clock))
      }
    }
    self.streams = streams
    gyroscope = places["in_anglvel"]
    accelerometer = places["in_accel"]
    waiting = Array(repeating: nil, count: streams.count)
  }

  /// Whether samples come from the kernel's buffers, not through sysfs.
  public var isBuffered: Bool { streams.allSatisfy(\.isBuffered) }

  /// Checks that the driver is bound and has the channels, and sets rates and ranges.
  public mutating func start() throws(ChipError) {
    try device.check(model)
    waiting = Array(repeating: nil, count: streams.count)
    do throws(IIOFault) {
      if streams.isEmpty { throw IIOFault(code: 0, doing: "looking for in_accel_x_raw") }
      for stream in streams { try stream.start() }
    } catch { throw device.error(error, model: model) }
  }

  /// Whether the driver is still bound and its settings are what they were.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool {
    guard device.isBound else { return false }
    do throws(IIOFault) {
      for stream in streams where try !stream.holds() { return false }
      return true
    } catch { throw device.error(error, model: model) }
  }

  /// Everything in the buffers, or what the driver says now, once a period.
  /// - Returns: 0: a buffer that runs over drops its newest scans without a word.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int {
    do throws(IIOFault) {
      // As many as the kernel's buffers hold: a slow reader must not be kept here.
      for _ in 0..<256 {
        for (index, stream) in streams.enumerated() where waiting[index] == nil {
          waiting[index] = try stream.next()
        }
        guard let chosen = oldest() else { break }
        take(reading(of: chosen))
        for index in chosen {
          newestTimestamp = waiting[index]?.timestamp
          waiting[index] = nil
        }
        if !isBuffered { break }
      }
    } catch { throw device.error(error, model: model) }
    return 0
  }

  /// The streams whose samples are handed out next, together.
  private func oldest() -> Range<Int>? {
    guard waiting.count == 2, let first = waiting[0], let second = waiting[1] else {
      return waiting.indices.first { waiting[$0] != nil }.map { $0..<($0 + 1) }
    }
    guard let one = first.timestamp, let other = second.timestamp else { return 0..<2 }
    let lead = other.seconds(since: one) * rateHertz
    return abs(lead) < 0.5 ? 0..<2 : lead > 0 ? 0..<1 : 1..<2
  }

  private func reading(of chosen: Range<Int>) -> InertialReading {
    func vector(_ channels: (stream: Int, place: Int)?) -> Reading<SIMD3<Double>>? {
      guard let channels, chosen.contains(channels.stream),
        let sample = waiting[channels.stream]
      else { return nil }
      return sample.vector(from: channels.place, signs: model.kernelAxisSigns)
        .map { .value($0) } ?? .saturated
    }
    return InertialReading(
      angularRate: vector(gyroscope)?.map { AngularRate(radiansPerSecond: $0) },
      specificForce: vector(accelerometer)?.map { SpecificForce(metresPerSecondSquared: $0) })
  }
}

extension Reading {
  fileprivate func map<Other>(_ transform: (Value) -> Other) -> Reading<Other> {
    switch self {
    case .value(let value): .value(transform(value))
    case .saturated: .saturated
    }
  }
}
