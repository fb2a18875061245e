import Chips
import Quantities

/// An inertial unit that a kernel driver owns, along the axes of Lodestar's own driver for the
/// chip, or those of the device tree's mount matrix (`IIOAxes`).
///
/// Some drivers make two devices of one chip (st_lsm6dsx of an LSM9DS1). Through sysfs both are
/// read together. Samples of two buffers are paired if their timestamps differ by less than half a
/// period, else delivered separately.
///
/// - Units: The ABI's radians per second and metres per second squared; drivers of other units are
///   corrected (fxos8700, fxas21002c).
/// - Accuracy: The kernel's scales of the MPU family are up to 0.11 % below the data sheets':
///   0.000598 m/s² for 9.80665/16384, 131.14 counts a degree for 131.
/// - Staleness: Through sysfs each axis is read separately, with its newest value; `rateHertz`
///   includes the time needed.
public struct IIOInertialUnit: InertialUnit {
  /// True if a kernel buffer stores samples until they are read.
  public var keepsSamples: Bool { isBuffered }
  /// The chip that is read.
  public let model: ChipModel
  /// The chip's address on its bus, 7 bits.
  public var address: UInt8 { device.address }
  /// Samples a second: the lowest of its devices' rates; before `start` the requested rate.
  public var rateHertz: Double { streams.map(\.rateHertz).min() ?? 0 }
  /// Half a period: the kernel does not report the filters' settings.
  public var latencySeconds: Double { streams.map(\.latencySeconds).max() ?? 0 }

  private let device: IIODevice
  private let streams: [IIOStream]
  /// Stream and index of the gyroscope's first channel; likewise the accelerometer's.
  private let gyroscope: (stream: Int, place: Int)?
  private let accelerometer: (stream: Int, place: Int)?
  /// The next sample of each stream.
  private var waiting: [IIOStream.Sample?]
  private var axes = (gyroscope: IIOAxes(), accelerometer: IIOAxes())

  /// The default rate, hertz, as of Lodestar's own drivers.
  private static var usualHertz: Double { 200 }

  /// Makes a driver; nothing is read or written before `start`.
  package init(
    device: IIODevice, model: ChipModel, settings: ChipSettings,
    sharing: IIOSharing = IIOSharing(),
    clock: @escaping () -> Timestamp = { MonotonicClock.now }
  ) {
    self.device = device
    self.model = model
    let requestedRate = settings.rateHertz ?? Self.usualHertz
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
        channels.append(.inertial(stem, greatest: greatest, model: model, node: node))
      }
      if !channels.isEmpty {
        streams.append(
          IIOStream(
            node, channels: channels, requested: requestedRate, sharing: sharing, clock: clock))
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
      func axes(_ stem: String, _ place: (stream: Int, place: Int)?) throws(IIOFault) -> IIOAxes {
        guard let place else { return IIOAxes() }
        return try IIOAxes(of: stem, streams[place.stream].node, signs: model.kernelAxisSigns)
      }
      self.axes = (
        gyroscope: try axes("in_anglvel", gyroscope),
        accelerometer: try axes("in_accel", accelerometer)
      )
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

  /// All samples of the buffers, or the driver's present values, once in a period.
  /// - Returns: 0: a full buffer drops its newest scans without a report.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int {
    do throws(IIOFault) {
      // The size of the kernel's buffers: bounds the loop for a slow reader.
      for _ in 0..<256 {
        for (index, stream) in streams.enumerated() where waiting[index] == nil {
          waiting[index] = try stream.next()
        }
        guard let chosen = oldest() else { break }
        take(reading(of: chosen))
        for index in chosen { waiting[index] = nil }
        if !isBuffered { break }
      }
    } catch { throw device.error(error, model: model) }
    return 0
  }

  /// The streams whose samples are delivered next, together.
  private func oldest() -> Range<Int>? {
    guard waiting.count == 2, let first = waiting[0], let second = waiting[1] else {
      return waiting.indices.first { waiting[$0] != nil }.map { $0..<($0 + 1) }
    }
    // Through sysfs both are read one after the other, for one sample.
    guard isBuffered, let one = first.timestamp, let other = second.timestamp else { return 0..<2 }
    let lead = other.seconds(since: one) * rateHertz
    return abs(lead) < 0.5 ? 0..<2 : lead > 0 ? 0..<1 : 1..<2
  }

  private func reading(of chosen: Range<Int>) -> InertialReading {
    func vector(
      _ channels: (stream: Int, place: Int)?, _ axes: IIOAxes
    ) -> Reading<SIMD3<Double>>? {
      guard let channels, chosen.contains(channels.stream),
        let sample = waiting[channels.stream]
      else { return nil }
      return sample.vector(from: channels.place, axes: axes)
    }
    return InertialReading(
      angularRate: vector(gyroscope, axes.gyroscope)?.map { AngularRate(radiansPerSecond: $0) },
      specificForce: vector(accelerometer, axes.accelerometer)?.map {
        SpecificForce(metresPerSecondSquared: $0)
      }, timestamp: waiting[chosen.lowerBound]?.timestamp)
  }
}
